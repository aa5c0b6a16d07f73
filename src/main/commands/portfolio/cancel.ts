// `cancel ID`: cancels one portfolio and its orders.
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

export const addCancel: AddCommand = (program, terminal) => {
  withConnection(program.command('cancel'))
    .argument('<id>', 'portfolio id')
    .option('--json', 'print the answer as JSON')
    .action(async (id: string, options: ConnectionOptions & { readonly json?: boolean }) => {
      const { client } = reachDaemon(options);
      const stopped = valueOrFail(await client.cancel(id));
      if (options.json) terminal.print(jsonText({ portfolioId: id, cancelling: true, ...stopped }));
      else {
        terminal.print(`cancelling ${paint.bold(id)}`);
        printUnhedged(terminal, stopped);
        terminal.print(paint.dim(`watch it: ${CLI_NAME} watch ${id}`));
      }
    });
};
