// Any order of commands, including late, duplicate and stale reports of a truthful venue: after each command the
// invariants hold and the state is the fold of its events, and from any state the portfolio reaches its end.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertInvariants } from '../../src/core/portfolio/aggregate/invariants.ts';
import type { PortfolioEvent } from '../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { OrderIntent } from '../../src/core/portfolio/aggregate/portfolio-intent.ts';
import { isTerminal } from '../../src/core/portfolio/aggregate/portfolio-state.ts';
import { committedOf, legSpec } from '../../src/core/portfolio/aggregate/positions.ts';
import { nextDueAt, nextWakeAt } from '../../src/core/portfolio/next-wake.ts';
import type { AmendTerms } from '../../src/core/terms/amend-terms.ts';
import type { PortfolioForm } from '../../src/core/terms/form.ts';
import {
  isMore,
  onStep,
  share as part,
  price,
  quantity,
  ratioOf,
  text,
} from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { parseChildLabel } from '../../src/values/ids.ts';
import { INSTANT_MAX, type Instant, later } from '../../src/values/instant.ts';
import { cases } from '../support/cases.ts';
import { CoreDesk } from '../support/engine/core-desk.ts';
import { type Answer, CoreVenue } from '../support/engine/core-venue.ts';
import { form, legForm } from '../support/engine/engine-world.ts';
import { NOON, perpetual, quote, spot } from '../support/engine/markets.ts';
import { expectNewsOrder, newsOfAll } from '../support/engine/news-order.ts';
import { expectSliceSums } from '../support/engine/slice-sums.ts';
import { plainState } from '../support/plain-state.ts';

const PERP = perpetual();
const COIN = spot();
const INSTRUMENTS = [PERP, COIN];

const STEPS = [
  'pass',
  'pass',
  'pass',
  'wake',
  'wake',
  'serve',
  'serve',
  'lose',
  'lose_served',
  'refuse',
  'trade',
  'strike',
  'bring',
  'bring',
  'market',
  'cancel',
  'hold',
  'amend',
] as const;

interface Step {
  readonly what: (typeof STEPS)[number];
  readonly pick: number;
  readonly share: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...STEPS),
  pick: fc.nat(1_000),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

const pricings = fc.constantFrom<Partial<ReturnType<typeof legForm>>>(
  {},
  { timeInForce: 'fok' },
  { priceOptions: { priceType: 'limit', price: price('100000'), priceIn: 'USD' } },
  {
    priceOptions: {
      priceType: 'dynamic',
      price: price('100000'),
      priceIn: 'USD',
      dynamicPriceStrategy: 'mid',
      dynamicMs: 700,
    },
  },
);

/** Caps inside, at the edge of and outside the displayed market. */
const worsts = fc.constantFrom(
  undefined,
  undefined,
  price('99990'),
  price('100000'),
  price('100030'),
);

const STEADY = { priceType: 'market' } as const;

/** Every option occasionally, alone and in combination. */
const options: fc.Arbitrary<PortfolioForm['execution']> = fc.record(
  {
    phase: fc.constantFrom(0, 0.5, 0.9),
    catchUp: fc.constantFrom('spread' as const, 'front' as const),
    aim: fc.constantFrom('end' as const, 'middle' as const),
    downtime: fc.constantFrom('catch_up' as const, 'skip' as const),
    maxCatchUp: fc.constantFrom(1, 2.5),
    randomSize: fc.double({ min: 0, max: 0.9, noNaN: true }),
    randomTime: fc.double({ min: 0, max: 0.9, noNaN: true }),
    seed: fc.constantFrom('a', 'b'),
    slippageMaxBps: fc.constantFrom(0, 1, 50),
    bandBps: fc.constantFrom(0, 1, 50),
    spreadMaxBps: fc.constantFrom(0.1, 50),
    participationMax: fc.constantFrom(0.001, 1),
    avoidWindows: fc.boolean(),
    would: fc.constantFrom([{ leg: 0, price: price('100001'), share: 0.5 }]),
  },
  { requiredKeys: [] },
);

const escalations = fc.constantFrom(
  undefined,
  [
    { from: 0, manner: 'post' as const },
    { from: 0.4, manner: 'mid' as const },
    { from: 0.8, manner: 'cross' as const },
  ],
  [{ from: 0, manner: 'rejoin' as const }],
);

const endings = fc.constantFrom<PortfolioForm['execution']>(
  { endAction: 'market' },
  { endAction: 'cancel' },
  { endAction: 'sweep', endCapBps: 5 },
  { endAction: 'extend', extendMs: 7_000 },
);

const forms: fc.Arbitrary<PortfolioForm> = fc
  .record({
    lots: fc.integer({ min: 1, max: 40 }),
    frequencySec: fc.integer({ min: 1, max: 5 }),
    slices: fc.integer({ min: 1, max: 6 }),
    ending: endings,
    option: fc.oneof(fc.constant({}), options),
    escalation: escalations,
    manner: pricings,
    isHedged: fc.boolean(),
    worst: worsts,
  })
  .map(({ lots, frequencySec, slices, ending, option, escalation, manner, isHedged, worst }) => {
    const { priceType } = manner.priceOptions ?? STEADY;
    const isEscalated =
      escalation !== undefined && priceType !== 'dynamic' && manner.timeInForce === undefined;
    const priceOptions = { ...(manner.priceOptions ?? STEADY), worst };
    const main = legForm({ quantity: quantity(String(10 * lots)), ...manner, priceOptions });
    const hedge = legForm({
      instrument: COIN.name,
      instrumentType: 'spot',
      side: 'sell',
      quantity: quantity('0.0123'),
      hedge: true,
    });
    return form({
      twapTrade: { durationSec: slices * frequencySec, frequencySec },
      legs: isHedged ? [main, hedge] : [main],
      execution: {
        ...option,
        ...ending,
        ...(isEscalated && { escalation }),
        // A form is refused if blackout windows prevent its total and no end action fills the rest.
        ...(ending.endAction === 'cancel' && { avoidWindows: false }),
      },
    });
  });

type Told =
  | Answer
  | { readonly kind: 'advance' }
  | { readonly kind: 'pause' | 'resume'; readonly by: string }
  | { readonly kind: 'amend'; readonly by: string; readonly terms: AmendTerms };

/** The test harness and the venue together, with all checks that must hold after each command. */
class Run {
  readonly desk: CoreDesk;
  readonly venue = new CoreVenue(INSTRUMENTS);
  now: Instant = NOON;

  constructor(asked: PortfolioForm) {
    this.desk = new CoreDesk(asked, INSTRUMENTS);
    this.show(0.5);
  }

  show(share: number): void {
    const mid = 100_000 + Math.round((share - 0.5) * 40);
    const traded = quantity(String(Math.floor(share * 1_000)));
    const sides = share < 0.1 ? ([mid - 1, undefined] as const) : ([mid - 1, mid + 1] as const);
    this.desk.quotes.set(PERP.name, quote(PERP, sides, { traded }));
    this.desk.quotes.set(COIN.name, quote(COIN, sides, { traded }));
  }

  apply(answer: Told | undefined): void {
    if (answer === undefined) return;
    const before = this.desk.state;
    const wasOver = isTerminal(before.status);
    const decision = this.desk.run({ ...answer, now: this.now } as Parameters<CoreDesk['run']>[0]);
    const { state } = this.desk;
    assertInvariants(state);
    expectSliceSums(state, this.desk.events);
    expect(state.broken).toBe(false);
    if (wasOver) expect([decision.events, decision.intents]).toEqual([[], []]);
    for (const intent of decision.intents) {
      if ('label' in intent) this.#expectJustified(intent, decision.events);
    }
    state.legs.forEach((_leg, leg) => {
      expect(isMore(committedOf(state, leg), legSpec(state, leg).quantity)).toBe(false);
    });
    this.#expectWake();
    this.venue.take(decision.intents);
  }

  #expectJustified(intent: OrderIntent, events: readonly PortfolioEvent[]): void {
    const kinds = { place: 'child_intended', edit: 'edit_intended', cancel: 'cancel_intended' };
    if (intent.kind === 'settle') {
      expect(this.desk.state.children.has(intent.label)).toBe(true);
      return;
    }
    const { pricing, side } = legSpec(this.desk.state, legOf(intent.label) ?? 0);
    if ('price' in intent && pricing.worst !== undefined) {
      const [high, low] =
        side === 'buy' ? [intent.price, pricing.worst] : [pricing.worst, intent.price];
      expect(isMore(high, low), `${text(intent.price)} beyond ${text(pricing.worst)}`).toBe(false);
    }
    const reason = events.find(
      (event) =>
        event.kind === kinds[intent.kind] && 'label' in event && event.label === intent.label,
    );
    expect(reason).toBeDefined();
  }

  /** A wake-up is always scheduled until the end, and never in the past. */
  #expectWake(): void {
    const { state, settings } = this.desk;
    const due = nextDueAt(state, settings);
    expect(due === undefined).toBe(isTerminal(state.status));
    if (due === undefined) return;
    expect(due).toBeLessThan(INSTANT_MAX);
    expect(nextWakeAt(state, { now: this.now, due, settings })).toBeGreaterThan(this.now);
  }

  wakeAt(): Instant | undefined {
    const { state, settings } = this.desk;
    const due = nextDueAt(state, settings);
    return due && nextWakeAt(state, { now: this.now, due, settings });
  }

  step({ what, pick, share }: Step): void {
    const { requests, books, told } = this.venue;
    const index = pick % Math.max(1, requests.length);
    const request = requests[index];
    const label = [...books.keys()][pick % Math.max(1, books.size)];
    switch (what) {
      case 'pass':
        this.now = later(this.now, Math.floor(share * share * 4_000));
        return this.apply({ kind: 'advance' });
      case 'wake':
        this.now = this.wakeAt() ?? this.now;
        return this.apply({ kind: 'advance' });
      case 'serve':
        requests.splice(index, 1);
        return this.apply(request && this.venue.serve(request, this.now, share));
      case 'lose':
      case 'lose_served':
        requests.splice(index, 1);
        return this.apply(request && this.venue.lose(request, this.now, what === 'lose_served'));
      case 'refuse':
        if (request?.kind !== 'place' && request?.kind !== 'edit') return;
        requests.splice(index, 1);
        return this.apply(this.venue.refuse(request, share < 0.5));
      case 'trade':
        if (label !== undefined) this.venue.trade(label, this.now, share);
        return;
      case 'strike':
        if (label !== undefined) this.venue.strike(label, this.now);
        return;
      case 'bring':
        return this.apply(told[pick % Math.max(1, told.length)]);
      case 'market':
        return this.show(share);
      case 'hold':
        return this.apply({ kind: share < 0.4 ? 'pause' : 'resume', by: '7' });
      case 'amend':
        return this.#amend(pick, share);
      case 'cancel':
        if (pick % 4 === 0) this.apply({ kind: 'cancel', reason: 'user_request', by: '7' });
        return;
    }
  }

  /** Any total and any end, mostly possible ones; impossible ones are refused. */
  #amend(pick: number, share: number): void {
    const { state } = this.desk;
    const durationMs = pick % 3 === 0 ? (1 + (pick % 20)) * 1_000 : undefined;
    const index = pick % 5 === 0 ? state.legs.length - 1 : 0;
    const { instrument, quantity: total } = legSpec(state, index);
    const { amountStep } = must(state.instruments.get(instrument), instrument);
    const wanted = onStep(part(total, ratioOf(share * 2)), amountStep, 'up');
    const worst = pick % 4 === 0 ? price('100000') : undefined;
    const pricing = pick % 2 === 0 ? ({ type: 'market', worst } as const) : undefined;
    const leg = { index, pricing, ...(pick % 7 === 0 ? {} : { quantity: wanted }) };
    const before = this.desk.state;
    this.apply({ kind: 'amend', by: '7', terms: { durationMs, legs: [leg] } });
    const { state: after } = this.desk;
    const isAmended = after.amendments > before.amendments;
    if (isAmended && leg.quantity) expect(legSpec(after, index).quantity).toEqual(wanted);
    if (!isAmended) expect(after.spec).toBe(before.spec);
  }

  /** From now on everything is answered in order, and wake-ups arrive on time. */
  heal(): void {
    this.show(0.5);
    for (let i = 0; i < 2_000 && !isTerminal(this.desk.state.status); i += 1) {
      for (const request of this.venue.requests.splice(0)) {
        this.apply(this.venue.serve(request, this.now, 1));
      }
      this.now = this.wakeAt() ?? this.now;
      this.apply({ kind: 'advance' });
    }
  }
}

const legOf = (label: string): number | undefined => parseChildLabel(label)?.leg;

describe('a portfolio under any order of commands', () => {
  test('the invariants hold, the state is the fold of the events, and the totals at the end are exact', () => {
    fc.assert(
      fc.property(forms, fc.array(step, { maxLength: 120, size: 'max' }), (asked, steps) => {
        const run = new Run(asked);
        for (const one of steps) run.step(one);
        expect(plainState(run.desk.replayed())).toBe(plainState(run.desk.state));
        run.heal();
        expectSliceSums(run.desk.state, run.desk.events);
        expectNewsOrder(newsOfAll(run.desk));
        const { state } = run.desk;
        expect(isTerminal(state.status), `still ${state.status}`).toBe(true);
        expect(state.children.size).toBe(0);
        state.legs.forEach((leg, index) => {
          expect(text(leg.filled)).toBe(text(run.venue.filled(index, legOf)));
        });
        expect(plainState(run.desk.replayed())).toBe(plainState(state));
        for (const report of run.venue.told) run.apply(report);
      }),
      { numRuns: cases(120) },
    );
  }, 240_000);

  test('a hedge amended to zero trades nothing, and the portfolio ends', () => {
    const hedge = legForm({
      instrument: COIN.name,
      instrumentType: 'spot',
      side: 'sell',
      hedge: true,
      quantity: quantity('0.0123'),
    });
    const run = new Run(form({ legs: [legForm({ quantity: quantity('10') }), hedge] }));
    run.step({ what: 'amend', pick: 5, share: 0 });
    expect(text(legSpec(run.desk.state, 1).quantity)).toBe('0');
    run.heal();
    expect(isTerminal(run.desk.state.status)).toBe(true);
    expect(run.desk.state.legs.map(({ filled }) => text(filled))).toEqual(['10', '0']);
  });

  test('advancing twice at the same instant adds nothing', () => {
    fc.assert(
      fc.property(forms, fc.array(step, { maxLength: 60, size: 'max' }), (asked, steps) => {
        const run = new Run(asked);
        for (const one of steps) run.step(one);
        run.apply({ kind: 'advance' });
        const again = run.desk.peek({ kind: 'advance', now: run.now });
        expect(again.events).toEqual([]);
        expect(again.intents.filter(({ kind }) => kind !== 'settle')).toEqual([]);
      }),
      { numRuns: cases(60) },
    );
  });
});
