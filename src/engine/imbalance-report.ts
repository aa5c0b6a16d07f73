// Reports to the observer how far the legs of a BALANCE portfolio are out of proportion: after every fill, and the
// maximum of each part. The maximum is kept in memory only and is lost on restart.

import type { QuoteLookup } from '../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../core/portfolio/aggregate/portfolio-event.ts';
import { isTerminal, type PortfolioState } from '../core/portfolio/aggregate/portfolio-state.ts';
import { measureImbalance } from '../core/portfolio/balance/imbalance-delta.ts';
import type { Observer } from '../ports/observer.ts';
import type { PortfolioId } from '../values/ids.ts';

interface Course {
  startedAt: number;
  furthest: number;
}

interface TurnOfParts {
  readonly state: PortfolioState;
  readonly events: readonly PortfolioEvent[];
  readonly quotes: QuoteLookup;
}

export class ImbalanceReport {
  readonly #observer: Observer;
  readonly #courses = new Map<PortfolioId, Course>();

  constructor(observer: Observer) {
    this.#observer = observer;
  }

  /** Call once per durable turn; does nothing for portfolios that are not divided into parts. */
  tell({ state, events, quotes }: TurnOfParts): void {
    if (state.spec.balance === undefined || state.spec.mirrorOf !== undefined) return;
    const hasFills = events.some(({ kind }) => kind === 'fill_booked');
    if (hasFills) this.#measure(state, quotes);
    for (const event of events) this.#follow(state, event);
    if (isTerminal(state.status)) this.#courses.delete(state.id);
  }

  #measure(state: PortfolioState, quotes: QuoteLookup): void {
    const measured = measureImbalance(state, quotes);
    const course = this.#courses.get(state.id);
    if (course !== undefined) course.furthest = Math.max(course.furthest, measured.share);
    this.#observer.legsMeasured({ portfolio: state.id, ...measured });
  }

  #follow({ id, part }: PortfolioState, event: PortfolioEvent): void {
    if (event.kind === 'part_started') {
      this.#courses.set(id, { startedAt: event.at, furthest: 0 });
    } else if (event.kind === 'part_ended') {
      const { startedAt, furthest } = this.#courses.get(id) ?? {
        startedAt: part?.startedAt ?? event.at,
        furthest: 0,
      };
      const elapsedMs = Math.max(0, event.at - startedAt);
      this.#observer.partEnded({ portfolio: id, part: event.part, imbalance: furthest, elapsedMs });
    }
  }
}
