// `record`: writes the market of a venue into files that `backtest` and the paper market replay.

import { configOption } from '../caller-path.ts';
import type { AddCommand } from '../command.ts';
import { readConfigLoosely } from '../files.ts';
import { outputFolder } from '../output-path.ts';
import { DEFAULT_KINDS, recordSettings, type WrittenRecordOptions } from './record-options.ts';

export const addRecord: AddCommand = (program, terminal) => {
  program
    .command('record')
    .requiredOption('--instruments <names>', 'instruments, such as BTC-PERPETUAL,BTC-*-C')
    .requiredOption('--to <folder>', 'folder of the recording; one that was recorded into goes on')
    .option(...configOption)
    .option('--venue <name>', 'venue of the configuration, if it has several')
    .option('--kinds <kinds>', `what to record (default: of ${DEFAULT_KINDS} what there is)`)
    .option('--exchange <name>', 'exchange in the files and their names (default: the venue)')
    .option('--every <ms>', 'shortest time between two snapshots of a book', '100')
    .option('--ticker-every <ms>', 'shortest time between two tickers of an instrument', '1000')
    .option('--for <time>', 'end after this, such as 2h (default: at Ctrl-C)')
    .option('--json', 'print a summary as JSON at the end')
    .action(async (written: WrittenRecordOptions) => {
      // A venue that needs a key reports that itself.
      const config = readConfigLoosely(written.config, () => undefined, {
        runs: ([section]) => section === 'venues',
      });
      const settings = recordSettings(written, config);
      const folder = outputFolder({ option: '--to', name: written.to });
      // Loaded only here, so that the other commands start fast.
      const { runRecord } = await import('./run-record.ts');
      await runRecord({ config, settings, folder, isJson: written.json === true }, terminal);
    });
};
