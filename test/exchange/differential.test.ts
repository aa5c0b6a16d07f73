import { describe, expect, it } from 'vitest';
import { Exchange } from '../../src/exchange/exchange.ts';
import type { ExchangeAnswer } from '../../src/exchange/exchange-command.ts';
import { money, price, quantityOf } from '../../src/values/amounts.ts';
import { accountId, currency, orderId } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';
import type { EditTerms } from '../../src/values/order-terms.ts';
import { type Rng, rng } from '../../src/values/rng.ts';
import { cases } from '../support/cases.ts';
import { btcPerpetual } from './instruments.ts';
import {
  type NaiveAnswer,
  NaiveBook,
  type NaiveEdit,
  type NaiveRequest,
  type Side,
} from './naive-book.ts';
import {
  expectSameAnswer,
  expectSameFills,
  expectSameOrders,
  expectSamePositions,
} from './same-as-naive.ts';

const USERS = ['u1', 'u2', 'u3'];
const YIELDING = new Set(['u3']);
const BOTS = ['b1', 'b2'];
const LABELS = ['', 'a', 'b', 'c', 'd', 'e'];
const MIDDLE = 2_000;
const BAND = { min: MIDDLE - 30, max: MIDDLE + 30 };
const SETTLEMENT_MS = 10_000;
const name = btcPerpetual.name;
const base = { instrument: name };

interface Rung {
  readonly ticks: number;
  readonly lots: number;
}

function freshExchange(): Exchange {
  const balances = new Map([[currency('BTC'), money('100000000')]]);
  const accounts = USERS.map((user) => ({
    account: accountId(user),
    balances,
    selfTrade: YIELDING.has(user) ? ('cancel_maker' as const) : undefined,
  }));
  return new Exchange({ instruments: [btcPerpetual], accounts });
}

const pick = <T>(random: Rng, from: readonly T[]): T => from[random.below(from.length)] as T;
const near = (random: Rng, spread: number): number =>
  Math.max(1, MIDDLE + Math.round(random.normal() * spread));
const asQuotes = (rungs: readonly Rung[]) =>
  rungs.map(({ ticks, lots }) => ({ priceTicks: ticks, lots }));

/** The exchange and the naive book: every action is applied to both and compared. */
class Pair {
  readonly exchange = freshExchange();
  readonly naive = new NaiveBook(BAND, YIELDING);
  readonly random: Rng;
  readonly seen = new Map<string, number>();
  #now = 1_000_000;

  constructor(seed: string) {
    this.random = rng(seed);
    this.exchange.handle({
      kind: 'set_reference',
      now: this.now,
      ...base,
      index: price(`${MIDDLE / 2}`),
      mark: price(`${MIDDLE / 2}`),
      minPrice: price(`${BAND.min / 2}`),
      maxPrice: price(`${BAND.max / 2}`),
    });
  }

  get now() {
    return instant(this.#now);
  }

  step(): void {
    this.#now += 1;
    const dice = this.random.below(100);
    if (dice === 99) this.#settleDaily();
    else if (dice < 45) this.#place();
    else if (dice < 60) this.#edit();
    else if (dice < 68) this.#editByLabel();
    else if (dice < 78) this.#cancel();
    else if (dice < 80) this.#cancelMany();
    else if (dice < 92) this.#quotes();
    else this.#take();
    expect(this.exchange.bookHash(name)).toBe(this.naive.hash());
    for (const fill of expectSameFills(this)) if (fill.isHidden) this.#count('hidden fill');
    expectSamePositions(this, { users: USERS, bots: [...BOTS, 'taker'], name });
  }

  #place(): void {
    const { random } = this;
    const isMarket = random.below(8) === 0;
    const atTouch = isMarket && random.below(2) === 0;
    const iceberg = random.below(6) === 0 ? this.#iceberg() : undefined;
    const request: NaiveRequest = {
      owner: pick(random, USERS),
      side: pick(random, ['buy', 'sell']),
      ticks: isMarket ? undefined : near(random, 9),
      atTouch,
      lots: iceberg?.lots ?? 1 + random.below(20),
      display: iceberg?.display,
      label: pick(random, LABELS),
      timeInForce: pick(random, [
        'good_til_cancelled',
        'good_til_cancelled',
        'good_til_cancelled',
        'good_til_day',
        'immediate_or_cancel',
        'fill_or_kill',
      ]),
      postOnly: random.below(4) === 0,
      rejects: random.below(3) === 0,
      reduceOnly: random.below(4) === 0,
    };
    const { owner, ticks, lots, display, rejects, atTouch: _atTouch, ...rest } = request;
    const answer = this.exchange.handle({
      kind: 'place',
      now: this.now,
      ...base,
      ...rest,
      account: accountId(owner),
      type: atTouch ? 'market_limit' : isMarket ? 'market' : 'limit',
      quantity: quantityOf(lots * 10),
      displayQuantity: display === undefined ? undefined : quantityOf(display * 10),
      price: ticks === undefined ? undefined : price(`${ticks / 2}`),
      rejectPostOnly: rejects,
    });
    this.#compare('place', answer, this.naive.place(request));
  }

  /** Sometimes shows less than allowed. */
  #iceberg(): { readonly lots: number; readonly display: number } {
    const lots = 100 + this.random.below(400);
    return { lots, display: 90 + this.random.below(60) };
  }

  #knownId(): string {
    const resting = this.naive.resting.filter((order) => !order.isBot);
    if (resting.length > 0 && this.random.below(5) > 0) return pick(this.random, resting).id;
    return `${1 + this.random.below(this.naive.orders.size + 2)}`;
  }

  #ownerOf(id: string): string {
    const owner = this.naive.orders.get(id)?.owner;
    return owner === undefined || this.random.below(20) === 0 ? pick(this.random, USERS) : owner;
  }

  #edit(): void {
    const id = this.#knownId();
    const owner = this.#ownerOf(id);
    const terms = this.#terms(this.naive.orders.get(id)?.ticks);
    const { asked, wanted } = terms;
    const request = { account: accountId(owner), orderId: orderId(id), ...asked };
    const answer = this.exchange.handle({ kind: 'edit', now: this.now, ...request });
    this.#compare('edit', answer, this.naive.edit(owner, id, wanted));
  }

  /**
   * Random terms of an order, for both sides; often with the current price, so that the order keeps its
   * place.
   */
  #terms(own: number | undefined) {
    const { random } = this;
    const maybe = <T>(chance: number, value: T): T | undefined =>
      random.below(chance) === 0 ? value : undefined;
    const ticks = own !== undefined && random.below(2) === 0 ? own : near(random, 9);
    const iceberg = maybe(4, this.#iceberg());
    const hasPrice = random.below(5) > 0;
    const hasAmount = iceberg !== undefined || random.below(5) > 0;
    const lots = iceberg?.lots ?? 1 + random.below(24);
    const wanted: NaiveEdit = {
      ticks: hasPrice ? ticks : undefined,
      lots: hasAmount ? lots : undefined,
      display: maybe(2, iceberg?.display),
      postOnly: maybe(6, random.below(2) === 0),
      rejects: maybe(6, random.below(2) === 0),
      reduceOnly: maybe(6, random.below(2) === 0),
    };
    const { display, postOnly, rejects, reduceOnly } = wanted;
    const asked: EditTerms = {
      price: hasPrice ? price(`${ticks / 2}`) : undefined,
      quantity: hasAmount ? quantityOf(lots * 10) : undefined,
      displayQuantity: display === undefined ? undefined : quantityOf(display * 10),
      postOnly,
      rejectPostOnly: rejects,
      reduceOnly,
    };
    return { wanted, asked };
  }

  #editByLabel(): void {
    const { random } = this;
    const owner = pick(random, USERS);
    const label = pick(random, LABELS.slice(1));
    const { asked, wanted } = this.#terms(undefined);
    const request = { ...base, account: accountId(owner), label, ...asked };
    const answer = this.exchange.handle({ kind: 'edit_by_label', now: this.now, ...request });
    this.#compare('edit_by_label', answer, this.naive.editByLabel(owner, label, wanted));
  }

  #cancel(): void {
    const id = this.#knownId();
    const owner = this.#ownerOf(id);
    const request = { account: accountId(owner), orderId: orderId(id) };
    const answer = this.exchange.handle({ kind: 'cancel', now: this.now, ...request });
    this.#compare('cancel', answer, this.naive.cancel(owner, id));
  }

  #cancelMany(): void {
    const owner = pick(this.random, USERS);
    const label = pick(this.random, LABELS);
    const account = accountId(owner);
    const answer =
      label === ''
        ? this.exchange.handle({ kind: 'cancel_all', now: this.now, account })
        : this.exchange.handle({ kind: 'cancel_by_label', now: this.now, account, label });
    const count = this.naive.cancelWhere(
      (order) => order.owner === owner && (label === '' || order.label === label),
    );
    expect(answer).toEqual({ kind: 'count', count });
  }

  /** The book may be paused for a while afterwards. */
  #settleDaily(): void {
    this.exchange.handle({ kind: 'settle_day', now: this.now });
    this.naive.cancelWhere(({ isDay }) => isDay);
    this.#now += SETTLEMENT_MS;
  }

  #ladder(from: number, sign: 1 | -1): Rung[] {
    let ticks = from;
    return Array.from({ length: this.random.below(5) }, () => {
      ticks += sign * (1 + this.random.below(3));
      return { ticks, lots: 1 + this.random.below(15) };
    });
  }

  #quotes(): void {
    const owner = pick(this.random, BOTS);
    const middle = near(this.random, 3);
    const bids = this.#ladder(middle, -1);
    const asks = this.#ladder(middle, 1);
    const answer = this.exchange.handle({
      kind: 'make_quotes',
      now: this.now,
      ...base,
      account: accountId(owner),
      bids: asQuotes(bids),
      asks: asQuotes(asks),
    });
    const count = this.naive.quotes(owner, [
      ...bids.map((rung) => ({ ...rung, side: 'buy' as const })),
      ...asks.map((rung) => ({ ...rung, side: 'sell' as const })),
    ]);
    expect(answer).toEqual({ kind: 'count', count });
  }

  #take(): void {
    const { random } = this;
    const side: Side = pick(random, ['buy', 'sell']);
    const lots = 1 + random.below(random.below(4) === 0 ? 400 : 40);
    const limitTicks = MIDDLE + (side === 'buy' ? 1 : -1) * random.below(20);
    const account = accountId('taker');
    const command = { kind: 'take', now: this.now, ...base, account, side } as const;
    const answer = this.exchange.handle({ ...command, lots, limitTicks });
    const count = this.naive.take('taker', side, limitTicks, lots);
    expect(answer).toEqual({ kind: 'count', count });
  }

  #compare(what: string, answer: ExchangeAnswer, naive: NaiveAnswer): void {
    const outcome = typeof naive === 'number' ? `${naive}` : naive.state;
    this.#count(`${what} ${outcome}`);
    expectSameAnswer(what, answer, naive);
  }

  #count(outcome: string): void {
    this.seen.set(outcome, (this.seen.get(outcome) ?? 0) + 1);
  }
}

/** A stream of commands is only meaningful if it reached every outcome. */
const OUTCOMES = [
  'place open',
  'place filled',
  'place cancelled',
  'place 10003',
  'place 10011',
  'place 10036',
  'place 11030',
  'place 11047',
  'place 11054',
  'edit open',
  'edit filled',
  'edit 10003',
  'edit 10036',
  'edit 10029',
  'edit 11008',
  'edit 11044',
  'edit 11030',
  'edit 11047',
  'edit 11054',
  'hidden fill',
  'edit_by_label open',
  'edit_by_label 10004',
  'edit_by_label 13032',
  'cancel cancelled',
];

const STEPS_MIN = cases(1_200);
/** Within these every outcome was met by each of the seeds. */
const STEPS_MAX = 4_000;

describe('the exchange against the list-scan oracle', () => {
  it.each(['one', 'two', 'three', 'five'])(
    'the exchange has the same book as the oracle after every command: seed %s',
    (seed) => {
      const pair = new Pair(seed);
      const missing = () => OUTCOMES.filter((outcome) => !pair.seen.has(outcome));
      for (let i = 0; i < STEPS_MIN || (i < STEPS_MAX && missing().length > 0); i += 1) {
        pair.step();
        const { bid, ask } = pair.exchange.best(name);
        if (bid !== undefined && ask !== undefined) expect(bid.price.lt(ask.price)).toBe(true);
      }
      expectSameOrders(pair);
      expect(missing()).toEqual([]);
    },
  );
});
