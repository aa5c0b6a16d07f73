// `check [FILE…]`: reads configuration and strategies as the daemon would, asks a running one about instruments, sizes and
// limits, and explains every fault.

import { instant } from '../../../values/instant.ts';
import { printable } from '../../../values/printable.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { CommandFailure } from '../../command-failure.ts';
import { type Fault, faultText, inOrder } from '../../fault.ts';
import { fromCaller } from '../caller-path.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { type ConnectionOptions, withConnection } from '../daemon-client.ts';
import { paint } from '../terminal/paint.ts';
import { type SheetColumn, sheetTable } from '../terminal/sheet.ts';
import { textColumn } from '../terminal/sheet-columns.ts';
import { type AskDaemon, type Asked, askDaemon, notAsked } from './ask-daemon.ts';
import {
  type CheckedConfig,
  type CheckedFile,
  checkConfig,
  checkFolder,
  checkPath,
} from './checked-file.ts';

interface Options extends ConnectionOptions {
  readonly strategies?: string;
  readonly offline?: boolean;
}

type Row = CheckedFile & {
  /** Absent for a file that submits nothing, or has faults without a daemon. */
  readonly asked?: Asked | undefined;
  /** What stands against it as the market is now. */
  readonly objections: readonly Fault[];
};

interface Findings {
  readonly rows: readonly Row[];
  /** Secrets that this environment lacks, which is not a fault of the files. */
  readonly notes: readonly Fault[];
}

export const addCheck: AddCommand = (program, terminal) => {
  withConnection(program.command('check'))
    .argument(
      '[file...]',
      'strategies, submit bodies, configurations, holidays, or folders of them (default: the configuration and its strategies)',
    )
    .option('-s, --strategies <folder>', 'folder of strategies (default: that of the config)')
    .option('--offline', 'ask no daemon')
    .option('--json', 'print the findings as JSON')
    .action(async (paths: readonly string[], options: Options) => {
      const findings = await examine(paths, options);
      const faults = findings.rows.flatMap((row) => row.faults);
      if (options.json) terminal.print(jsonText(plain(findings, options)));
      else print(findings, terminal);
      if (faults.length > 0) throw new CommandFailure('refused', []);
      const silent = findings.rows.flatMap((row) => reasonOf(row) ?? []);
      if (options.url !== undefined && silent[0]?.startsWith(NO_ANSWER)) {
        throw new CommandFailure('unreachable', []);
      }
    });
};

const NO_ANSWER = 'no daemon answers';
const ASKED_ABOUT = 'instruments, sizes and limits';

async function examine(paths: readonly string[], options: Options): Promise<Findings> {
  const own = checkConfig(fromCaller(options.config));
  const known = { config: own.config, now: instant(Date.now()) };
  const named = paths.flatMap((path) => checkPath(fromCaller(path), known));
  const isOwnShown = paths.length === 0 || own.file.faults.length > 0;
  const folder =
    options.strategies ?? (paths.length > 0 ? undefined : own.config?.service.strategies);
  const files = [
    ...(isOwnShown ? [own.file] : []),
    ...named,
    ...(folder === undefined ? [] : checkFolder(folder, known)),
  ];
  const ask = askWith(options, own);
  const rows: Row[] = [];
  for (const file of files) rows.push(await completed(file, ask));
  return { rows, notes: isOwnShown ? own.notes : [] };
}

function askWith(options: Options, { config, file }: CheckedConfig): AskDaemon {
  if (options.offline) return () => Promise.resolve(notAsked('--offline'));
  if (config === undefined) return () => Promise.resolve(notAsked(`${file.path} has faults`));
  return askDaemon(options, config);
}

/** The daemon names the nearest instruments, so its word about a field takes the place of ours. */
async function completed(file: CheckedFile, judge: AskDaemon): Promise<Row> {
  if (file.submission === undefined) return { ...file, objections: [] };
  const asked = await judge(file.submission);
  if (asked.kind === 'not asked') return { ...file, asked, objections: [] };
  const answered = new Set(asked.faults.map(({ field }) => field));
  const others = file.faults.filter(({ field }) => !answered.has(field));
  const faults = inOrder([...others, ...asked.faults]);
  return { ...file, asked, faults, objections: asked.notes };
}

function print({ rows, notes }: Findings, terminal: Terminal): void {
  const faults = rows.flatMap((row) => row.faults);
  if (rows.length > 0) terminal.print(sheetTable(COLUMNS, rows, terminal.columns()));
  for (const note of notes) terminal.print(`${paint.yellow('•')} ${faultText(note)}`);
  for (const note of rows.flatMap((row) => row.objections)) {
    terminal.print(`${paint.yellow('•')} ${faultText(note)} (as things are now)`);
  }
  for (const [why, count] of unasked(rows)) {
    const files = counted(count, 'file');
    terminal.print(paint.dim(`not checked: ${ASKED_ABOUT} of ${files} (${printable(why)})`));
  }
  for (const fault of faults) terminal.complain(`${paint.red('✗')} ${faultText(fault)}`);
  if (faults.length > 0) {
    terminal.complain(counted(faults.length, 'fault'));
  }
}

const reasonOf = ({ asked }: Row): string | undefined =>
  asked?.kind === 'not asked' ? asked.why : undefined;

/** Why the daemon was not asked, with the number of files it was not asked about. */
function unasked(rows: readonly Row[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const why of rows.flatMap((row) => reasonOf(row) ?? [])) {
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  return counts;
}

const mark = ({ faults }: Row): string => (faults.length > 0 ? '✗' : '✓');
const painted = ({ faults }: Row): string =>
  faults.length > 0 ? paint.red('✗') : paint.green('✓');

const COLUMNS: readonly SheetColumn<Row>[] = [
  {
    ...textColumn<Row>(['file', 'file', 0], (row) => `${mark(row)} ${row.path}`),
    shown: (row) => `${painted(row)} ${printable(row.path)}`,
  },
  textColumn(['kind', 'kind', 4], ({ kind }) => kind),
  textColumn(['faults', 'faults', 1], ({ faults }) => String(faults.length)),
  textColumn(['daemon', 'daemon', 2], ({ asked }) =>
    asked?.kind === 'answered' ? 'asked' : asked && 'not asked',
  ),
  textColumn(['about', 'about', 3], ({ about, faults }) => (faults.length > 0 ? '' : about)),
];

function plain({ rows, notes }: Findings, options: Options): object {
  const faults = rows.flatMap((row) => row.faults);
  const strategies = rows.flatMap(({ path, strategy }) =>
    strategy === undefined ? [] : [{ name: strategy.name, path, enabled: strategy.enabled }],
  );
  return {
    config: options.config,
    ok: faults.length === 0,
    files: rows.map((row) => ({
      path: row.path,
      kind: row.kind,
      about: row.about,
      faults: row.faults.length,
      asked: row.asked?.kind === 'answered',
      notAsked: reasonOf(row),
    })),
    strategies,
    faults,
    objections: rows.flatMap((row) => row.objections),
    notes,
  };
}
