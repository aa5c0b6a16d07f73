// `twapd record`: a real process that is killed and continues, and a folder that `backtest` replays.
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { readGaps } from '../../../src/adapters/recorded-market/gaps-file.ts';
import { readRecording } from '../../../src/adapters/recorded-market/read-recording.ts';
import { recordingFiles } from '../../../src/adapters/recorded-market/recording-files.ts';
import { statusWords } from '../../../src/main/commands/record/record-progress.ts';
import { flowed, widthOf } from '../../../src/main/commands/terminal/fitted-lines.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import { inOrder } from '../../support/in-order.ts';
import { type Ran, twapd } from '../cli-world.ts';
import { warmCli } from '../warm-cli.ts';

inOrder();

const scratch = mkdtempSync(join(tmpdir(), 'twapd-record-'));
const folder = join(scratch, 'recording');
const RECORD = ['record', '--instruments', 'BTC-PERPETUAL,BTC-*-100000-C', '--to', folder];

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

interface Noted {
  readonly recording: {
    readonly state: string;
    readonly recordedUntil: number;
    readonly rows: Readonly<Record<string, number>>;
  };
}

const note = (): Noted => JSON.parse(readFileSync(join(folder, 'RECORDING.json'), 'utf8')) as Noted;

const noted = (): number => {
  if (!existsSync(join(folder, 'RECORDING.json'))) return 0;
  const { trades = 0, quotes = 0 } = note().recording.rows;
  return trades > 0 ? quotes : 0;
};

/** Without those that only say how slow this machine was. */
const exactGaps = async () => (await readGaps(folder)).filter(({ reason }) => reason !== 'slow');

async function eventsOf(type: string): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (const file of recordingFiles(folder).filter((each) => each.type === type)) {
    for await (const batch of readRecording(file, { isWanted: () => true })) events.push(...batch);
  }
  return events;
}

const linesOf = (type: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.includes(`_${type}_`))
    .flatMap((name) =>
      gunzipSync(readFileSync(join(folder, name)))
        .toString()
        .split('\n'),
    )
    .filter((line) => line !== '' && !line.startsWith('exchange,'));

interface Recorder {
  readonly ended: Promise<Ran>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

function recorder(words: readonly string[] = RECORD): Recorder {
  let child: ChildProcess | undefined;
  const ended = twapd(words, {
    onStart: (started) => {
      child = started;
    },
  });
  return { ended, kill: (signal) => child?.kill(signal) };
}

/** Records until `isEnough`, then sends the signal. */
async function recordUntil(isEnough: () => boolean, signal: NodeJS.Signals): Promise<Ran> {
  const { ended, kill } = recorder();
  await expect.poll(isEnough, { timeout: 90_000 }).toBe(true);
  kill(signal);
  return await ended;
}

const strategyFile = (): string => {
  const path = join(scratch, 'buy.yaml');
  const lines = [
    'name: buy',
    'portfolio:',
    '  accountId: 10001',
    '  portfolioType: TWAP',
    '  twapTrade: { durationSec: 10, frequencySec: 2 }',
    '  legs:',
    '    - instrument: BTC-PERPETUAL',
    '      instrumentType: PERPETUAL',
    '      side: 1',
    '      quantity: "1000"',
    '      priceOptions: { priceType: MARKET }',
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
};

describe('recording in a process of its own', () => {
  test('after a kill the recording continues: readable, with the gap shown and no row twice', async () => {
    const killed = await recordUntil(() => noted() > 0, 'SIGKILL');
    expect(killed.code).not.toBe(0);
    const before = note().recording;
    expect(before.state).toBe('recording');

    const seen = noted();
    const second = await recordUntil(() => noted() > seen + 50, 'SIGTERM');
    expect(second).toMatchObject({ code: 0 });
    expect(second.out).toContain(`in ${folder}`);
    expect(second.err).toContain('rows/s');

    const after = note().recording;
    expect(after.state).toBe('stopped');
    const counted = { ...after.rows };
    for (const type of Object.keys(counted)) {
      const lines = linesOf(type);
      expect(lines.length, type).toBe(counted[type]);
      expect(new Set(lines).size, type).toBe(lines.length);
    }
    expect((await eventsOf('trades')).length).toBe(counted['trades']);

    const [start, kill, ...others] = await exactGaps();
    expect(others).toEqual([]);
    expect(start).toMatchObject({ symbol: '*', reason: 'not_started' });
    expect(kill).toMatchObject({
      symbol: '*',
      reason: 'killed',
      from: before.recordedUntil / 1_000,
    });
    const books = await eventsOf('book_snapshot_25');
    const inGap = books.filter(({ at }) => at > (kill?.from ?? 0) && at < (kill?.to ?? 0));
    expect(inGap).toEqual([]);
    expect(books.some(({ at }) => at < (kill?.from ?? 0))).toBe(true);
    expect(books.some(({ at }) => at >= (kill?.to ?? 0))).toBe(true);
  }, 360_000);

  test('a backtest replays the recorded trades, quotes and books, and names the gap', async () => {
    const ran = await warmCli.run(['backtest', strategyFile(), '--data', folder, '--json']);
    expect(ran).toMatchObject({ code: 0, err: '' });
    const report = JSON.parse(ran.out);
    expect(report.recording.exchange).toBe('paper');
    expect(report.recording.rows).toBeGreaterThan(5);
    const notes: string = report.notes.join('\n');
    expect(notes).not.toContain('BTC-PERPETUAL: read as');
    expect(notes).toContain('the recording of everything has a gap of');
    expect(notes).toContain('killed, ended without a last commit');
    expect(report.legs[0].instrument).toBe('BTC-PERPETUAL');
    const { code, out } = await warmCli.run(['backtest', strategyFile(), '--data', folder]);
    expect(code).toBe(0);
    expect(out).toContain('BUY BTC-PERPETUAL');
  });

  test('a folder is recorded into by one process at a time', async () => {
    const words = [...RECORD, '--for', '60s'];
    const both = [recorder(words), recorder(words)];
    const refused = await Promise.race(both.map(({ ended }) => ended));
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('in use by the recorder');
    await expect.poll(() => note().recording.state).toBe('recording');
    for (const { kill } of both) kill('SIGTERM');
    const codes = (await Promise.all(both.map(({ ended }) => ended))).map(({ code }) => code);
    expect(codes.toSorted()).toEqual([0, 1]);
  }, 240_000);

  test('the summary as JSON counts rows, bytes and gaps', async () => {
    const before = (await readGaps(folder)).length;
    const ran = await twapd([...RECORD, '--for', '2s', '--json', '--kinds', 'quotes']);
    expect(ran.code).toBe(0);
    const summary = JSON.parse(ran.out);
    const gaps = (await readGaps(folder)).length - before;
    expect(gaps).toBeGreaterThanOrEqual(1);
    expect(summary).toMatchObject({ venue: 'paper', exchange: 'paper', gaps, lost: 0, folder });
    expect(Object.keys(summary.rows)).toEqual(['quotes']);
    expect(summary.bytes).toBeGreaterThan(100);
  });
});

describe('what record refuses', () => {
  const refusals: readonly (readonly [words: readonly string[], code: number, fault: string])[] = [
    [['--kinds', 'trade'], 2, '--kinds is "trade"; accepted: some of trades,quotes'],
    [['--instruments', 'BTC PERP'], 2, '--instruments is "BTC PERP"; accepted: names with *'],
    [['--for', '2x'], 2, '--for is "2x"; accepted: a time such as 30s'],
    [['--every', '1'], 2, '--every is "1"; accepted: whole milliseconds from 50'],
    [['--venue', 'moon'], 2, '--venue is "moon"; accepted: one of the venues of config/paper.yaml'],
    [['--exchange', 'My Venue'], 2, '--exchange is "My Venue"; accepted: lower-case letters'],
    [['--instruments', 'DOGE-*'], 1, 'no listed instrument has trades'],
    [['--exchange', 'other'], 1, 'has a recording of venue paper as paper'],
  ];
  test.each(refusals)('record %j ends with code %i', async (words, code, fault) => {
    const ran = await warmCli.run([...RECORD, '--for', '1s', ...words]);
    expect(ran.err).toContain(fault);
    expect(ran.code).toBe(code);
  });
});

describe('the status of a recording', () => {
  const counts = {
    rows: { trades: 1_204, quotes: 33_000, book_snapshot_25: 34_000, options_chain: 812_000 },
    bytes: 12_345_678,
    gaps: 3,
    openGaps: 1,
    lost: 17,
    instruments: 341,
    doubles: 2,
  };

  test.each([44, 80, 140])('the status fits into %i columns with every word whole', (columns) => {
    const words = statusWords(counts, { elapsedMs: 3_724_000, perSecond: 787 });
    const lines = flowed(words, { gap: '  ', columns, linesMax: 6 });
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
    for (const word of words) expect(lines.join('\n')).toContain(word);
    expect(words).toContain('01:02:04');
    expect(words).toContain('12.3 MB');
  });
});
