import { describe, expect, it } from 'vitest';
import { SessionClock } from '../../../src/adapters/paper/journal/session-clock.ts';
import { compareBooks } from '../../../src/core/books/compare-books.ts';
import type { Reply } from '../../../src/ports/trading-desk.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency } from '../../../src/values/ids.ts';
import {
  DAY_MS,
  HOUR_MS,
  type Instant,
  later,
  MINUTE_MS,
  SECOND_MS,
  utcInstant,
} from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { keyOf } from '../../support/engine/venue-records.ts';
import { ACCOUNT, anOrder, BTC, MemoryStore, type PaperStage, paperStage } from './paper-stage.ts';

const EIGHT: Instant = utcInstant({ year: 2026, month: 11, day: 20, hour: 8 });

/** A minute before the settlement, unless another time is given. */
const stageAt = (at = later(EIGHT, -MINUTE_MS), options: Parameters<typeof paperStage>[0] = {}) =>
  paperStage(options, new VirtualClock(at));

function replied<T>(reply: Reply<T>): T {
  if (reply.kind === 'done') return reply.value;
  throw new Error(JSON.stringify(reply));
}

async function bought({ venue }: PaperStage, amount = '100000'): Promise<void> {
  const unwatch = venue.watch(BTC);
  const ask = must(must(venue.quote(BTC), 'a quote').ask, 'an ask').price;
  const answer = await venue.place(
    anOrder(venue, {
      quantity: quantity(amount),
      price: price(`${Math.ceil(Number(ask) * 1.01)}`),
    }),
  );
  expect(answer).toMatchObject({ kind: 'done', value: { order: { state: 'filled' } } });
  unwatch();
}

const summaryOf = async ({ venue }: PaperStage) =>
  replied(await venue.summary(ACCOUNT, currency('BTC')));

describe('the settlement of a running paper exchange', () => {
  it('every book pauses for five seconds and continues with its resting orders', async () => {
    const stage = stageAt();
    const { venue } = stage;
    venue.watch(BTC);
    const resting = anOrder(venue);
    await venue.place(resting);
    await stage.pass(MINUTE_MS);
    const quoted = venue.quote(BTC);
    await stage.pass(4_900);
    expect(await venue.place(anOrder(venue))).toMatchObject({
      kind: 'refused',
      code: 10041,
      class: 'later',
    });
    expect(await venue.cancel({ account: ACCOUNT, of: keyOf(resting) })).toMatchObject({
      kind: 'refused',
      code: 10041,
    });
    expect((await venue.market.ticker(BTC))?.state).toBe('settlement');
    // Nothing moves during a pause, so a quote keeps its old time.
    expect(venue.quote(BTC)).toEqual(quoted);
    await stage.pass(200);
    expect((await venue.market.ticker(BTC))?.state).toBe('open');
    expect(await venue.cancel({ account: ACCOUNT, of: keyOf(resting) })).toMatchObject({
      kind: 'done',
    });
    await stage.pass(500);
    expect(must(venue.quote(BTC), 'a quote').seenAt).toBeGreaterThan(later(EIGHT, 5_000));
  });

  it('the pause has the configured length', async () => {
    const stage = stageAt(later(EIGHT, -SECOND_MS), { settlementPauseMs: 0 });
    stage.venue.watch(BTC);
    await stage.pass(SECOND_MS);
    expect(await stage.venue.place(anOrder(stage.venue))).toMatchObject({ kind: 'done' });
  });

  it('positions in unwatched books are marked, and paid with their funding', async () => {
    const stage = stageAt(later(EIGHT, -5 * HOUR_MS));
    await bought(stage);
    const before = await summaryOf(stage);
    await stage.pass(5 * HOUR_MS + 6 * SECOND_MS);
    const after = await summaryOf(stage);
    const [held] = replied(await stage.venue.positions({ account: ACCOUNT }));
    const { settlementPrice, averagePrice } = must(held, 'a position');
    const settled = must(settlementPrice, 'a settlement price');
    // A long of 100 000 USD: the profit from entry to settlement is now cash, and so is the funding.
    const won = 100_000 / Number(averagePrice) - 100_000 / Number(settled);
    const span = { from: later(EIGHT, -HOUR_MS), until: later(EIGHT, HOUR_MS), count: 10 };
    const log = { ...span, account: ACCOUNT, currency: currency('BTC') };
    const { transactions } = replied(await stage.venue.transactions(log));
    const [settlement] = transactions.filter(({ type }) => type === 'settlement');
    const funding = Number(must(settlement?.funding, 'funding'));
    expect(funding).not.toBe(0);
    const moved = Number(text(after.balance)) - Number(text(before.balance));
    expect(moved).toBeCloseTo(won + funding, 7);
    expect(Math.abs(Number(text(after.sessionUnrealised)))).toBeLessThan(Math.abs(won));
  });
});

describe('a paper exchange that was down during a settlement', () => {
  it('each missed settlement is made up for as of 08:00, once per day, without a pause afterwards', async () => {
    const store = new MemoryStore();
    const first = stageAt(later(EIGHT, -HOUR_MS), { journal: { store } });
    await bought(first);
    const day = anOrder(first.venue, { timeInForce: 'good_til_day' as never });
    await first.venue.place(day);
    const cash = (await summaryOf(first)).balance;
    await first.venue.close();
    await first.pass(2 * DAY_MS + 3 * HOUR_MS);

    const second = paperStage({ journal: { store } }, first.clock);
    expect(await second.venue.reconcile(day)).toMatchObject({
      value: { orders: [{ state: 'cancelled', cancelReason: 'settlement', updatedAt: EIGHT }] },
    });
    expect(text((await summaryOf(second)).balance)).not.toBe(text(cash));
    expect(await second.venue.place(anOrder(second.venue))).toMatchObject({ kind: 'done' });
    // A line has a checksum of eight digits, a blank and the events of a command.
    const events = store.text
      .split('\n')
      .filter((line) => line.includes('"day_settled"'))
      .flatMap((line) => JSON.parse(line.slice(9)) as { kind: string; at: number }[]);
    const times = events.flatMap((event) => (event.kind === 'day_settled' ? [event.at] : []));
    expect(times).toEqual([EIGHT, later(EIGHT, DAY_MS), later(EIGHT, 2 * DAY_MS)]);

    // A third process does not settle again.
    await second.venue.close();
    const balance = async (stage: PaperStage) => text((await summaryOf(stage)).balance);
    const third = paperStage({ journal: { store } }, first.clock);
    expect(await balance(third)).toBe(
      await balance(paperStage({ journal: { store } }, first.clock)),
    );
  });

  it('an exchange killed during the pause continues it until its end', async () => {
    const store = new MemoryStore();
    const first = stageAt(later(EIGHT, -SECOND_MS), { journal: { store } });
    first.venue.watch(BTC);
    const resting = anOrder(first.venue);
    await first.venue.place(resting);
    await first.pass(3 * SECOND_MS);
    const killed = new MemoryStore();
    killed.parts = store.parts;
    const second = paperStage({ journal: { store: killed } }, first.clock);
    second.venue.watch(BTC);
    expect(await second.venue.cancel({ account: ACCOUNT, of: keyOf(resting) })).toMatchObject({
      code: 10041,
    });
    await second.pass(3_500);
    expect(await second.venue.cancel({ account: ACCOUNT, of: keyOf(resting) })).toMatchObject({
      kind: 'done',
    });
    expect(second.venue.quote(BTC)).toBeDefined();
  });

  it('order and trade history is available after the restart', async () => {
    const store = new MemoryStore();
    const first = stageAt(later(EIGHT, -HOUR_MS), { journal: { store } });
    await bought(first);
    await first.venue.close();
    await first.pass(3 * DAY_MS);
    const second = paperStage({ journal: { store } }, first.clock);
    const query = { account: ACCOUNT, count: 10, offset: 0, includeUnfilled: false };
    const historyOf = async (historical: boolean, includeOld: boolean) =>
      replied(await second.venue.orderHistory({ ...query, historical, includeOld })).orders;
    expect(await historyOf(false, true)).toEqual([]);
    expect(await historyOf(true, false)).toEqual([]);
    expect(await historyOf(true, true)).toHaveLength(1);
    const trades = { account: ACCOUNT, count: 10, sorting: 'desc', historical: true } as const;
    expect(replied(await second.venue.trades(trades)).trades.length).toBeGreaterThan(0);
  });
});

/** What the account has and what its log says, from an hour before the expiry on. */
async function recordOf({ venue, clock }: PaperStage) {
  const window = { from: later(EIGHT, -HOUR_MS), until: clock.now(), count: 100 };
  const query = { ...window, account: ACCOUNT, currency: currency('BTC') };
  const { transactions } = replied(await venue.transactions(query));
  const positions = replied(await venue.positions({ account: ACCOUNT }));
  const { balance } = replied(await venue.summary(ACCOUNT, currency('BTC')));
  return JSON.parse(JSON.stringify({ transactions, positions, balance }));
}

/** Buys or sells at the best price. */
async function taken(
  { venue, pass }: PaperStage,
  { instrument, side, amount }: { instrument: Instrument; side: 'buy' | 'sell'; amount: string },
): Promise<void> {
  const unwatch = venue.watch(instrument.name);
  await pass(SECOND_MS);
  const best = must(venue.quote(instrument.name), 'a quote')[side === 'buy' ? 'ask' : 'bid'];
  const terms = { side, instrument: instrument.name, price: must(best, 'a level').price };
  const answer = await venue.place(anOrder(venue, { ...terms, quantity: quantity(amount) }));
  expect(answer).toMatchObject({ kind: 'done' });
  await pass(SECOND_MS);
  unwatch();
}

describe('the expiry of options of a running paper exchange', () => {
  it('their future settles them and what was held of it, and a process killed at any line continues with it', async () => {
    const store = new MemoryStore();
    const stage = stageAt(later(EIGHT, -HOUR_MS), { journal: { store } });
    const expiring = must(stage.venue.instruments(), 'instruments').filter(
      ({ expiresAt, base }) => expiresAt === EIGHT && base === 'BTC',
    );
    const index = Number(await stage.venue.market.index('btc_usd'));
    const options = expiring.filter(({ option }) => option !== undefined);
    const near = options.filter(
      ({ option }) => Math.abs(Number(option?.strike) / index - 1) < 0.03,
    );
    for (const instrument of near.slice(0, 6)) {
      await taken(stage, { instrument, side: 'buy', amount: '0.1' });
    }
    const future = must(
      expiring.find(({ kind }) => kind === 'future'),
      'a future',
    );
    await taken(stage, { instrument: future, side: 'sell', amount: '5000' });
    await bought(stage);
    await stage.pass(HOUR_MS);
    const whole = await recordOf(stage);
    const types = whole.transactions.map(({ type }: { type: string }) => type);
    expect([...new Set(types)].sort()).toEqual([
      'delivery',
      'expiry',
      'settlement',
      'settlement into future',
      'trade',
    ]);
    expect(whole.positions).toMatchObject([{ instrument: BTC, quantity: '100000' }]);
    const books = { ledger: [], trades: [], log: whole.transactions, positions: whole.positions };
    expect(compareBooks({ ...books, positionsAt: stage.clock.now() })).toEqual([]);

    const { text: lines } = must(store.parts.at(-1), 'a part');
    const cuts = [...lines.matchAll(/.*\n/g)]
      .filter(([line]) => line.includes(`"at":${EIGHT}`))
      .map(({ index: at, 0: line }) => at + line.length);
    // At least each option, the future and the settlement.
    expect(cuts.length).toBeGreaterThan(7);
    for (const end of cuts) {
      const killed = new MemoryStore();
      killed.parts = store.parts.with(-1, { segment: undefined, text: lines.slice(0, end) });
      const again = paperStage({ journal: { store: killed } }, new VirtualClock(stage.clock.now()));
      await again.pass(SECOND_MS);
      const { transactions, balance } = await recordOf(again);
      expect([transactions, balance]).toEqual([whole.transactions, whole.balance]);
      await again.venue.close();
    }
  });
});

describe('the order of due steps', () => {
  it('steps are processed in chronological order, and expiries before the settlement of the same instant', () => {
    const expiring = (name: string, expiresAt: Instant): Instrument =>
      ({ name, expiresAt }) as unknown as Instrument;
    const session = new SessionClock({
      lastAt: later(EIGHT, -HOUR_MS),
      pauseMs: 5_000,
      pausedUntil: later(EIGHT, -DAY_MS),
    });
    session.noteExpiry(expiring('late', later(EIGHT, DAY_MS)));
    session.noteExpiry(expiring('soon', EIGHT));
    session.noteExpiry(expiring('gone', later(EIGHT, -2 * HOUR_MS)));
    const now = later(EIGHT, DAY_MS + HOUR_MS);
    const steps: string[] = [];
    for (let step = session.next(now); step; step = session.next(now)) {
      steps.push(`${step.kind === 'deliver' ? step.name : 'settle'} ${step.at - EIGHT}`);
    }
    expect(steps).toEqual([
      `gone ${-HOUR_MS}`,
      'soon 0',
      'settle 0',
      `late ${DAY_MS}`,
      `settle ${DAY_MS}`,
    ]);
    expect(session.settlesAt).toBe(later(EIGHT, 2 * DAY_MS));
  });
});
