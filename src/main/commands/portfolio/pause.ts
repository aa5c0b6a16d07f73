// `pause ID` and `resume ID`: pauses and resumes a portfolio.
import { CLI_NAME } from '../../cli-name.ts';
import { type AddCommand, jsonText } from '../command.ts';
import {
  type ConnectionOptions,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';
import { paint } from '../terminal/paint.ts';
import { printUnhedged } from './print-unhedged.ts';

type Options = ConnectionOptions & { readonly json?: boolean };

export const addPause: AddCommand = (program, terminal) => {
  withConnection(program.command('pause'))
    .argument('<id>', 'portfolio id')
    .option('--json', 'print the answer as JSON')
    .action(async (id: string, options: Options) => {
      const stopped = valueOrFail(await reachDaemon(options).client.pause(id));
      if (options.json)
        return terminal.print(jsonText({ portfolioId: id, paused: true, ...stopped }));
      terminal.print(`paused ${paint.bold(id)}`);
      printUnhedged(terminal, stopped);
      terminal.print(paint.dim(`resume it: ${CLI_NAME} resume ${id}`));
    });
};

export const addResume: AddCommand = (program, terminal) => {
  withConnection(program.command('resume'))
    .argument('<id>', 'portfolio id')
    .option('--json', 'print the answer as JSON')
    .action(async (id: string, options: Options) => {
      valueOrFail(await reachDaemon(options).client.resume(id));
      if (options.json) terminal.print(jsonText({ portfolioId: id, paused: false }));
      else terminal.print(`resumed ${paint.bold(id)}`);
    });
};
