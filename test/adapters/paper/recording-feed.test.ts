import { describe, expect, it } from 'vitest';
import { RecordingFeed } from '../../../src/adapters/paper/journal/recording-feed.ts';
import { openPaperVenue } from '../../../src/adapters/paper/open-paper-venue.ts';
import { RecordedMarket } from '../../../src/exchange/market/recorded-market.ts';
import { quantity, text } from '../../../src/values/amounts.ts';
import { accountId, venueName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { settle } from '../../simulation/settle.ts';
import { NOON, perpetual } from '../../support/engine/markets.ts';

const INSTRUMENT = perpetual();

/** One row per second from `fromSeconds`, in batches of twenty; counts the rows read. */
class Rows {
  read = 0;
  isClosed = false;
  readonly #fromSeconds: number;
  readonly #untilSeconds: number;

  constructor(fromSeconds: number, untilSeconds: number) {
    this.#fromSeconds = fromSeconds;
    this.#untilSeconds = untilSeconds;
  }

  async *batches(): AsyncGenerator<readonly RecordedEvent[]> {
    try {
      for (let second = this.#fromSeconds; second < this.#untilSeconds; second += 20) {
        await Promise.resolve();
        this.read += 20;
        yield Array.from({ length: 20 }, (_, number): RecordedEvent => {
          const at = later(NOON, (second + number) * 1_000);
          const level = (price: number) => [{ price: String(price), amount: '1000' }];
          const bids = level(90_000 + second + number);
          const asks = level(90_001 + second + number);
          return { kind: 'book', symbol: INSTRUMENT.name, at, atUs: at * 1_000, bids, asks };
        });
      }
    } finally {
      this.isClosed = true;
    }
  }
}

async function replay(rows: Rows) {
  const clock = new VirtualClock(NOON);
  const instruments = [{ instrument: INSTRUMENT, recordedStep: quantity('10'), assumedLots: 1 }];
  const market = new RecordedMarket({ instruments, holeMs: 5_000 });
  const faults: unknown[] = [];
  const feed = await RecordingFeed.open({
    clock,
    market,
    rows: rows.batches(),
    onFault: (error) => faults.push(error),
  });
  const venue = openPaperVenue({
    name: venueName('paper'),
    clock,
    accounts: [{ account: accountId('10001') }],
    market: () => market,
  });
  venue.watch(INSTRUMENT.name);
  const bid = (): string | undefined => {
    const at = venue.quote(INSTRUMENT.name)?.bid?.price;
    return at && text(at);
  };
  const pass = (forMs: number) => clock.run(later(clock.now(), forMs), settle);
  return { feed, market, venue, bid, pass, faults };
}

describe('a recording replayed to a running exchange', () => {
  it('the last row before the start is shown, then each row when it is due', async () => {
    const { bid, pass, venue, feed, faults } = await replay(new Rows(-600, 600));
    expect(bid()).toBe('90000');
    let passed = 0;
    for (const second of [1, 2, 3, 60, 300]) {
      await pass((second - passed) * 1_000);
      passed = second;
      expect(bid()).toBe(String(90_000 + second));
    }
    expect(faults).toEqual([]);
    await venue.close();
    await feed.close();
  });

  it('the feed reads no further ahead than necessary', async () => {
    const rows = new Rows(0, 100_000);
    const { market, pass, venue, feed } = await replay(rows);
    for (let minute = 1; minute <= 5; minute += 1) {
      await pass(60_000);
      expect(rows.read).toBeLessThanOrEqual(minute * 60 + 60);
      expect(market.waiting).toBeLessThanOrEqual(60);
    }
    await venue.close();
    await feed.close();
    expect(rows.isClosed).toBe(true);
  });

  it('the book is empty after the last row', async () => {
    const { bid, pass, venue, feed } = await replay(new Rows(0, 40));
    await pass(39_000);
    expect(bid()).toBe('90039');
    await pass(10_000);
    expect(bid()).toBeUndefined();
    await venue.close();
    await feed.close();
  });

  it('a fault of the rows is reported', async () => {
    const rows = new Rows(0, 100);
    const failing = {
      async *batches(): AsyncGenerator<readonly RecordedEvent[]> {
        yield* rows.batches();
        throw new Error('torn');
      },
    };
    const { pass, faults, venue, feed } = await replay(failing as Rows);
    await pass(200_000);
    expect(faults.map(String)).toEqual(['Error: torn']);
    await venue.close();
    await feed.close();
  });
});
