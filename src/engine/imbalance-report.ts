// Reports to the observer how far the legs of a BALANCE portfolio are out of proportion: after every fill, and the
// maximum of each part. The maximum is kept in memory only and is lost on restart.

import type { PortfolioEvent } from '../core/portfolio/aggregate/portfolio-event.ts';
import { isTerminal, type PortfolioState } from '../core/portfolio/aggregate/portfolio-state.ts';
import { measureImbalance } from '../core/portfolio/balance/imbalance-delta.ts';
import type { Observer } from '../ports/observer.ts';
import type { VenueDirectory } from '../ports/venue.ts';
import { instrumentName, type PortfolioId } from '../values/ids.ts';
import type { EngineComponent } from './engine-component.ts';
import { venueOf } from './portfolio-venue.ts';
import type { CommittedTurn } from './turns/committed-turn.ts';

interface Course {
  startedAt: number;
  furthest: number;
}

export interface ImbalanceReportOptions {
  readonly observer: Observer;
  readonly venues: VenueDirectory;
}

export class ImbalanceReport implements EngineComponent {
  readonly #options: ImbalanceReportOptions;
  readonly #courses = new Map<PortfolioId, Course>();

  constructor(options: ImbalanceReportOptions) {
    this.#options = options;
  }

  /** Does nothing for portfolios that are not divided into parts. */
  committed({ state, events }: Pick<CommittedTurn, 'state' | 'events'>): void {
    if (state.spec.balance === undefined || state.spec.mirrorOf !== undefined) return;
    const hasFills = events.some(({ kind }) => kind === 'fill_booked');
    if (hasFills) this.#measure(state);
    for (const event of events) this.#follow(state, event);
    if (isTerminal(state.status)) this.#courses.delete(state.id);
  }

  #measure(state: PortfolioState): void {
    const { observer, venues } = this.#options;
    const venue = venueOf(venues, state);
    const measured = measureImbalance(state, (name) => venue.quote(instrumentName(name)));
    const course = this.#courses.get(state.id);
    if (course !== undefined) course.furthest = Math.max(course.furthest, measured.share);
    observer.observe({ event: 'legs_measured', portfolio: state.id, ...measured });
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
      const ended = { portfolio: id, part: event.part, imbalance: furthest, elapsedMs };
      this.#options.observer.observe({ event: 'part_ended', ...ended });
    }
  }
}
