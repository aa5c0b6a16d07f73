// `restore`: writes a backup into an empty database and data folder. Trading is halted in it until somebody activates it.
import { CLI_NAME } from '../../cli-name.ts';
import { configOption, fromCaller } from '../caller-path.ts';
import type { AddCommand } from '../command.ts';
import { type LedgerOptions, ledgerConfig, onDatabase } from '../ledger-command.ts';
import { backupFailure, contentText, venuesOf } from './backup-text.ts';

export const addRestore: AddCommand = (program, terminal) => {
  program
    .command('restore')
    .argument('<folder>', 'a backup')
    .option(...configOption)
    .action(async (folder: string, options: LedgerOptions) => {
      const config = ledgerConfig(options);
      const { deployment, dataDir } = config.service;
      const { restoreBackup } = await import('../../ledger/backup/restore-backup.ts');
      const manifest = await onDatabase(config, (connectionString) =>
        restoreBackup({
          connectionString,
          deployment,
          venues: venuesOf(dataDir),
          folder: fromCaller(folder),
          now: () => new Date(),
          onTable: (name) => terminal.complain(`table ${name} …`),
        }).catch((error: unknown) => {
          throw backupFailure(error);
        }),
      );
      terminal.print(
        [
          contentText(manifest),
          'Restored. The daemon starts with trading halted: it books what known orders have filled since, cancels orders that the',
          'backup does not know, and halts each account at whose venue it finds any, or trades of them. Orders of portfolios',
          'submitted since can be left open instead: say so before the start. See what was found, cancel or amend what would',
          'be ordered again, and start trading with:',
          `  ${CLI_NAME} ledger unaccounted [--orders leave]`,
          `  ${CLI_NAME} audit`,
          `  ${CLI_NAME} switch activate --reason TEXT`,
        ].join('\n'),
      );
    });
};
