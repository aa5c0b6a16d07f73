// `rehearse FILE`: runs a strategy on the seeded paper market over days and seeds, with every combination of settings, and
// compares them.
import { basename } from 'node:path';
import { Option } from 'commander';
import { REGIMES, USUAL_REGIME } from '../../../exchange/market/regimes.ts';
import { portfolioBodySchema } from '../../../gateway/portfolios/submit/submit-schema.ts';
import { instant } from '../../../values/instant.ts';
import { baseNumber, collect } from '../backtest/backtest-options.ts';
import { configOption } from '../caller-path.ts';
import type { AddCommand, Terminal } from '../command.ts';
import { readSubmission } from '../submission-file.ts';
import { CellFolder } from '../sweep/cell-folder.ts';
import { runSweep, sweepReport, workersOf } from '../sweep/run-sweep.ts';
import { planRehearsal } from './plan-rehearsal.ts';
import { rehearsalSettings, type WrittenRehearsal } from './rehearse-options.ts';

export const addRehearse: AddCommand = (program, terminal) => {
  program
    .command('rehearse')
    .argument('<file>', 'strategy file or submit body, YAML or JSON')
    .option(...configOption)
    .option('--days <count>', 'days on which it runs in the market of each seed', '1')
    .option('--seeds <count>', 'markets: seeds 1 to that number, or FROM..TO', '20')
    .addOption(
      new Option('--regime <name>', 'how volatile the market is')
        .choices(REGIMES)
        .default(USUAL_REGIME),
    )
    .option(
      '--from <time>',
      'when the markets begin, and the first day starts (UTC); default: as the file says, otherwise today at 00:00',
    )
    .option(
      '--latency <ms>',
      'from request to answer of the exchange: fixed, or a range from which each is drawn',
      '5-80',
    )
    .option(
      '--set <field=value>',
      'sets a field of the submit body, to one value or several: A,B,C or FROM..TO/STEP; repeatable',
      collect,
    )
    .option('--base <number>', 'the setting that the others are compared with', '1')
    .option(
      '--out <folder>',
      'keeps the runs, so that the same command goes on after an interruption, and their tables',
      'rehearsal',
    )
    .option('--workers <count>', 'runs at a time; default: one per core')
    .option('--report <file>', 'also write the table with charts as one page, .html')
    .option('--json', 'print the table as JSON')
    .action(async (file: string, written: WrittenRehearsal) => {
      await perform(file, written, terminal);
    });
};

async function perform(file: string, written: WrittenRehearsal, terminal: Terminal): Promise<void> {
  const { set = [], json = false } = written;
  const { body } = readSubmission(file);
  const { startAt } = portfolioBodySchema.parse(body);
  const settings = rehearsalSettings(written, { startAt, now: instant(Date.now()) });
  const plan = planRehearsal({ body, settings, set, base: baseNumber(written.base) });
  const how = {
    title: `Rehearsal of ${basename(file)}`,
    json,
    workers: workersOf(written.workers),
    report: sweepReport(written.report),
    folder: new CellFolder(written.out),
  };
  await runSweep(plan, how, terminal);
}
