import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { marketSection } from '../../../src/main/config/sections/market-section.ts';
import { rulesSection } from '../../../src/main/config/sections/rules-section.ts';
import type { PaperVenueSection } from '../../../src/main/config/sections/venues-section.ts';
import { type OpenMarket, openMarket } from '../../../src/main/wiring/open-market.ts';
import { text } from '../../../src/values/amounts.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { type Instant, instant, isoText, later } from '../../../src/values/instant.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { RecordingFolder, writeDay } from '../../adapters/recorded-market/recorded-market-files.ts';

const RECORDED_AT = instant(Date.UTC(2021, 6, 1, 9));
const HERE = instant(Date.UTC(2026, 10, 20, 12));
const NAME = instrumentName('BTC-PERPETUAL');

/** One quote per second, each one higher than the last. */
const rowsOf = (symbol: string, seconds: number): readonly RecordedEvent[] =>
  Array.from({ length: seconds }, (_, second) => {
    const at = later(RECORDED_AT, second * 1_000);
    const bids = [{ price: String(30_000 + second), amount: '500' }];
    const asks = [{ price: `${30_000 + second}.5`, amount: '700' }];
    return { kind: 'book', symbol, at, atUs: at * 1_000, bids, asks };
  });

let recordings: RecordingFolder;
let venueFolder: string;
const opened: OpenMarket[] = [];

beforeEach(() => {
  recordings = new RecordingFolder();
  venueFolder = mkdtempSync(join(tmpdir(), 'twapd-venue-'));
});

afterEach(async () => {
  for (const market of opened.splice(0)) await market.close();
  recordings.remove();
  rmSync(venueFolder, { recursive: true, force: true });
});

const section = (market: object): PaperVenueSection => ({
  kind: 'paper',
  seed: 1,
  market: marketSection.parse(market),
  rules: rulesSection.parse({}),
  latencyMs: 0,
  rfqMakers: 5,
  quietWindows: [],
  journalSync: false,
  startingBalances: {},
});

const recorded = (change: object = {}): PaperVenueSection =>
  section({ kind: 'recorded', folder: recordings.path, ...change });

async function open(of: PaperVenueSection, now: Instant = HERE) {
  const faults: unknown[] = [];
  const clock = new VirtualClock(now);
  const onFault = (error: unknown): unknown => faults.push(error);
  const market = await openMarket(of, { clock, folder: venueFolder, onFault, report: onFault });
  opened.push(market);
  return market.market(now);
}

/** The mark price of an instrument that is started at `now`. */
async function bidAt(of: PaperVenueSection, now: Instant): Promise<string | undefined> {
  const commands = (await open(of, now)).start(NAME, now);
  const reference = commands.find(({ kind }) => kind === 'set_reference');
  return reference?.kind === 'set_reference' ? text(reference.mark) : undefined;
}

describe('the market of a paper exchange', () => {
  it('the market is seeded by default', async () => {
    const of = section({ kind: 'seeded' });
    expect(of.market).toEqual(marketSection.parse(undefined));
    const market = await open(of);
    expect(market.instrument(NAME, HERE)).toBeDefined();
  });

  it('at the first start a recording is replayed from its first moment', async () => {
    writeDay(
      recordings,
      { exchange: 'deribit', date: '2021-07-01', symbol: NAME },
      rowsOf(NAME, 120),
    );
    expect(await bidAt(recorded(), HERE)).toBe('30000.25');
  });

  it('after a restart a recording continues at its position, and loops after its end', async () => {
    writeDay(
      recordings,
      { exchange: 'deribit', date: '2021-07-01', symbol: NAME },
      rowsOf(NAME, 120),
    );
    await bidAt(recorded(), HERE);
    expect(await bidAt(recorded(), later(HERE, 30_000))).toBe('30030.25');
    expect(await bidAt(recorded({ speed: 2 }), later(HERE, 30_000))).toBe('30060.25');
    // A pass is 119 seconds and one second of pause.
    expect(await bidAt(recorded(), later(HERE, 4 * 120_000 + 7_000))).toBe('30007.25');
    expect(await bidAt(recorded({ atEnd: 'stop' }), later(HERE, 4 * 120_000))).toBeUndefined();
  });

  it('an instrument that expires in the recording expires after the same time here', async () => {
    const future = 'BTC-2JUL21';
    const rows = rowsOf(future, 60).map((row) => ({ ...row, symbol: future }));
    writeDay(recordings, { exchange: 'deribit', date: '2021-07-01', symbol: future }, rows);
    const market = await open(recorded());
    const { expiresAt } = market.instrument(instrumentName(future), HERE) ?? {};
    // 08:00 the next day is 23 hours after nine o'clock.
    expect(expiresAt && isoText(expiresAt)).toBe('2026-11-21T11:00:00.000Z');
  });

  it('symbols are read from a file of many symbols, as tardis.dev groups them', async () => {
    const rows = [NAME, 'ETH-PERPETUAL'].flatMap((symbol) =>
      rowsOf(NAME, 20).map((row) => ({ ...row, symbol })),
    );
    rows.sort((a, b) => a.atUs - b.atUs);
    writeDay(recordings, { exchange: 'deribit', date: '2021-07-01', symbol: 'PERPETUALS' }, rows);
    expect(await bidAt(recorded({ symbols: [NAME] }), HERE)).toBe('30000.25');
  });

  it('an option without the price of its underlying is refused at the start: nothing values or settles it', async () => {
    const option = 'BTC-2JUL21-30000-C';
    const rows = rowsOf(option, 60).map((row) => ({ ...row, symbol: option }));
    writeDay(recordings, { exchange: 'deribit', date: '2021-07-01', symbol: option }, rows);
    await expect(open(recorded())).rejects.toThrow(
      `has no index price of ${option}; accepted: options with underlying_price, in a file of type options_chain`,
    );
    expect(existsSync(join(venueFolder, 'recording.json'))).toBe(false);
  });

  it.each([
    ['a missing folder', { folder: '/nowhere/at/all' }, /cannot be read \(ENOENT\)/],
    [
      'a symbol without quotes',
      { symbols: ['BTC-PERPETUAL', 'X'] },
      /no quotes of X; quoted are BTC-PERPETUAL/,
    ],
    ['an unrecorded exchange', { exchange: 'kraken' }, /holds no recording of kraken/],
  ])('a recording with %s is refused at the start', async (_what, change, message) => {
    writeDay(
      recordings,
      { exchange: 'deribit', date: '2021-07-01', symbol: NAME },
      rowsOf(NAME, 20),
    );
    await expect(open(recorded(change))).rejects.toThrow(message);
    expect(existsSync(join(venueFolder, 'recording.json'))).toBe(false);
  });

  it('a recording with a bad row is refused at the start, with file and line', async () => {
    recordings.write('deribit_quotes_2021-07-01_BTC-PERPETUAL.csv', [
      'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
      'deribit,BTC-PERPETUAL,1625130000000000,1625130000000000,10,30001,30000,10',
      'deribit,BTC-PERPETUAL,1625130001000000,1625130001000000,10,thirty,30000,10',
    ]);
    await expect(open(recorded())).rejects.toThrow(/csv:3: ask_price is "thirty"/);
  });

  it('a recording of several exchanges is refused unless one is named', async () => {
    for (const exchange of ['deribit', 'bitmex']) {
      writeDay(recordings, { exchange, date: '2021-07-01', symbol: NAME }, rowsOf(NAME, 20));
    }
    await expect(open(recorded())).rejects.toThrow(
      /recordings of bitmex, deribit; accepted: say which/,
    );
    expect(await bidAt(recorded({ exchange: 'bitmex' }), HERE)).toBe('30000.25');
  });

  it('an exchange is refused another market than the one it has traded on', async () => {
    writeDay(
      recordings,
      { exchange: 'deribit', date: '2021-07-01', symbol: NAME },
      rowsOf(NAME, 20),
    );
    await open(recorded());
    await expect(open(section({ kind: 'seeded' }))).rejects.toThrow(/has traded on the recording/);
    rmSync(join(venueFolder, 'recording.json'));
    writeFileSync(join(venueFolder, 'journal.jsonl'), '');
    await expect(open(recorded())).rejects.toThrow(/has traded on a seeded market/);
    await expect(open(section({ kind: 'seeded' }))).resolves.toBeDefined();
  });
});
