// `cancel-all`: cancels every active portfolio of the key's accounts, or of one of them.
import { type AddCommand, jsonText } from '../command.ts';
import {
  type ConnectionOptions,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';

interface Options extends ConnectionOptions {
  readonly account?: string;
  readonly coin?: string;
  readonly json?: boolean;
}

export const addCancelAll: AddCommand = (program, terminal) => {
  withConnection(program.command('cancel-all'))
    .option('-a, --account <id>', 'only this account')
    .option('--coin <name>', 'only with a leg on this coin, or with this in its instrument')
    .option('--json', 'print the answer as JSON')
    .action(async (options: Options) => {
      const daemon = reachDaemon(options);
      const accounts = options.account === undefined ? daemon.accounts : [options.account];
      for (const accountId of accounts) {
        const filter = options.coin === undefined ? {} : { coinOrSymbol: options.coin };
        valueOrFail(await daemon.client.cancelAll({ accountId, ...filter }));
      }
      if (options.json) terminal.print(jsonText({ accounts, cancelling: true }));
      else terminal.print(`cancelling every active portfolio of ${accounts.join(', ')}`);
    });
};
