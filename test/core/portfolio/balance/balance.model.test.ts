// Random Smart Balance portfolios under any order of commands, with fills, refusals, lost requests, late and
// duplicate reports, pauses and amendments: after each command the bound on the imbalance holds, parts end at their
// targets and the state is the fold of its events; and from any state the portfolio ends with exact totals.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { legTargetAfter } from '../../../../src/core/portfolio/aggregate/part-allowance.ts';
import { isTerminal } from '../../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { LIMIT_NAMES } from '../../../../src/core/terms/amend-limits.ts';
import type { AmendTerms } from '../../../../src/core/terms/amend-terms.ts';
import type { PortfolioForm } from '../../../../src/core/terms/form.ts';
import { isMore, price, quantity, text } from '../../../../src/values/amounts.ts';
import { parseChildLabel } from '../../../../src/values/ids.ts';
import { INSTANT_MAX } from '../../../../src/values/instant.ts';
import { cases } from '../../../support/cases.ts';
import {
  BalanceRun,
  balanceForm,
  CALL,
  COIN,
  callLeg,
  coinLeg,
  INSTRUMENTS,
  perpLeg,
} from '../../../support/engine/balance-run.ts';
import { expectNewsOrder, newsOfAll } from '../../../support/engine/news-order.ts';
import { expectSliceSums } from '../../../support/engine/slice-sums.ts';
import { plainState } from '../../../support/plain-state.ts';

type Leg = PortfolioForm['legs'][number];

const STEPS = [
  'pass',
  'pass',
  'pass',
  'wake',
  'wake',
  'serve',
  'serve',
  'serve',
  'lose',
  'lose_served',
  'refuse',
  'trade',
  'trade',
  'strike',
  'bring',
  'bring',
  'bring',
  'market',
  'pause',
  'resume',
  'amend',
  'amend',
  'cancel',
] as const;

const LIFTED = { limits: {}, lifted: LIMIT_NAMES } as const;

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

const makers = [
  (lots: number) => perpLeg({ quantity: quantity(String(10 * lots)) }),
  (lots: number) => coinLeg({ quantity: quantity((lots / 10_000).toFixed(4)) }),
  (lots: number) => callLeg({ quantity: quantity((lots / 10).toFixed(1)) }),
] as const;

/** Prices in the middle of the market of each instrument. */
const middle = (leg: Leg) =>
  leg.instrument === CALL.name
    ? { price: price('0.05'), priceIn: 'BTC' }
    : { price: price('100000'), priceIn: leg.instrument === COIN.name ? 'USDC' : 'USD' };

const manners = fc.constantFrom<(leg: Leg) => Leg>(
  (leg) => leg,
  (leg) => ({ ...leg, priceOptions: { priceType: 'limit', ...middle(leg) } }),
  (leg) => ({
    ...leg,
    priceOptions: {
      priceType: 'dynamic',
      dynamicPriceStrategy: 'mid',
      dynamicMs: 700,
      ...middle(leg),
    },
  }),
);

const PARTS_MAX = 6;

const legs: fc.Arbitrary<readonly Leg[]> = fc
  .tuple(
    fc.subarray([...makers], { minLength: 1 }),
    fc.array(fc.integer({ min: PARTS_MAX, max: 60 }), { minLength: 3, maxLength: 3 }),
    fc.array(manners, { minLength: 3, maxLength: 3 }),
    fc.nat(5),
    fc.nat(5),
  )
  .map(([chosen, lots, priced, leader, hedge]) => {
    const made = chosen.map((make, index) => {
      const leg = make(lots[index] ?? PARTS_MAX);
      return priced[index]?.(leg) ?? leg;
    });
    return made.map((leg, index) => ({
      ...leg,
      priority: index === leader && index !== hedge,
      hedge: index === hedge && made.length > 1,
    }));
  });

const forms: fc.Arbitrary<PortfolioForm> = fc
  .record({
    legs,
    parts: fc.integer({ min: 1, max: PARTS_MAX }),
    eachLimitMs: fc.integer({ min: 1_000, max: 8_000 }),
    totalLimitMs: fc.constantFrom(0, 5_000, 40_000),
    totalEndAction: fc.constantFrom('cancel_remaining' as const, 'fill_by_market' as const),
    partTimeout: fc.constantFrom('chase' as const, 'chase' as const, 'keep' as const),
  })
  .map(({ legs: asked, partTimeout, ...cut }) => balanceForm(asked, cut, { partTimeout }));

class Model extends BalanceRun {
  step({ what, pick, share }: Step): void {
    const { requests, books, told } = this.venue;
    const index = pick % Math.max(1, requests.length);
    const request = requests[index];
    const label = [...books.keys()][pick % Math.max(1, books.size)];
    switch (what) {
      case 'pass':
        return this.pass(Math.floor(share * share * 6_000));
      case 'wake': {
        const wake = this.wakeAt() ?? this.now;
        // Only a pause without an end has no wake-up.
        if (wake === INSTANT_MAX) return expect(this.desk.state.paused).toBeDefined();
        this.now = wake;
        return this.pass();
      }
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
        return this.apply(told[told.length - 1 - (pick % Math.min(8, told.length || 1))]);
      case 'market': {
        const { name } = INSTRUMENTS[pick % INSTRUMENTS.length] ?? COIN;
        return this.show(name, (['both', 'bid', 'ask', 'none'] as const)[pick % 4]);
      }
      case 'pause':
      case 'resume':
        return this.apply({ kind: what, by: '7' });
      case 'amend':
        return this.apply({ kind: 'amend', by: '7', terms: this.#terms(pick, share) });
      case 'cancel':
        if (pick % 6 === 0) this.apply({ kind: 'cancel', reason: 'user_request', by: '7' });
        return;
    }
  }

  /** A different total limit, price limits, or a different price of a LIMIT leg. */
  #terms(pick: number, share: number): AmendTerms {
    const { spec } = this.desk.state;
    const bps = Math.floor(share * 20);
    switch (pick % 4) {
      case 0: {
        const seconds = Math.ceil((this.now - spec.startAt) / 1_000) + Math.floor(share * 30);
        return { durationMs: seconds * 1_000, legs: [] };
      }
      case 1:
        return { legs: [], limits: { limits: { bandBps: bps, slippageMaxBps: bps }, lifted: [] } };
      case 2:
        return { legs: [], limits: LIFTED };
      default: {
        const index = pick % spec.legs.length;
        const { pricing } = spec.legs[index] ?? {};
        if (pricing?.type !== 'limit') return { legs: [] };
        const at = pricing.unit === 'currency' && isMore(pricing.price, price('1')) ? 50 : 0;
        const moved = price(String(Number(text(pricing.price)) + (share < 0.5 ? at : -at)));
        return { legs: [{ index, pricing: { ...pricing, price: moved } }] };
      }
    }
  }

  /** From now on everything is answered in order, resting orders trade, and wake-ups arrive on time. */
  heal(): void {
    for (const { name } of INSTRUMENTS) this.show(name);
    this.apply({ kind: 'amend', by: '7', terms: { legs: [], limits: LIFTED } });
    this.apply({ kind: 'resume', by: '7' });
    for (let round = 0; round < 600 && !this.isOver; round += 1) {
      this.serve(1);
      for (const { name } of INSTRUMENTS) this.trade(name, 1);
      this.#compare();
      if (this.venue.requests.length > 0) continue;
      this.now = this.wakeAt() ?? this.now;
      this.pass();
    }
  }

  /** Compares the open orders with the venue's, as the engine does periodically. */
  #compare(): void {
    for (const child of this.desk.state.children.values()) {
      if (child.state === 'live') this.apply(this.venue.query(child, this.now));
    }
  }

  expectExact(): void {
    const { state } = this.desk;
    const legOf = (label: string): number | undefined => parseChildLabel(label)?.leg;
    state.legs.forEach((leg, index) => {
      expect(text(leg.filled)).toBe(text(this.venue.filled(index, legOf)));
      expect(isMore(leg.filled, state.spec.legs[index]?.quantity ?? leg.filled)).toBe(false);
    });
  }

  /** Checks that parts ended at their targets and that the state is the fold of its events. */
  expectWhole(): void {
    const { state, events } = this.desk;
    for (const event of events) {
      if (event.kind !== 'part_ended') continue;
      const targets = state.legs.map((_leg, index) =>
        state.spec.legs[index]?.hedge
          ? event.filled[index]
          : text(legTargetAfter(state, index, event.part + 1)),
      );
      expect(event.filled).toEqual(targets);
    }
    expect(plainState(this.desk.replayed())).toBe(plainState(state));
  }
}

describe('a Smart Balance portfolio under any order of commands', () => {
  test('the imbalance stays within its bound, and the totals at the end are exact', () => {
    fc.assert(
      fc.property(forms, fc.array(step, { maxLength: 120, size: 'max' }), (asked, steps) => {
        const run = new Model(asked);
        for (const one of steps) run.step(one);
        run.expectWhole();
        run.heal();
        const { state } = run.desk;
        expect(isTerminal(state.status), `still ${state.status}`).toBe(true);
        expect(state.children.size).toBe(0);
        run.expectWhole();
        expectSliceSums(state, run.desk.events);
        expectNewsOrder(newsOfAll(run.desk));
        run.expectExact();
        const events = run.desk.events.length;
        for (const report of run.venue.told) run.apply(report);
        expect(run.desk.events.length).toBe(events);
      }),
      { numRuns: cases(80) },
    );
  }, 240_000);

  test('advancing twice at the same instant adds nothing, and the next check is later', () => {
    fc.assert(
      fc.property(forms, fc.array(step, { maxLength: 60, size: 'max' }), (asked, steps) => {
        const run = new Model(asked);
        for (const one of steps) run.step(one);
        run.pass();
        const again = run.desk.peek({ kind: 'advance', now: run.now });
        expect(again.events).toEqual([]);
        expect(again.intents.filter(({ kind }) => kind !== 'settle')).toEqual([]);
        const next = run.wakeAt();
        if (!run.isOver) expect(next).toBeGreaterThan(run.now);
        expect(next === undefined).toBe(run.isOver);
      }),
      { numRuns: cases(40) },
    );
  }, 240_000);

  test('an undisturbed portfolio on a market that fills is filled to the last lot', () => {
    fc.assert(
      fc.property(forms, (asked) => {
        const { balanceTrade } = asked;
        const cut = balanceTrade && { ...balanceTrade, totalLimitMs: 0 };
        const run = new Model({ ...asked, balanceTrade: cut });
        run.heal();
        expect(run.desk.state.status).toBe('filled');
        run.expectWhole();
        run.expectExact();
      }),
      { numRuns: cases(60) },
    );
  });
});
