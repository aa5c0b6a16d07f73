// Folds a stored history and keeps every settled child at hand, also those that have left the state: so that a report
// about one of them can be judged by what it was, and so that events of versions that kept all children still fold.
import type { ChildLabel, PortfolioId } from '../../../values/ids.ts';
import { childLabelOf } from '../../../values/ids.ts';
import type { ChildOrder } from '../../order/child-order.ts';
import { begin, evolve } from './evolve.ts';
import { withChild } from './evolve-child.ts';
import type { PortfolioEvent } from './portfolio-event.ts';
import type { PortfolioState } from './portfolio-state.ts';
import { childIn, settledChild } from './settled-children.ts';

export class Replay {
  readonly #portfolio: PortfolioId;
  readonly #settled = new Map<ChildLabel, ChildOrder>();
  #state: PortfolioState | undefined;

  constructor(portfolio: PortfolioId, events: readonly PortfolioEvent[] = []) {
    this.#portfolio = portfolio;
    for (const event of events) this.add(event);
  }

  /** `undefined` before the first event. */
  get state(): PortfolioState | undefined {
    return this.#state;
  }

  /** Throws if the event does not fit those before it. */
  add(event: PortfolioEvent): void {
    this.#state =
      this.#state === undefined
        ? first(this.#portfolio, event)
        : evolve(this.#withChildOf(this.#state, event), event);
    if (!('label' in event)) return;
    const child = settledChild(this.#state.ended, childLabelOf(event.label));
    if (child !== undefined) this.#settled.set(child.label, child);
  }

  /** The child as the events have left it, whether or not the state still has it. */
  child(label: string): ChildOrder | undefined {
    const inState = this.#state && childIn(this.#state, label);
    return inState ?? this.#settled.get(childLabelOf(label));
  }

  /** Those of the labels that belong to children. */
  childrenOf(labels: Iterable<ChildLabel>): ReadonlyMap<ChildLabel, ChildOrder> {
    const found = new Map<ChildLabel, ChildOrder>();
    for (const label of labels) {
      const child = this.child(label);
      if (child !== undefined) found.set(label, child);
    }
    return found;
  }

  /** Earlier versions kept every child in the state, and recorded no `child_recalled`. */
  #withChildOf(state: PortfolioState, event: PortfolioEvent): PortfolioState {
    if (!('label' in event) || event.kind === 'child_intended') return state;
    if (event.kind === 'child_recalled' || childIn(state, event.label) !== undefined) return state;
    const child = this.#settled.get(childLabelOf(event.label));
    return child === undefined ? state : withChild(state, child);
  }
}

function first(portfolio: PortfolioId, event: PortfolioEvent): PortfolioState {
  if (event.kind !== 'submitted') throw new Error(`it begins with ${event.kind}`);
  return begin(portfolio, event);
}

/** Folds the whole history; `undefined` without events. */
export function fold(
  portfolio: PortfolioId,
  events: readonly PortfolioEvent[],
): PortfolioState | undefined {
  if (events[0]?.kind !== 'submitted') return undefined;
  return new Replay(portfolio, events).state;
}
