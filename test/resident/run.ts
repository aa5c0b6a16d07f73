// The command `npm run resident`: runs residents for the requested time, with a line of progress every ten seconds
// and a table at the end. Exits with 1 if a check failed, 2 if the command line was wrong.
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Arrangement } from './files.ts';
import type { Disturbance } from './house.ts';
import { type Outcome, type Progress, reside } from './resident.ts';

const USAGE = `npm run resident -- [--minutes N] [--exchange own-process|in-daemon|both] [--at-work N] [--transactions N] [--neighbour]
  --minutes       how long it works, all arrangements together (default 3)
  --exchange      where the exchange is (default both, one after the other)
  --at-work       portfolios at work at a time (default 24)
  --transactions  of the ledger that each arrangement passes at least (default 12000)
  --neighbour     somebody else uses up numbers of transactions too`;

const ARRANGEMENTS = ['own-process', 'in-daemon'] as const;
const PROGRESS_MS = 10_000;

class WrongUsage extends Error {}

interface Options {
  readonly minutes: number;
  readonly arrangements: readonly Arrangement[];
  readonly atWork: number;
  readonly transactions: number;
  readonly hasNeighbour: boolean;
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '3' },
      exchange: { type: 'string', default: 'both' },
      'at-work': { type: 'string', default: '24' },
      transactions: { type: 'string', default: '12000' },
      neighbour: { type: 'boolean', default: false },
    },
  });
  const arrangements = ARRANGEMENTS.filter((one) => ['both', one].includes(values.exchange));
  if (arrangements.length === 0) {
    throw new WrongUsage(`--exchange is own-process, in-daemon or both; got "${values.exchange}"`);
  }
  return {
    minutes: count('--minutes', values.minutes),
    arrangements,
    atWork: count('--at-work', values['at-work']),
    transactions: count('--transactions', values.transactions),
    hasNeighbour: values.neighbour,
  };
}

function count(option: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) {
    throw new WrongUsage(`${option} is a whole number from 1 on, got "${text}"`);
  }
  return Number(text);
}

const ROUND: readonly Disturbance[] = [
  'stop daemon',
  'kill daemon',
  'kill exchange',
  'stop daemon',
  'kill both',
];

/** Every few thousand transactions a process is disturbed, until the time has passed. */
function* disturbances(untilMs: number): IterableIterator<readonly [number, Disturbance]> {
  for (let nth = 0; nth === 0 || Date.now() < untilMs; nth += 1) {
    yield [2_000 + nth * 2_500, ROUND[nth % ROUND.length] as Disturbance];
  }
}

async function main(options: Options): Promise<number> {
  const outcomes: [Arrangement, Outcome][] = [];
  const share = (options.minutes * 60_000) / options.arrangements.length;
  for (const arrangement of options.arrangements) {
    const untilMs = Date.now() + share;
    const outcome = await reside({
      arrangement,
      untilMs,
      atWork: options.atWork,
      transactions: options.transactions,
      hasNeighbour: options.hasNeighbour,
      disturbances: disturbances(untilMs),
      onProgress: everySoOften(arrangement),
    });
    outcomes.push([arrangement, outcome]);
  }
  for (const [arrangement, outcome] of outcomes) print(arrangement, outcome);
  return outcomes.some(([, { faults }]) => faults.length > 0) ? 1 : 0;
}

function everySoOften(arrangement: Arrangement): (progress: Progress) => void {
  const startedMs = performance.now();
  let toldMs = startedMs;
  return (progress) => {
    const nowMs = performance.now();
    if (nowMs - toldMs < PROGRESS_MS) return;
    toldMs = nowMs;
    const seconds = Math.round((nowMs - startedMs) / 1_000);
    say(`${arrangement} ${seconds} s: ${lineOf(progress)}`);
  };
}

const lineOf = (progress: Progress): string =>
  `${progress.transactions} transactions, ${progress.over} of ${progress.submitted} portfolios ended, ` +
  `${progress.news} news, ${progress.resyncs} resyncs, ${progress.disturbances} restarts, ` +
  `${progress.memoryMb} MB, ${progress.errors} errors logged, ${progress.processorSec} s of processor`;

function print(arrangement: Arrangement, outcome: Outcome): void {
  say(`\nexchange ${arrangement}: ${lineOf(outcome)}`);
  say(`  ${outcome.trades} trades, ${outcome.watched} portfolios watched to their end`);
  for (const [kind, times] of Object.entries(outcome.kinds)) say(`  ${times} × ${kind}`);
  const acts = Object.entries(outcome.acts).map(([act, times]) => `${act} ${times}`);
  say(`  ${acts.join(', ')}, ${outcome.byHand} manual orders`);
  for (const [what, times] of Object.entries(outcome.refusedByHand)) {
    say(`  ${times} temporary refusals of manual orders: ${what}`);
  }
  if (outcome.faults.length === 0) return say('  all checks passed');
  for (const fault of outcome.faults) say(`  FAULT ${fault}`);
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

// Exiting on a signal runs the exit listeners, which end the started processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  process.exitCode = await main(readOptions(process.argv.slice(2)));
} catch (error) {
  const isUsage =
    error instanceof WrongUsage || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(
    `${isUsage ? `${(error as Error).message}\n${USAGE}` : (error as Error).stack}\n`,
  );
  process.exitCode = 2;
}
