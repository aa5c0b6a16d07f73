// `backtest FILE --data DIR`: runs a strategy through the production engine against a recorded market.
import { basename, join } from 'node:path';
import { type Command, Option } from 'commander';
import { portfolioBodySchema } from '../../../gateway/portfolios/submit/submit-schema.ts';
import { isoText } from '../../../values/instant.ts';
import { CommandFailure } from '../../command-failure.ts';
import { faultText } from '../../fault.ts';
import { configOption, fromCaller } from '../caller-path.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { deploymentLimits, limitsNote } from '../deployment-limits.ts';
import { outputFolder } from '../output-path.ts';
import { reportFile } from '../report/report-file.ts';
import { readSubmission } from '../submission-file.ts';
import { CellFolder } from '../sweep/cell-folder.ts';
import { runSweep, sweepReport, workersOf } from '../sweep/run-sweep.ts';
import {
  type BacktestSettings,
  backtestSettings,
  collect,
  QUEUE_NAMES,
  readQueue,
  requireNoSweep,
  sweepSettings,
  type WrittenOptions,
} from './backtest-options.ts';
import { BacktestProgress, runLine } from './backtest-progress.ts';
import { type BacktestRun, runBacktest } from './backtest-run.ts';
import { printBacktest } from './backtest-text.ts';
import { withFields } from './set-fields.ts';
import { planSweep } from './sweep-backtests.ts';

/** In the folder of recordings, unless another is chosen. */
const CACHE = '.twapd-cache';

export const addBacktest: AddCommand = (program, terminal) => {
  const command = program
    .command('backtest')
    .argument('<file>', 'strategy file or submit body, YAML or JSON')
    .requiredOption(
      '-d, --data <folder>',
      'folder of recordings: <exchange>_<type>_<date>_<SYMBOL>.csv[.gz]',
    )
    .option(...configOption);
  addRecordingOptions(command);
  addExchangeOptions(command);
  addCacheOptions(command);
  addSweepOptions(command);
  addReportOptions(command);
  command.action(async (file: string, written: WrittenOptions) => {
    await perform(file, written, terminal);
  });
};

/** Which rows of the recording are read, and the terms of what was recorded. */
const addRecordingOptions = (command: Command): Command =>
  command
    .option('--from <time>', 'start here (UTC); default: the start of the recording')
    .option('--to <time>', 'read no rows after this (UTC)')
    .option('--date <day>', 'only this day (UTC)')
    .option('--exchange <name>', 'the recorded exchange, where several have the symbol')
    .option('--symbol <name>', 'the recorded symbol for all legs')
    .option('--map <leg=symbol>', 'the recorded symbol for a leg; repeatable', collect)
    .option(
      '--instruments <file>',
      'CSV with the terms of the recorded instruments; default: instruments.csv beside them, or inferred',
    )
    .option('--max-gap <seconds>', 'silence of the quotes after which nothing is placed', '10')
    .option('--assume-size <amount>', 'size assumed at a price recorded without one');

/** Assumptions about the exchange that no recording contains. */
const addExchangeOptions = (command: Command): Command =>
  command
    .option('--fees <maker,taker>', 'fees as fractions of the value')
    .option(
      '--latency <ms>',
      'from request to answer of the exchange: fixed, or a range from which each is drawn',
      '5-80',
    )
    .option('--seed <text>', 'seed of what is drawn', '1')
    .addOption(
      new Option(
        '--queue <model>',
        'where orders stand in a recorded queue: at arrival, behind all that is shown, or pro-rata to cancels',
      )
        .choices(QUEUE_NAMES)
        .argParser(readQueue)
        .default('arrival'),
    )
    .option(
      '--impact <coefficient,seconds>',
      'own impact on following rows: half-spreads for taking the whole touch, and its half-life; default: none',
    );

/** Where the recording is kept for the next run. */
const addCacheOptions = (command: Command): Command =>
  command
    .option(
      '--cache <folder>',
      'keeps recordings as columns there, for runs after the first; default: .twapd-cache in the folder of recordings',
    )
    .option('--no-cache', 'read the recordings themselves');

/** Values to compare, and how their runs are done. */
const addSweepOptions = (command: Command): Command =>
  command
    .option(
      '--set <field=value>',
      'replaces a field of the submit body; repeatable; with --sweep several values: A,B,C or FROM..TO/STEP',
      collect,
    )
    .option('--sweep', 'run every combination of --set on every window, and compare them')
    .option('--starts <time>', 'with --sweep: start again after each 30m, 1h, 1d of the recording')
    .option(
      '--base <number>',
      'with --sweep: the setting that the others are compared with; default: 1',
    )
    .option(
      '--out <folder>',
      'with --sweep: keeps the runs, so that the same command goes on after an interruption, and their tables; default: sweep',
    )
    .option('--workers <count>', 'with --sweep: runs at a time; default: one per core');

/** What is written and printed at the end. */
const addReportOptions = (command: Command): Command =>
  command
    .option(
      '--report <file>',
      'also write the report on costs that a daemon would make: .html with charts, or .json for report compare; of a sweep .html',
    )
    .option('--json', 'print the report as JSON');

async function perform(file: string, written: WrittenOptions, terminal: Terminal): Promise<void> {
  if (typeof written.cache === 'string') outputFolder({ option: '--cache', name: written.cache });
  const settings = {
    ...inCallersFolder(backtestSettings(written), written),
    deployment: deploymentLimits(written.config),
  };
  if (written.sweep === true) return await sweep(file, { written, settings }, terminal);
  requireNoSweep(written);
  const { body: asWritten, faultOf } = readSubmission(file);
  const body = withFields(asWritten, written.set ?? []);
  const form = portfolioBodySchema.parse(body);
  const name = form.strategy ?? basename(file);
  const write = written.report === undefined ? undefined : reportFile('--report', written.report);
  const progress = new BacktestProgress(terminal, terminal.isLive && written.json !== true);
  const run = await runBacktest(form, settings, {
    recordsCosts: write !== undefined,
    onSurvey: (rows) => progress.note(() => `looking through the recording: ${rows} rows`),
    onProgress: (moment) => progress.note(() => runLine(moment, progress.elapsedMs)),
  }).finally(() => progress.clear());
  if (run.outcome.kind === 'refused') {
    const lines = run.outcome.rejections.map(({ field, message }) =>
      faultText(faultOf(field, message)),
    );
    throw new CommandFailure('refused', [...lines, limitsNote(settings.deployment)]);
  }
  if (write !== undefined && run.costs !== undefined) {
    terminal.complain(`written: ${write({ ...run.costs, strategy: name })}`);
  }
  if (written.json === true) terminal.print(jsonText(plain(name, run, settings)));
  else printBacktest({ name, run, outcome: run.outcome, elapsedMs: progress.elapsedMs }, terminal);
}

interface SweepWritten {
  readonly written: WrittenOptions;
  readonly settings: BacktestSettings;
}

async function sweep(
  file: string,
  { written, settings }: SweepWritten,
  terminal: Terminal,
): Promise<void> {
  const { body } = readSubmission(file);
  const how = {
    title: `Sweep of ${basename(file)}`,
    json: written.json === true,
    workers: workersOf(written.workers),
    report: sweepReport(written.report),
    folder: new CellFolder(written.out ?? 'sweep'),
  };
  const asked = { body, settings, ...sweepSettings(written) };
  await runSweep(await planSweep(asked), how, terminal);
}

const inCallersFolder = (
  settings: BacktestSettings,
  { cache = join(settings.folder, CACHE) }: WrittenOptions,
): BacktestSettings => ({
  ...settings,
  folder: fromCaller(settings.folder),
  instrumentsFile: settings.instrumentsFile && fromCaller(settings.instrumentsFile),
  cache: cache === false ? undefined : fromCaller(cache),
});

function plain(name: string, run: BacktestRun, settings: BacktestSettings): object {
  const { outcome, exchange, files, dataFrom, dataTo, notes } = run;
  if (outcome.kind === 'refused') return { refused: outcome.rejections };
  return {
    strategy: name,
    recording: {
      exchange,
      files,
      from: isoText(dataFrom),
      to: isoText(dataTo),
      rows: outcome.rows,
      maxGapSeconds: settings.holeMs / 1_000,
    },
    model: { latency: settings.latency, queue: settings.queue, impact: settings.impact ?? null },
    ...outcome.report,
    notes,
    traceHash: outcome.traceHash,
  };
}
