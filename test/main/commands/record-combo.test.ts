// `twapd record` of two futures in a process of its own, and a backtest of their spread as one combo over what was recorded.
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readRecording } from '../../../src/adapters/recorded-market/read-recording.ts';
import { recordingFiles } from '../../../src/adapters/recorded-market/recording-files.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import { must } from '../../../src/values/assert.ts';
import { DAY_MS, instant } from '../../../src/values/instant.ts';
import type { RecordedBook } from '../../../src/values/recorded-event.ts';
import { twapd } from '../cli-world.ts';
import { warmCli } from '../warm-cli.ts';

const NEAR = 'BTC-PERPETUAL';
/** Two a second: more than the ten seconds of the portfolio. */
const ROWS = 28;
const scratch = mkdtempSync(join(tmpdir(), 'twapd-record-combo-'));
const folder = join(scratch, 'recording');

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

/** A future of the paper market that does not expire soon. */
function datedFuture(): string {
  const now = instant(Date.now());
  const listed = seededMarket({ seed: '1', startAt: now }).instruments(now);
  const later = listed.find(
    ({ kind, base, expiresAt = 0 }) =>
      kind === 'future' && base === 'BTC' && expiresAt > now + 30 * DAY_MS,
  );
  return must(later, 'a dated future').name;
}

const rowsOf = (): number => {
  const path = join(folder, 'RECORDING.json');
  if (!existsSync(path)) return 0;
  return JSON.parse(readFileSync(path, 'utf8')).recording.rows.quotes ?? 0;
};

async function record(instruments: string): Promise<void> {
  let child: ChildProcess | undefined;
  const words = [
    'record',
    '--instruments',
    instruments,
    '--kinds',
    'quotes,trades',
    '--to',
    folder,
  ];
  const ended = twapd(words, {
    onStart: (started) => {
      child = started;
    },
  });
  await expect.poll(rowsOf, { timeout: 120_000 }).toBeGreaterThan(ROWS);
  child?.kill('SIGTERM');
  expect((await ended).code).toBe(0);
}

/** Whole tenths: prices of both futures are multiples of half a dollar. */
const tenths = (digits: string): number => Math.round(Number(digits) * 10);

/** What the spread was offered at, after each row of a leg. */
async function offers(far: string): Promise<ReadonlySet<number>> {
  const rows: RecordedBook[] = [];
  for (const file of recordingFiles(folder).filter(({ type }) => type === 'quotes')) {
    for await (const batch of readRecording(file, { isWanted: () => true })) {
      for (const row of batch) if (row.kind === 'book') rows.push(row);
    }
  }
  const found = new Set<number>();
  let [ask, bid] = [Number.NaN, Number.NaN];
  for (const row of rows.sort((a, b) => a.atUs - b.atUs)) {
    if (row.symbol === far) ask = tenths(row.asks[0]?.price ?? '');
    else bid = tenths(row.bids[0]?.price ?? '');
    found.add(ask - bid);
  }
  return found;
}

test('a spread of two recorded futures is bought at the offer of one less the bid of the other', async () => {
  const far = datedFuture();
  await record(`${NEAR},${far}`);
  const combo = `BTC-FS-${far.slice('BTC-'.length)}_PERP`;
  const file = join(scratch, 'spread.json');
  const leg = { instrument: combo, instrumentType: 'FUTURE_COMBO', side: 1, quantity: '10' };
  const body = {
    accountId: 10001,
    portfolioType: 'TWAP',
    twapTrade: { durationSec: 10, frequencySec: 10 },
    legs: [{ ...leg, priceOptions: { priceType: 'MARKET' } }],
  };
  writeFileSync(file, JSON.stringify(body));
  const words = ['backtest', file, '--data', folder, '--latency', '0', '--json'];
  const { code, out, err } = await warmCli.run(words);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const { status, legs, notes } = JSON.parse(out);
  expect(status).toBe('filled');
  expect(legs[0]).toMatchObject({ instrument: combo, filled: '10', fills: 1, takerShare: 1 });
  expect(await offers(far)).toContain(tenths(legs[0].averagePrice));
  expect(notes.join('\n')).toContain(`${combo}: its book is not recorded`);
}, 360_000);
