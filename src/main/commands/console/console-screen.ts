// The lines at the bottom of the terminal that `start` redraws: one per portfolio at work, one for the deployment, one for the
// keys. Never wider than the terminal.
import type { Traded } from '../../../gateway/page/hello-record.ts';
import { CLI_NAME } from '../../cli-name.ts';
import { cut, firstFitting, flowed } from '../terminal/fitted-lines.ts';
import { paint } from '../terminal/paint.ts';
import type { TopReading } from '../watch/top-reading.ts';
import { deploymentWords, type TopScreen, tableLines } from '../watch/top-screen.ts';

export interface ConsoleScreen extends TopScreen {
  readonly isLogShown: boolean;
}

const PORTFOLIOS_MAX = 8;
/** For the head of the table, the portfolios not shown, deployment, notice, keys, and something of what is kept above. */
const ROWS_BESIDES = 8;

/** Lines without line ends. */
export function consoleLines(
  reading: TopReading | undefined,
  screen: ConsoleScreen,
): readonly string[] {
  const { columns, notice } = screen;
  const told = notice === undefined ? [] : [paint.yellow(notice)];
  const lines = [
    ...(reading === undefined ? [] : portfolioLines(reading, screen)),
    deploymentLine(reading, screen),
    ...told,
    keysLine(screen),
  ];
  return lines.map((line) => cut(line, columns));
}

function portfolioLines(reading: TopReading, screen: ConsoleScreen): readonly string[] {
  const room = Math.max(1, Math.min(PORTFOLIOS_MAX, screen.rows - ROWS_BESIDES));
  const shown = reading.portfolios.slice(0, room);
  const more = reading.total - shown.length;
  if (shown.length === 0 && more === 0) return [];
  const rest = more > 0 ? [paint.dim(`… and ${more} more: ${CLI_NAME} top`)] : [];
  return [...tableLines(shown, screen), ...rest];
}

/** What is unknown is not shown as it last was without saying so. */
function deploymentLine(reading: TopReading | undefined, screen: ConsoleScreen): string {
  const { columns, notice, noticeState = 'away' } = screen;
  if (reading === undefined) return paint.dim(notice === undefined ? 'reading …' : 'state unknown');
  const state =
    notice === undefined ? readyWord(reading) : paint.yellow(`${noticeState}, last seen`);
  const [line = ''] = flowed([state, ...deploymentWords(reading)], {
    gap: '  ',
    columns,
    linesMax: 1,
  });
  return line;
}

const readyWord = ({ ready, reasons }: TopReading): string =>
  ready ? paint.green('● ready') : paint.red(`● not ready: ${reasons.join('; ')}`);

function keysLine({ columns, isLogShown }: ConsoleScreen): string {
  const log = isLogShown ? 'l hide the log' : 'l show the log';
  return paint.dim(
    firstFitting([`q stop   o open the page   ${log}`, `q stop  o page  l log`, 'q stop'], columns),
  );
}

/** A second press within this time is meant. */
const QUIT_MS = 3_000;
export const QUIT_AGAIN = 'real money is traded: q again within 3 s stops the daemon';

/** One key pressed by mistake does not stop what trades real money. */
export const isQuitMeant = (
  money: Traded['money'],
  beforeMs: number | undefined,
  nowMs: number,
): boolean => money !== 'live' || (beforeMs !== undefined && nowMs - beforeMs <= QUIT_MS);

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Each frame of the wheel is shown for so long. */
const FRAME_MS = 200;

/** One line about an operation in progress: a start, a stop. */
export function progressLine(what: string, passedMs: number, columns: number): string {
  const frame = FRAMES[Math.floor(passedMs / FRAME_MS) % FRAMES.length] ?? '';
  return cut(
    `${paint.cyan(frame)} ${what} ${paint.dim(`${Math.floor(passedMs / 1_000)} s`)}`,
    columns,
  );
}
