import { describe, expect, it } from 'vitest';
import { tradesSince } from '../../../src/ports/trades-since.ts';
import type { VenueNotice } from '../../../src/ports/trading-desk.ts';
import {
  isLess,
  isMore,
  minus,
  type Price,
  plus,
  price,
  quantity,
  ratio,
  scaled,
  text,
  toNumber,
  ZERO_QUANTITY,
} from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type InstrumentName, instrumentName } from '../../../src/values/ids.ts';
import { DAY_MS, later, MINUTE_MS, utcInstant } from '../../../src/values/instant.ts';
import { type Instrument, passiveTick } from '../../../src/values/instrument.ts';
import type { Quote } from '../../../src/values/quote.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { value } from '../../conformance/venue-act.ts';
import { balancesOf, keyOf } from '../../support/engine/venue-records.ts';
import {
  ACCOUNT,
  anOrder,
  BTC,
  MemoryStore,
  NOON,
  type PaperStage,
  paperStage,
  settle,
} from './paper-stage.ts';

const quoteOf = (stage: PaperStage, name: InstrumentName = BTC): Quote =>
  must(stage.venue.quote(name), `quote of ${name}`);
const touch = (stage: PaperStage, side: 'bid' | 'ask', name = BTC): Price =>
  must(quoteOf(stage, name)[side], `${side} of ${name}`).price;

/** The option nearest to the money with the nearest expiry. */
function nearOption(stage: PaperStage): Instrument {
  const options = stage.venue.instruments().filter(({ kind, base }) => {
    return kind === 'option' && (base as string) === 'BTC';
  });
  const [nearest] = options.map(({ expiresAt }) => expiresAt ?? 0).sort((a, b) => a - b);
  const level = toNumber(must(quoteOf(stage).index, 'index'));
  const away = ({ option }: Instrument): number =>
    Math.abs(toNumber(must(option, 'option').strike) - level);
  const [option] = options
    .filter(({ expiresAt, option: terms }) => expiresAt === nearest && terms?.type === 'call')
    .sort((a, b) => away(a) - away(b));
  return must(option, 'an option is listed');
}

describe('the market around the paper venue', () => {
  it('an order that rests at the best bid is soon filled, as maker, at its price', async () => {
    const stage = paperStage();
    stage.venue.watch(BTC);
    const order = anOrder(stage.venue, { price: touch(stage, 'bid'), postOnly: true });
    expect(await stage.venue.place(order)).toMatchObject({ value: { order: { state: 'open' } } });
    await stage.pass(60 * MINUTE_MS);
    const trades = value(await tradesSince(stage.venue, ACCOUNT, NOON));
    const filled = trades.map((trade) => trade.quantity).reduce(plus, ZERO_QUANTITY);
    expect(text(filled)).toBe(text(order.quantity));
    for (const trade of trades) {
      expect(trade).toMatchObject({ liquidity: 'maker', side: 'buy', label: order.label });
      expect(text(trade.price)).toBe(text(order.price));
    }
  });

  it('a large order walks the book, level by level, and stops at its limit', async () => {
    const stage = paperStage();
    stage.venue.watch(BTC);
    const limit = passiveTick(
      must(stage.venue.instrument(BTC), 'perpetual'),
      'buy',
      scaled(touch(stage, 'ask'), ratio('1.0001')),
    );
    const order = anOrder(stage.venue, {
      quantity: quantity('5000000'),
      price: limit,
      timeInForce: 'immediate_or_cancel',
    });
    const answer = value(await stage.venue.place(order));
    const prices = answer.trades.map((trade) => toNumber(trade.price));
    expect(prices.length).toBeGreaterThan(2);
    expect(prices).toEqual([...prices].sort((a, b) => a - b));
    expect(new Set(prices).size).toBeGreaterThan(2);
    expect(isMore(must(answer.trades.at(-1), 'last').price, limit)).toBe(false);
    expect(answer.order.state).toBe('cancelled');
    expect(isLess(answer.order.filledQuantity, order.quantity)).toBe(true);
  });

  it('levels that were taken are refilled', async () => {
    const stage = paperStage();
    stage.venue.watch(BTC);
    const sweep = anOrder(stage.venue, {
      quantity: quantity('5000000'),
      price: passiveTick(
        must(stage.venue.instrument(BTC), 'perpetual'),
        'buy',
        scaled(touch(stage, 'ask'), ratio('1.0005')),
      ),
      timeInForce: 'immediate_or_cancel',
    });
    await stage.venue.place(sweep);
    const emptied = touch(stage, 'ask');
    await stage.pass(2_000);
    const { bid, ask } = quoteOf(stage);
    expect(isLess(must(ask, 'ask').price, emptied)).toBe(true);
    expect(isMore(must(ask, 'ask').price, must(bid, 'bid').price)).toBe(true);
  });

  it('the book is never crossed in a long run, with options and spot besides', async () => {
    const stage = paperStage();
    stage.venue.watch(BTC);
    const names = [BTC, instrumentName('ETH_USDC'), instrumentName('BTC-27NOV26')];
    names.push(nearOption(stage).name);
    for (const name of names) stage.venue.watch(name);
    const seen = new Set<string>();
    for (let round = 0; round < 300; round += 1) {
      await stage.pass(1_000);
      for (const name of names) {
        const { bid, ask, mark, seenAt } = quoteOf(stage, name);
        // References of options are repeated once a second, the others with every step.
        expect(seenAt).toBeGreaterThanOrEqual(later(stage.clock.now(), -1_000));
        seen.add(`${name} ${mark && text(mark)}`);
        if (bid && ask) expect(isLess(bid.price, ask.price)).toBe(true);
      }
    }
    // Prices stand still in more than half of the seconds.
    expect(seen.size).toBeGreaterThan(120);
  });

  it('options are quoted with volatility, greeks and a forward', () => {
    const stage = paperStage();
    stage.venue.watch(BTC);
    const { name } = nearOption(stage);
    stage.venue.watch(name);
    const { markIv, greeks, underlying, index, minPrice, maxPrice } = quoteOf(stage, name);
    expect(markIv).toBeGreaterThan(0.2);
    expect(markIv).toBeLessThan(1.5);
    expect(greeks?.delta).toBeGreaterThan(0.3);
    expect(greeks?.delta).toBeLessThan(0.7);
    expect(underlying && index && toNumber(underlying) / toNumber(index)).toBeCloseTo(1, 2);
    expect(minPrice && maxPrice && isLess(minPrice, maxPrice)).toBe(true);
  });
});

describe('the timers of the paper venue', () => {
  it('a quote is kept while watchers are counted, and dropped with the last one', async () => {
    const stage = paperStage();
    expect(stage.venue.quote(BTC)).toBeUndefined();
    const [one, other] = [stage.venue.watch(BTC), stage.venue.watch(BTC)];
    one();
    one();
    await stage.pass(1_000);
    expect(quoteOf(stage).seenAt).toBe(later(stage.clock.now(), -125));
    other();
    await stage.pass(1_000);
    expect(stage.venue.quote(BTC)).toBeUndefined();
  });

  it('no timer is set while nothing is watched and no order is open', async () => {
    const stage = paperStage();
    expect(stage.clock.nextDueAt()).toBeUndefined();
    const order = anOrder(stage.venue);
    await stage.venue.place(order);
    await stage.pass(5_000);
    expect(stage.clock.nextDueAt()).toBeDefined();
    await stage.venue.cancel({ account: ACCOUNT, of: keyOf(order) });
    await stage.pass(1_000);
    expect(stage.clock.nextDueAt()).toBeUndefined();
  });

  it('after an idle day the market continues at the current time', async () => {
    const stage = paperStage();
    const stop = stage.venue.watch(BTC);
    stop();
    await stage.pass(DAY_MS);
    stage.venue.watch(BTC);
    expect(quoteOf(stage).seenAt).toBe(later(NOON, DAY_MS));
  });
});

describe('answers of the paper venue', () => {
  it('an answer arrives before the notices of its events', async () => {
    const stage = paperStage();
    const heard: VenueNotice[] = [];
    stage.venue.subscribe((notice) => heard.push(notice));
    await stage.venue.place(anOrder(stage.venue));
    expect(heard).toEqual([]);
    await stage.pass(0);
    expect(heard).toHaveLength(1);
  });

  it('a listener may query the venue from within a notice', async () => {
    const stage = paperStage();
    const order = anOrder(stage.venue);
    const answers: string[] = [];
    stage.venue.subscribe((notice) => {
      if (notice.kind !== 'order' || notice.order.state !== 'open') return;
      void stage.venue
        .cancel({ account: ACCOUNT, of: keyOf(order) })
        .then(({ kind }) => answers.push(kind));
    });
    await stage.venue.place(order);
    await stage.pass(100);
    expect(answers).toEqual(['done']);
  });

  it('an answer takes the configured latency, and the request is decided half way', async () => {
    const stage = paperStage({ latencyMs: 100 });
    const inTime = stage.venue.place(anOrder(stage.venue, { validUntil: later(NOON, 51) }));
    const tooLate = stage.venue.place(anOrder(stage.venue, { validUntil: later(NOON, 50) }));
    const kinds: string[] = [];
    for (const answer of [inTime, tooLate]) void answer.then(({ kind }) => kinds.push(kind));
    await stage.pass(99);
    expect(kinds).toEqual([]);
    await stage.pass(1);
    expect(kinds).toEqual(['done', 'refused']);
  });

  it('answers are unknown once the venue is closed', async () => {
    const stage = paperStage();
    await stage.venue.close();
    const order = anOrder(stage.venue);
    expect(await stage.venue.place(order)).toEqual({
      kind: 'unknown',
      reason: 'the paper exchange is closed',
    });
    const account = ACCOUNT;
    expect(await tradesSince(stage.venue, account, NOON)).toMatchObject({ kind: 'unknown' });
    expect(await stage.venue.positions({ account })).toMatchObject({ kind: 'unknown' });
    expect(stage.clock.nextDueAt()).toBeUndefined();
  });

  it('answers are unknown from the moment the journal cannot be written', async () => {
    class FullStore extends MemoryStore {
      isFull = false;
      override append(written: string): void {
        if (this.isFull) throw new Error('no space left on device');
        super.append(written);
      }
    }
    const store = new FullStore();
    const faults: unknown[] = [];
    const stage = paperStage({ journal: { store }, onFault: (error) => faults.push(error) });
    await stage.venue.place(anOrder(stage.venue));
    store.isFull = true;
    const unknown = { kind: 'unknown', reason: expect.stringContaining('no space left') };
    expect(await stage.venue.place(anOrder(stage.venue))).toEqual(unknown);
    store.isFull = false;
    expect(await stage.venue.place(anOrder(stage.venue))).toEqual(unknown);
    expect(faults).toEqual([new Error('no space left on device')]);
    expect(stage.clock.nextDueAt()).toBeUndefined();
  });

  it('all requests whose common write fails have an unknown outcome, and are not published', async () => {
    class LateStore extends MemoryStore {
      override written(): Promise<void> | undefined {
        return Promise.reject(new Error('no space left on device'));
      }
    }
    const faults: unknown[] = [];
    const journal = { store: new LateStore() };
    const stage = paperStage({ journal, onFault: (error) => faults.push(error) });
    const heard: string[] = [];
    stage.venue.subscribe(({ kind }) => heard.push(kind));
    const asked = [
      stage.venue.place(anOrder(stage.venue)),
      stage.venue.place(anOrder(stage.venue)),
    ];
    const unknown = { kind: 'unknown', reason: expect.stringContaining('no space left') };
    expect(await Promise.all(asked)).toEqual([unknown, unknown]);
    await stage.pass(1_000);
    expect(heard).toEqual([]);
    expect(faults).toEqual([new Error('no space left on device')]);
  });

  it('every account starts with its configured balances', async () => {
    const stage = paperStage();
    expect(await balancesOf(stage.venue, ACCOUNT)).toEqual({
      BTC: '100',
      ETH: '1000',
      USDC: '5000000',
    });
  });
});

describe('the expiry of an instrument on the paper venue', () => {
  const EIGHT = utcInstant({ year: 2026, month: 11, day: 21, hour: 8 });
  const shortlyBefore = (): PaperStage => paperStage({}, new VirtualClock(later(EIGHT, -10_000)));

  async function heldToExpiry(watched: boolean): Promise<PaperStage> {
    const stage = shortlyBefore();
    const stop = stage.venue.watch(BTC);
    const option = nearOption(stage);
    const stopOption = stage.venue.watch(option.name);
    const ask = touch(stage, 'ask', option.name);
    const bought = await stage.venue.place(
      anOrder(stage.venue, { instrument: option.name, quantity: quantity('1'), price: ask }),
    );
    expect(bought).toMatchObject({ value: { order: { state: 'filled' } } });
    if (!watched) {
      stop();
      stopOption();
    }
    await stage.pass(EIGHT - stage.clock.now() - 500);
    expect(value(await stage.venue.positions({ account: ACCOUNT }))).toHaveLength(1);
    await stage.pass(500);
    expect(stage.venue.instrument(option.name)).toBeUndefined();
    expect(stage.venue.quote(option.name)).toBeUndefined();
    return stage;
  }

  it('positions are settled at 08:00 with the same result, watched or not', async () => {
    const [looked, slept] = [await heldToExpiry(true), await heldToExpiry(false)];
    const cash = [];
    for (const { venue } of [looked, slept]) {
      expect(value(await venue.positions({ account: ACCOUNT }))).toEqual([]);
      cash.push(await balancesOf(venue, ACCOUNT));
    }
    expect(cash[0]).toEqual(cash[1]);
  });

  it('open orders are cancelled at the expiry, with notices', async () => {
    const stage = shortlyBefore();
    stage.venue.watch(BTC);
    const option = nearOption(stage);
    const order = anOrder(stage.venue, {
      instrument: option.name,
      side: 'sell',
      quantity: quantity('1'),
      price: price('0.03'),
    });
    expect(await stage.venue.place(order)).toMatchObject({ value: { order: { state: 'open' } } });
    const heard: string[] = [];
    stage.venue.subscribe((notice) => {
      if (notice.kind !== 'order') return;
      heard.push(`${notice.order.state}, ${notice.order.cancelReason ?? 'no reason'}`);
    });
    await stage.pass(EIGHT - stage.clock.now());
    await settle();
    await stage.pass(0);
    expect(heard.at(-1)).toBe('cancelled, no reason');
    expect(await stage.venue.place({ ...order, validUntil: later(EIGHT, 1_000) })).toMatchObject({
      kind: 'refused',
      class: 'final',
    });
  });

  it('the next expiries are listed', async () => {
    const stage = shortlyBefore();
    const before = new Set(stage.venue.instruments().map(({ name }) => name));
    await stage.pass(EIGHT - stage.clock.now());
    const added = stage.venue.instruments().filter(({ name }) => !before.has(name));
    expect(added.length).toBeGreaterThan(8);
    for (const { expiresAt } of added) expect(expiresAt).toBeGreaterThan(EIGHT);
  });
});

describe('money on the paper venue', () => {
  it('a round trip loses exactly the spread and the fees', async () => {
    const stage = paperStage();
    const name = instrumentName('ETH_USDC-PERPETUAL');
    stage.venue.watch(name);
    const terms = { instrument: name, quantity: quantity('0.05') };
    const first = await stage.venue.place(
      anOrder(stage.venue, { ...terms, price: touch(stage, 'ask', name) }),
    );
    const second = await stage.venue.place(
      anOrder(stage.venue, { ...terms, side: 'sell', price: touch(stage, 'bid', name) }),
    );
    const [bought, sold] = [value(first).trades, value(second).trades];
    const spent = bought.map((t) => toNumber(t.price) * toNumber(t.quantity));
    const earned = sold.map((t) => toNumber(t.price) * toNumber(t.quantity));
    const fees = [...bought, ...sold].map((trade) => toNumber(trade.fee));
    const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
    const { USDC } = await balancesOf(stage.venue, ACCOUNT);
    const change = minus(quantity(must(USDC, 'USDC')), quantity('5000000'));
    expect(toNumber(change)).toBeCloseTo(sum(earned) - sum(spent) - sum(fees), 5);
    expect(sum(fees)).toBeGreaterThan(0);
  });
});
