// Reports about children that have left the state are judged exactly as if the state had kept every child. Each turn is
// decided twice, by a state that lets children leave, with the history it reads, and by one that keeps all of them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { VenueOrder } from '../../../src/core/order/venue-report.ts';
import type { PortfolioCommand } from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { fold, Replay } from '../../../src/core/portfolio/aggregate/replay.ts';
import { departedLabels, needsHistory } from '../../../src/core/portfolio/history-needed.ts';
import { restoredState, snapshotOf } from '../../../src/core/portfolio/snapshot/state-snapshot.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { price, quantity, text, ZERO_MONEY, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency, orderId, tradeId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { cases } from '../../support/cases.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { type Answer, CoreVenue } from '../../support/engine/core-venue.ts';
import { form, legForm } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';
import { plainState } from '../../support/plain-state.ts';

const PERP = perpetual();
type Report = Extract<PortfolioCommand, { kind: 'record_report' }>;
type Intended = Extract<PortfolioEvent, { kind: 'child_intended' }>;

/** What happened over all runs: a run in which nothing is recalled shows nothing. */
const seen = new Map<string, number>();
const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);

/** Every settled child stays: among those that never leave. */
const keepingAll = (state: PortfolioState): PortfolioState => {
  const { recent, earlier, blocks } = state.ended;
  const all = new Map([...blocks, ...earlier, ...recent]);
  return { ...state, ended: { recent: new Map(), earlier: new Map(), blocks: all } };
};

const plainEvents = (events: readonly PortfolioEvent[]): string =>
  JSON.stringify(events.filter(({ kind }) => kind !== 'child_recalled'));

/** Everything but the settled children and the number of events. */
const withoutSettled = (state: PortfolioState): string =>
  plainState({ ...state, version: 0, ended: { ...keepingAll(state).ended, blocks: new Map() } });

const stored = (events: readonly PortfolioEvent[]): PortfolioEvent[] =>
  JSON.parse(JSON.stringify(events)) as PortfolioEvent[];

/** One portfolio at two desks, on one venue. */
class Twins {
  readonly desk: CoreDesk;
  readonly complete: CoreDesk;
  readonly venue = new CoreVenue([PERP]);
  now = NOON;

  constructor(asked: PortfolioForm) {
    this.desk = new CoreDesk(asked, [PERP]);
    this.complete = new CoreDesk(asked, [PERP]);
    for (const one of [this.desk, this.complete]) {
      one.quotes.set(PERP.name, quote(PERP, [99_999, 100_001]));
    }
  }

  /** One turn. */
  apply(answers: readonly (Answer | { readonly kind: 'advance' })[]): void {
    const commands = answers.map((answer) => ({ ...answer, now: this.now }) as PortfolioCommand);
    const { desk, complete } = this;
    let departed: CoreDesk['given']['departed'];
    if (needsHistory(desk.state, commands)) {
      note('history read');
      const replay = new Replay(desk.state.id, stored(desk.events));
      departed = replay.childrenOf(departedLabels(desk.state, commands));
    }
    for (const command of commands) {
      desk.given = { departed };
      const decision = desk.run(command);
      departed = decision.inputs.departed;
      const expected = complete.run(command);
      complete.state = keepingAll(complete.state);
      for (const { kind } of decision.events) note(kind);
      expect(plainEvents(decision.events)).toBe(plainEvents(expected.events));
      expect(decision.intents).toEqual(expected.intents);
      expect(withoutSettled(desk.state)).toBe(withoutSettled(complete.state));
      this.venue.take(decision.intents);
    }
  }

  /** Serves what was sent, with `share` of each order traded; every `refused`th is refused, every `lost`th lost. */
  serve({ share, refused, lost }: Round): void {
    for (const [index, request] of this.venue.requests.splice(0).entries()) {
      const isOrder = request.kind === 'place';
      const count = index + this.desk.events.length;
      if (isOrder && refused > 0 && count % refused === 0) {
        this.apply([this.venue.refuse(request, true)]);
      } else if (isOrder && lost > 0 && count % lost === 0) {
        const answer = this.venue.lose(request, this.now, false);
        if (answer !== undefined) this.apply([answer]);
      } else this.apply([this.venue.serve(request, this.now, share)]);
    }
  }

  get intended(): readonly Intended[] {
    return this.desk.events.filter((event) => event.kind === 'child_intended');
  }
}

interface Round {
  readonly afterMs: number;
  readonly share: number;
  readonly refused: number;
  readonly lost: number;
  readonly late: readonly Late[];
}

const LATE = ['repeated', 'traded', 'counted', 'appeared', 'repeated', 'twice'] as const;

/** A report about any child so far. */
interface Late {
  readonly what: (typeof LATE)[number];
  readonly pick: number;
}

const late: fc.Arbitrary<Late> = fc.record({
  what: fc.constantFrom(...LATE),
  pick: fc.nat(10_000),
});

const round = (reports: fc.Arbitrary<readonly Late[]>): fc.Arbitrary<Round> =>
  fc.record({
    afterMs: fc.constantFrom(200, 1_000, 1_000, 3_000),
    share: fc.constantFrom(0, 0.5, 1, 1),
    refused: fc.constantFrom(0, 0, 2, 5),
    lost: fc.constantFrom(0, 0, 0, 7),
    late: reports,
  });

const NEVER = fc.constant<readonly Late[]>([]);
const REPEATED = fc.array(
  fc.record({ what: fc.constant('repeated' as const), pick: fc.nat(10_000) }),
  {
    maxLength: 4,
  },
);

/** Mostly a truthful venue; at the end one that contradicts itself. */
const runs = fc.record({
  legs: fc.constantFrom(1, 1, 2, 3),
  isPatient: fc.boolean(),
  rounds: fc.array(round(fc.oneof(NEVER, REPEATED)), { minLength: 25, maxLength: 60, size: 'max' }),
  lies: fc.array(round(fc.array(late, { maxLength: 16, size: 'max' })), {
    maxLength: 12,
    size: 'max',
  }),
});

function reportOf(twins: Twins, { what, pick }: Late): Report | undefined {
  const { told, books } = twins.venue;
  const base = { kind: 'record_report', now: twins.now } as const;
  const again = told[pick % Math.max(1, told.length)];
  if (what === 'repeated') return again && { ...base, ...again };
  const { intended } = twins;
  // Half of them are about children that are just leaving.
  const from = pick % 2 === 0 ? 0 : Math.max(0, intended.length - 20);
  const child = intended[from + (pick % Math.max(1, intended.length - from))];
  if (child === undefined) return undefined;
  const id = orderId(`o-${child.label}`);
  const trades = [1, 2].map((number) => ({
    tradeId: tradeId(`late-${child.label}-${number}`),
    orderId: id,
    label: child.label,
    instrument: PERP.name,
    side: child.side,
    price: price('100000'),
    quantity: quantity('10'),
    fee: ZERO_MONEY,
    feeCurrency: currency('BTC'),
    liquidity: 'taker' as const,
    at: twins.now,
  }));
  const order: VenueOrder = books.get(child.label)?.order ?? {
    orderId: id,
    label: child.label,
    instrument: PERP.name,
    side: child.side,
    state: 'open',
    price: price(child.price),
    quantity: quantity(child.quantity),
    filledQuantity: ZERO_QUANTITY,
    createdAt: twins.now,
    updatedAt: twins.now,
  };
  if (what === 'appeared') return { ...base, orders: [order], trades: [] };
  if (what === 'traded') return { ...base, orders: [], trades: trades.slice(0, 1) };
  if (what === 'twice') return { ...base, orders: [], trades: [...trades, ...trades] };
  const filledQuantity = quantity(text(order.quantity));
  return { ...base, orders: [{ ...order, state: 'cancelled', filledQuantity }], trades: [] };
}

const asked = (legs: number, isPatient: boolean): PortfolioForm =>
  form({
    legs: Array.from({ length: legs }, () =>
      legForm({
        quantity: quantity('2000'),
        priceOptions: isPatient
          ? { priceType: 'limit', price: price('100000'), priceIn: 'USD' }
          : { priceType: 'market' },
      }),
    ),
    twapTrade: { durationSec: 100, frequencySec: 1 },
    execution: {},
  });

test('a state that lets children leave decides and books exactly what one that keeps all of them does', () => {
  fc.assert(
    fc.property(runs, ({ legs, isPatient, rounds, lies }) => {
      const twins = new Twins(asked(legs, isPatient));
      for (const one of [...rounds, ...lies]) {
        twins.now = later(twins.now, one.afterMs);
        twins.apply([{ kind: 'advance' }]);
        twins.serve(one);
        const reports = one.late.flatMap((each) => reportOf(twins, each) ?? []);
        // Half of them one after the other, the others in one turn.
        const [apart, together] = [reports.slice(0, 2), reports.slice(2)];
        for (const report of apart) twins.apply([report]);
        if (together.length > 0) twins.apply([...together, ...together]);
      }
      const { desk, complete } = twins;
      expect(plainState(desk.replayed())).toBe(plainState(desk.state));
      // Nor does it matter whether a child has left before a snapshot or after it.
      const events = stored(desk.events);
      const cut = Math.ceil(events.length / 2);
      const half = must(fold(desk.state.id, events.slice(0, cut)), 'it was submitted');
      expect(plainState(must(restoredState(snapshotOf(half), events.slice(cut)), 'read'))).toBe(
        plainState(desk.state),
      );
      // A history of a version that kept all children has no `child_recalled`, and gives the same totals.
      const old = must(fold(complete.state.id, stored(complete.events)), 'it was submitted');
      expect(withoutSettled(old)).toBe(withoutSettled(complete.state));
    }),
    { numRuns: cases(14) },
  );
  const counts = ['history read', 'child_recalled', 'assumption_broken'].map(
    (one) => seen.get(one) ?? 0,
  );
  expect(
    counts.every((count) => count > 20),
    `${counts}`,
  ).toBe(true);
}, 240_000);
