// The course of one portfolio, read from its events as they come: what its plans called for and when, what was filled, and
// which children rested at which prices. Later events are added to what is there, so that a reader who looks every few
// seconds does not read the history again.
import { plus, type Quantity, quantity, text, ZERO_QUANTITY } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import {
  childLabelOf,
  type InstrumentName,
  type PortfolioId,
  parseChildLabel,
} from '../../../values/ids.ts';
import { INSTANT_MAX, type Instant } from '../../../values/instant.ts';
import type { ChildOrder } from '../../order/child-order.ts';
import type { PortfolioEvent } from '../../portfolio/aggregate/portfolio-event.ts';
import { isTerminal, type PortfolioState } from '../../portfolio/aggregate/portfolio-state.ts';
import { endAt, legSpec, legState, planOf } from '../../portfolio/aggregate/positions.ts';
import { Replay } from '../../portfolio/aggregate/replay.ts';
import type {
  CourseChild,
  CourseFill,
  LegCourse,
  MarketPoint,
  PlanPoint,
  PortfolioCourse,
} from './course-shapes.ts';

interface Closed {
  readonly at: number;
  readonly version: number;
  readonly state: CourseChild['state'];
}

interface Child {
  readonly label: string;
  readonly slice: number;
  readonly attempt: number;
  readonly quantity: string;
  readonly prices: { readonly at: number; readonly price: string }[];
  closed?: Closed | undefined;
}

interface Leg {
  /** By slice. */
  plan: PlanPoint[];
  readonly fills: Fill[];
  filled: Quantity;
  readonly open: Map<string, Child>;
  /** Closed ones; the oldest leave. */
  readonly closed: { readonly child: Child; readonly filled: string }[];
}

interface Fill {
  readonly version: number;
  readonly shown: CourseFill;
}

export interface CourseQuestion {
  readonly now: Instant;
  /** Only fills and closed children of later versions. */
  readonly after: number;
  readonly market: ReadonlyMap<InstrumentName, readonly MarketPoint[]>;
}

/** Points of a chart, at most. */
const PLAN_POINTS = 1_000;
const FILL_POINTS = 2_000;
const CLOSED_KEPT = 200;

export class CourseBuilder {
  readonly #replay: Replay;
  readonly #legs: Leg[] = [];
  #version = 0;

  constructor(portfolio: PortfolioId) {
    this.#replay = new Replay(portfolio);
  }

  /** Number of events that were added. */
  get version(): number {
    return this.#version;
  }

  /** `undefined` before the first event. */
  get state(): PortfolioState | undefined {
    return this.#replay.state;
  }

  /** Events in the order of the history, from the first. */
  add(event: PortfolioEvent): void {
    this.#replay.add(event);
    this.#version += 1;
    switch (event.kind) {
      case 'submitted':
      case 'amended':
        this.#plan();
        break;
      case 'part_started':
        for (const [leg, target] of event.targets.entries()) {
          this.#leg(leg).plan.push({ at: event.at, quantity: target });
        }
        break;
      case 'fill_mirrored':
        if (event.quantity !== '0') this.#fill(event.leg, event);
        break;
      case 'child_intended':
        this.#leg(event.leg).open.set(event.label, {
          label: event.label,
          slice: event.slice,
          attempt: event.attempt,
          quantity: event.quantity,
          prices: [{ at: event.at, price: event.price }],
        });
        break;
      default:
        if ('label' in event) this.#ofChild(event);
    }
  }

  /** @throws InvariantBroken before the first event. */
  course({ now, after, market }: CourseQuestion): PortfolioCourse {
    const state = must(this.#replay.state, 'a portfolio begins with its submission');
    const end = endAt(state.spec);
    return {
      portfolioId: Number(state.id),
      version: this.#version,
      timestamp: now,
      startTimestamp: state.spec.startAt,
      endTimestamp: end === INSTANT_MAX ? null : end,
      overTimestamp: isTerminal(state.status) ? state.updatedAt : null,
      legs: state.legs.map((of, leg): LegCourse => {
        const { instrument, side, hedge, quantity: total } = legSpec(state, leg);
        const { plan, fills } = this.#leg(leg);
        return {
          leg,
          instrument,
          side,
          hedge,
          quantity: text(total),
          filled: text(of.filled),
          plan: thinned(plan, PLAN_POINTS),
          fills: thinned(
            fills.filter(({ version }) => version > after).map(({ shown: fill }) => fill),
            FILL_POINTS,
          ),
          children: this.#children(leg, after),
          market: market.get(instrument as InstrumentName) ?? [],
        };
      }),
    };
  }

  #leg(leg: number): Leg {
    const known = this.#legs[leg] ?? {
      plan: [],
      fills: [],
      filled: ZERO_QUANTITY,
      open: new Map(),
      closed: [],
    };
    this.#legs[leg] = known;
    return known;
  }

  /** Slices that have started stay as they were planned. */
  #plan(): void {
    const state = must(this.#replay.state, 'the event was added');
    if (state.spec.balance !== undefined || state.spec.mirrorOf !== undefined) return;
    for (const leg of state.legs.keys()) {
      if (legSpec(state, leg).hedge) continue;
      const plan = planOf(state, leg);
      const of = this.#leg(leg);
      of.plan = of.plan.slice(0, legState(state, leg).nextSlice);
      for (let slice = of.plan.length; slice < plan.slices; slice += 1) {
        of.plan.push({ at: plan.dueAt(slice), quantity: text(plan.targetAfter(slice)) });
      }
    }
  }

  #ofChild(event: PortfolioEvent & { readonly label: string }): void {
    const leg = parseChildLabel(event.label)?.leg;
    if (leg === undefined) return;
    if (event.kind === 'fill_booked') this.#fill(leg, event);
    const child = this.#leg(leg).open.get(event.label);
    if (child === undefined) return;
    switch (event.kind) {
      case 'edit_done':
        child.prices.push({ at: event.at, price: event.price });
        break;
      case 'child_rejected':
        this.#close(leg, child, { at: event.at, state: 'rejected' });
        break;
      case 'child_unsent':
        this.#close(leg, child, { at: event.at, state: 'unsent' });
        break;
      case 'child_closed':
        this.#close(leg, child, { at: event.at, state: event.state });
        break;
      default:
    }
  }

  #close(leg: number, child: Child, { at, state }: Omit<Closed, 'version'>): void {
    const of = this.#leg(leg);
    of.open.delete(child.label);
    child.closed = { at, state, version: this.#version };
    of.closed.push({ child, filled: text(this.#stateOf(child)?.filled ?? ZERO_QUANTITY) });
    if (of.closed.length > 2 * CLOSED_KEPT) of.closed.splice(0, CLOSED_KEPT);
  }

  #fill(
    leg: number,
    event: Pick<CourseFill, 'quantity' | 'price' | 'liquidity'> & { readonly tradedAt: number },
  ): void {
    const of = this.#leg(leg);
    of.filled = plus(of.filled, quantity(event.quantity));
    of.fills.push({
      version: this.#version,
      shown: {
        at: event.tradedAt,
        quantity: event.quantity,
        price: event.price,
        liquidity: event.liquidity,
        filled: text(of.filled),
      },
    });
  }

  #children(leg: number, after: number): readonly CourseChild[] {
    const { open, closed } = this.#leg(leg);
    const known = closed
      .slice(-CLOSED_KEPT)
      .filter(({ child }) => (child.closed?.version ?? 0) > after)
      .map(({ child, filled }) => shown(child, child.closed?.state ?? 'cancelled', filled));
    const live = [...open.values()].map((child) => {
      const order = this.#stateOf(child);
      return shown(child, stateWord(order), text(order?.filled ?? ZERO_QUANTITY));
    });
    return [...known, ...live];
  }

  #stateOf({ label }: Child): ChildOrder | undefined {
    return this.#replay.child(childLabelOf(label));
  }
}

function stateWord(order: ChildOrder | undefined): CourseChild['state'] {
  if (order === undefined) return 'unknown';
  return order.state === 'live' && order.cancel !== undefined ? 'cancelling' : order.state;
}

const shown = (
  { label, slice, attempt, quantity: size, prices, closed }: Child,
  state: CourseChild['state'],
  filled: string,
): CourseChild => ({
  label,
  slice,
  attempt,
  state,
  quantity: size,
  filled,
  prices: [...prices],
  closedAt: closed?.at ?? null,
});

/** Every nth point, counted so that the last one stays. */
function thinned<T>(points: readonly T[], most: number): readonly T[] {
  const every = Math.ceil(points.length / most);
  if (every <= 1) return points;
  return points.filter((_point, index) => (points.length - 1 - index) % every === 0);
}
