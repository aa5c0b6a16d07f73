import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { AccountEvent } from '../../../src/exchange/exchange-event.ts';
import { type JournalRecord, journalRecord } from '../../../src/exchange/journal/plain.ts';
import { money, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { RfqFill as RfqFillRecord } from '../../../src/values/block-rfq-record.ts';
import { type AccountId, currency } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { Side } from '../../../src/values/instrument.ts';
import { cases } from '../../support/cases.ts';
import { expectSameAfterRestarts } from '../expect-same-after-restarts.ts';
import { btcCall, btcPerpetual } from '../instruments.ts';
import { LIFE_MS, type NaiveQuote, NaiveRfq } from './naive-rfq.ts';
import {
  asked,
  btcFuture,
  highCall,
  lowPut,
  MAKERS,
  quoted,
  RfqDesk,
  type RfqShape,
  rfqOptions,
  TAKER,
  traded,
} from './rfq-desk.ts';

/** Balances far above all margins, so that funds are never the limit. */
const ENDLESS = new Map([[currency('BTC'), money('10000000')]]);
const endless = () => {
  const options = rfqOptions();
  const accounts = options.accounts.map((account) => ({ ...account, balances: ENDLESS }));
  return { ...options, accounts };
};

/** Prices in ticks of the leg, `per` of them in one unit of the price. */
interface Shape {
  readonly ask: RfqShape;
  readonly units: number;
  readonly minUnits: number;
  /** Units of the structure per one of its quantity. */
  readonly perQuantity: number;
  readonly per: number;
  readonly legs: readonly {
    readonly base: number;
    readonly sign: 1 | -1;
    readonly ratio: number;
  }[];
  readonly hedged?: boolean;
}

const SHAPES: readonly Shape[] = [
  {
    ask: { legs: [{ of: btcCall, size: '100' }] },
    units: 1_000,
    minUnits: 250,
    perQuantity: 10,
    per: 10_000,
    legs: [{ base: 500, sign: 1, ratio: 1 }],
  },
  {
    ask: {
      legs: [
        { of: btcCall, size: '25' },
        { of: highCall, size: '50', side: 'sell' },
      ],
    },
    units: 250,
    minUnits: 84,
    perQuantity: 10,
    per: 10_000,
    legs: [
      { base: 500, sign: 1, ratio: 1 },
      { base: 200, sign: -1, ratio: 2 },
    ],
  },
  {
    ask: {
      legs: [
        { of: btcCall, size: '33.3' },
        { of: lowPut, size: '33.3' },
      ],
      hedge: {
        instrument: btcPerpetual.name,
        quantity: must(rfqOptions().instruments[0], 'listed').amountStep.mul(123_457) as never,
        side: 'sell',
        price: must(rfqOptions().instruments[0], 'listed').tickSize.mul(200_200) as never,
      },
    },
    units: 333,
    minUnits: 125,
    perQuantity: 10,
    per: 10_000,
    legs: [
      { base: 500, sign: 1, ratio: 1 },
      { base: 400, sign: 1, ratio: 1 },
    ],
    hedged: true,
  },
  {
    ask: {
      legs: [
        { of: btcFuture, size: '500000' },
        { of: btcPerpetual, size: '500000', side: 'sell' },
      ],
    },
    units: 50_000,
    minUnits: 10_000,
    perQuantity: 0.1,
    per: 100,
    legs: [
      { base: 10_100_000, sign: 1, ratio: 1 },
      { base: 10_000_000, sign: -1, ratio: 1 },
    ],
  },
];

const legPrices = ({ legs, per }: Shape, offset: number): string[] =>
  legs.map(({ base }, leg) => String((base + (leg === 0 ? offset : 0)) / per));

function wholePrice({ legs, per }: Shape, offset: number): string {
  const ticks = legs.reduce((sum, { base, sign, ratio }) => sum + sign * ratio * base, offset);
  return String(ticks / per);
}

const side = fc.constantFrom<Side>('buy', 'sell');
const maker = fc.nat(2);
const offset = fc.integer({ min: -4, max: 4 });
/** As a fraction of the RFQ's quantity. */
const part = fc.constantFrom(0.1, 0.26, 0.4, 0.6, 1);
const pick = fc.nat(50);
const ttlMs = fc.option(fc.integer({ min: 1, max: 60_000 }), { nil: undefined });

const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      shape: fc.nat(SHAPES.length - 1),
      some: fc.boolean(),
      shares: fc.boolean(),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('quote' as const),
      pick,
      maker,
      side,
      offset,
      part,
      isWhole: fc.boolean(),
      ttlMs,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), pick, offset, part }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel_quote' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel_quotes' as const), maker }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('accept' as const),
      pick,
      side,
      offset,
      waits: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel_trigger' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel_rfq' as const), pick }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      forMs: fc.constantFrom(1, 700, 4_999, 5_000, 20_000, 100_000),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Both {
  readonly shape: Shape;
  readonly naive: NaiveRfq;
  readonly ids: ReadonlyMap<AccountId, string>;
  readonly shares: readonly number[];
}

class Trial {
  readonly desk = new RfqDesk(new Exchange(endless()));
  readonly all: Both[] = [];
  readonly journal: JournalRecord[] = [];
  #seq = 0;

  constructor() {
    const marked = RfqDesk.marked();
    for (const { name, ...instrument } of rfqOptions().instruments) {
      const known = marked.exchange.reference(name);
      if (known === undefined) continue;
      const { mark, index, minPrice, maxPrice } = known;
      const now = this.desk.now;
      this.desk.do({
        kind: 'set_reference',
        now,
        instrument: name,
        mark,
        index,
        minPrice,
        maxPrice,
      });
      expect(instrument.settlement).toBeDefined();
    }
  }

  take(one: Step): void {
    switch (one.do) {
      case 'ask':
        return this.#createRfq(one);
      case 'quote':
        return this.#quote(one);
      case 'edit':
        return this.#edit(one);
      case 'cancel_quote':
        return this.#cancelQuote(one);
      case 'cancel_quotes':
        return this.#cancelQuotes(one);
      case 'accept':
        return this.#accept(one);
      case 'cancel_trigger':
        return this.#withRfq(one, ({ naive, ids }) => {
          const rfqId = must(ids.get(TAKER), 'his id');
          const { now } = this.desk;
          const done = this.desk.do({ kind: 'cancel_rfq_trigger', now, account: TAKER, rfqId });
          expect(done.kind).toBe(naive.isLive ? 'rfq' : 'refused');
          naive.waiting.buy = undefined;
          naive.waiting.sell = undefined;
        });
      case 'cancel_rfq':
        return this.#withRfq(one, ({ naive, ids }) => {
          const rfqId = must(ids.get(TAKER), 'his id');
          const { now } = this.desk;
          const done = this.desk.do({ kind: 'cancel_rfq', now, account: TAKER, rfqId });
          expect(done.kind).toBe(naive.isLive ? 'rfq' : 'refused');
          if (naive.isLive) naive.end('cancelled');
        });
      case 'pass':
        return this.pass(one.forMs);
    }
  }

  pass(forMs: number): void {
    this.desk.pass(forMs);
    for (const { naive } of this.all) naive.advance(this.desk.now);
  }

  #createRfq({ shape: at, some, shares }: Extract<Step, { do: 'ask' }>): void {
    if (this.all.filter(({ naive }) => naive.isLive).length >= 20) return;
    const shape = must(SHAPES[at], 'one of them');
    const { units, perQuantity, minUnits } = shape;
    const parts = shares ? [Math.floor(units / 3), 7, units - Math.floor(units / 3) - 7] : [];
    const allocations = parts.map((share, user) => ({
      quantity: money(String(share / perQuantity)) as never,
      userId: user + 1,
    }));
    const makers = some ? ['MAKER1', 'MAKER3'] : [];
    asked(this.desk.createRfq({ ...shape.ask, makers, allocations }));
    const seated = some ? [MAKERS[0], MAKERS[2]] : MAKERS;
    const ids = new Map([TAKER, ...seated].map((account) => [account, this.desk.idOf(account)]));
    const createdAt = this.desk.now;
    const naive = new NaiveRfq({ createdAt, units, minUnits, seats: seated });
    this.all.push({ shape, naive, ids, shares: parts });
  }

  #withRfq({ pick: at }: { readonly pick: number }, then: (both: Both) => void): void {
    const live = this.all.filter(({ naive }) => naive.isLive);
    const among = live.length > 0 && at % 10 !== 0 ? live : this.all;
    const both = among[at % Math.max(1, among.length)];
    if (both !== undefined) then(both);
  }

  #quote(one: Extract<Step, { do: 'quote' }>): void {
    this.#withRfq(one, ({ shape, naive, ids }) => {
      const account = must(MAKERS[one.maker], 'one of three');
      const isWhole = one.isWhole && one.part === 1;
      const units = Math.floor(naive.units * one.part);
      const terms = { maker: account, side: one.side, offset: one.offset, units, isWhole };
      const isFine = naive.admits(terms);
      const rfqId = ids.get(account);
      if (rfqId === undefined) return;
      const expiresAt = one.ttlMs === undefined ? undefined : later(this.desk.now, one.ttlMs);
      const answer = this.desk.quote(account, one.side, {
        rfqId,
        legs: legPrices(shape, one.offset),
        quantity: String(units / shape.perQuantity),
        executionInstruction: isWhole ? 'all_or_none' : 'any_part_of',
        ...(expiresAt !== undefined && { expiresAt }),
      });
      expect(answer.kind).toBe(isFine ? 'rfq_quote' : 'refused');
      if (!isFine) return;
      this.#seq += 1;
      const ends = expiresAt ?? Number.POSITIVE_INFINITY;
      const rest = { seq: this.#seq, expiresAt: ends, status: 'open' as const, filled: 0 };
      naive.quotes.push({ id: quoted(answer).id, ...terms, ...rest });
      naive.fire();
    });
  }

  #openQuote(at: number): { readonly both: Both; readonly quote: NaiveQuote } | undefined {
    const open = this.all.flatMap((both) => both.naive.open().map((quote) => ({ both, quote })));
    return open[at % Math.max(1, open.length)];
  }

  #edit({ pick: at, offset: to, part: share }: Extract<Step, { do: 'edit' }>): void {
    const found = this.#openQuote(at);
    if (found === undefined) return;
    const { quote } = found;
    const { shape, naive } = found.both;
    const units = Math.floor(naive.units * share);
    const isWhole = quote.isWhole && share === 1;
    const isFine = naive.admits({ ...quote, offset: to, units, isWhole }, quote);
    const { now, exchange } = this.desk;
    const seen = this.desk.seen(
      quote.maker as AccountId,
      found.both.ids.get(quote.maker as AccountId),
    );
    const prices = legPrices(shape, to);
    const answer = exchange.handle({
      kind: 'edit_rfq_quote',
      now,
      account: quote.maker as AccountId,
      of: { quoteId: quote.id },
      quantity: money(String(units / shape.perQuantity)) as never,
      legs: seen.legs.map((leg, n) => ({ ...leg, price: money(prices[n] ?? '') as never })),
      hedge: seen.hedge,
      executionInstruction: isWhole ? 'all_or_none' : 'any_part_of',
    });
    expect(answer.kind).toBe(isFine ? 'rfq_quote' : 'refused');
    if (!isFine) return;
    this.#seq += 1;
    Object.assign(quote, { offset: to, units, isWhole, seq: this.#seq });
    naive.fire();
  }

  #cancelQuote({ pick: at }: Extract<Step, { do: 'cancel_quote' }>): void {
    const found = this.#openQuote(at);
    if (found === undefined) return;
    const { quote } = found;
    quoted(this.desk.cancelQuote(quote.maker as AccountId, { quoteId: quote.id }));
    quote.status = 'cancelled';
  }

  #cancelQuotes({ maker: at }: Extract<Step, { do: 'cancel_quotes' }>): void {
    const account = must(MAKERS[at], 'one of three');
    const open = this.all.flatMap(({ naive }) => naive.open()).filter((q) => q.maker === account);
    const answer = this.desk.do({ kind: 'cancel_rfq_quotes', now: this.desk.now, account });
    expect(answer).toEqual({ kind: 'count', count: open.length });
    for (const quote of open) quote.status = 'cancelled';
  }

  #accept(one: Extract<Step, { do: 'accept' }>): void {
    this.#withRfq(one, ({ shape, naive, ids }) => {
      const answer = this.desk.accept(one.side, wholePrice(shape, one.offset), {
        rfqId: must(ids.get(TAKER), 'his id'),
        timeInForce: one.waits ? 'good_til_cancelled' : 'fill_or_kill',
      });
      if (naive.status !== 'open') {
        expect(answer.kind).toBe('refused');
      } else if (naive.accept(one.side, one.offset)) {
        expect(traded(answer).blockTrades.length).toBeGreaterThan(0);
      } else if (one.waits) {
        expect(traded(answer).trigger?.state).toBe('untriggered');
        naive.waiting[one.side] = { offset: one.offset };
      } else {
        expect(answer).toMatchObject({ kind: 'refused', code: 13907 });
      }
    });
  }

  write(): void {
    for (const event of this.desk.exchange.drainEvents()) {
      if (event.kind === 'print') continue;
      this.journal.push(JSON.parse(JSON.stringify(journalRecord(event as AccountEvent))));
    }
  }
}

/** Compares both implementations of one RFQ. */
function compare(trial: Trial, both: Both): void {
  const { shape, naive, ids } = both;
  const { desk } = trial;
  const taker = desk.seen(TAKER, ids.get(TAKER));
  expect(taker.status).toBe(naive.status);
  for (const [mine, shown] of [
    ['buy', taker.asks],
    ['sell', taker.bids],
  ] as const) {
    const best = naive.status === 'open' ? naive.best(mine) : undefined;
    expect(shown.map(({ price: at }) => toNumber(at))).toEqual(
      best === undefined ? [] : [Number(wholePrice(shape, best.offset))],
    );
  }
  for (const quote of naive.quotes) {
    const [known] = desk.exchange.rfqs.quotes({
      account: quote.maker as AccountId,
      quoteId: quote.id,
    });
    expect(known?.status).toBe(quote.status);
    expect(toNumber(must(known, 'known').filledQuantity) * shape.perQuantity).toBeCloseTo(
      quote.filled,
      6,
    );
  }
  for (const account of MAKERS) blindness(trial, both, account);
}

/** A maker must not see which other makers were addressed, nor what they or the taker do. */
function blindness({ desk }: Trial, { naive, ids }: Both, account: AccountId): void {
  const own = ids.get(account);
  for (const [other, id] of ids) {
    if (other !== account) expect(desk.exchange.rfqs.rfq(account, id)).toBeUndefined();
  }
  if (own === undefined) return;
  const view = desk.seen(account, own);
  const hidden = [view.makers, view.bids, view.asks, view.triggers, view.allocations];
  expect(hidden).toEqual([[], [], [], [], []]);
  expect(view.label).toBeUndefined();
  const isIn = [...(naive.fills?.by.keys() ?? [])].some((quote) => quote.maker === account);
  const alias = desk.exchange.rfqs.aliasOf(account);
  expect(view.fills.filter(({ maker: name }) => name !== undefined).map((f) => f.maker)).toEqual(
    isIn ? [alias] : [],
  );
  const status = { created: 'open', filled: isIn ? 'filled' : 'traded' } as Record<string, string>;
  expect(view.status).toBe(status[naive.status] ?? naive.status);
}

const sumOf = (values: readonly { toNumber(): number }[]): number =>
  values.reduce((sum, value) => sum + value.toNumber(), 0);

/** One price, full quantity, hedge and allocations without remainder. */
function settledExactly({ desk }: Trial, { shape, naive, ids, shares }: Both): void {
  const { fills } = naive;
  if (fills === undefined) return;
  const rfqId = must(ids.get(TAKER), 'his id');
  const view = desk.seen(TAKER, rfqId);
  const { trades } = desk.exchange.rfqs.blockTrades({ account: TAKER, rfqId, count: 100 });
  const makers = new Set([...fills.by.keys()].map((quote) => quote.maker));
  expect(trades).toHaveLength(makers.size);
  const prices = [...view.fills, ...trades].map(({ price: at }: Pick<RfqFillRecord, 'price'>) =>
    toNumber(at),
  );
  expect(new Set(prices)).toEqual(new Set([Number(wholePrice(shape, fills.offset))]));
  expect(sumOf(trades.map(({ quantity: q }) => q))).toBeCloseTo(toNumber(view.quantity), 9);
  for (const { rows, price: at, side: own } of trades) {
    const legs = rows.filter(({ isHedge }) => !isHedge);
    const sum = legs.reduce((all, row, n) => {
      const { ratio } = must(shape.legs[n], 'a leg');
      return all + (row.side === 'buy' ? 1 : -1) * ratio * toNumber(row.price);
    }, 0);
    expect(own === 'buy' ? sum : -sum).toBeCloseTo(toNumber(at), 9);
    for (const row of rows) {
      if (shares.length === 0) continue;
      expect(sumOf(row.allocations.map(({ quantity: q }) => q))).toBeCloseTo(
        toNumber(row.quantity),
        9,
      );
      expect(
        sumOf(row.allocations.map(({ fee }) => must(fee, 'each share has its fee'))),
      ).toBeCloseTo(toNumber(row.fee), 9);
      expect(row.allocations.every(({ quantity: q }) => toNumber(q) >= 0)).toBe(true);
    }
  }
  for (const [n, share] of shares.entries()) {
    const first = trades.flatMap(({ rows }) => rows[0]?.allocations[n]?.quantity ?? []);
    const ratio = must(shape.legs[0], 'a leg').ratio;
    expect(sumOf(first) * shape.perQuantity).toBeCloseTo(share * ratio, 6);
  }
  const hedged = trades.flatMap(({ rows }) => rows.filter(({ isHedge }) => isHedge));
  const wanted = view.hedge === undefined ? 0 : toNumber(view.hedge.quantity);
  expect(sumOf(hedged.map(({ quantity: q }) => q))).toBe(wanted);
}

function nothingIsMadeUp({ desk }: Trial): void {
  for (const { name } of desk.exchange.instruments()) {
    const held = [TAKER, ...MAKERS].map(
      (account) =>
        desk.exchange.positions(account).find((position) => position.instrument === name)?.quantity,
    );
    expect(sumOf(held.flatMap((quantity) => quantity ?? []))).toBeCloseTo(0, 6);
  }
}

describe('Block RFQs against the naive implementation', () => {
  it('both agree for random takers, makers and time, and survive every restart', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 40, maxLength: 80, size: 'max' }),
        fc.nat(100),
        (steps, cut) => {
          const trial = new Trial();
          trial.write();
          trial.journal.length = 0;
          let snapshot = trial.desk.exchange.snapshot();
          for (const [at, one] of steps.entries()) {
            trial.take(one);
            trial.write();
            for (const both of trial.all) compare(trial, both);
            if (at !== cut) continue;
            snapshot = JSON.parse(JSON.stringify(trial.desk.exchange.snapshot()));
            trial.journal.length = 0;
          }
          trial.pass(LIFE_MS);
          trial.write();
          for (const both of trial.all) {
            compare(trial, both);
            expect(both.naive.isLive).toBe(false);
            settledExactly(trial, both);
          }
          for (const account of MAKERS) expect(trial.desk.quotesOf(account)).toEqual([]);
          nothingIsMadeUp(trial);
          const restored = Exchange.restore(snapshot, endless());
          restored.applyJournal(trial.journal);
          restored.applyJournal(trial.journal.slice(-20));
          expect(restored.stateHash()).toBe(trial.desk.exchange.stateHash());
          const { journal } = trial;
          expectSameAfterRestarts(trial.desk.exchange, { snapshot, journal, options: endless() });
        },
      ),
      { numRuns: cases(20) },
    );
  });

  it('the same requests give the same answers', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const run = () => {
          const trial = new Trial();
          for (const one of steps) trial.take(one);
          return trial.desk.exchange.stateHash();
        };
        expect(run()).toBe(run());
      }),
      { numRuns: cases(10) },
    );
  });
});
