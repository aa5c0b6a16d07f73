// The portfolio of each client, identified by its note: exactly one each, however often the request was repeated,
// and none for a client that is not allowed one.
import type { PortfolioId } from '../../../src/values/ids.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { PortfolioBook } from './portfolio-book.ts';

/** The note of what must be refused. */
export const REFUSED_NOTE = 'must be refused';

export class SubmitOracle {
  readonly #reportBreach: ReportBreach;
  /** Told of each portfolio that has become durable, by its note. */
  onBegun: (note: string) => void = () => undefined;
  readonly #ofNotes = new Map<string, PortfolioId>();

  constructor(reportBreach: ReportBreach) {
    this.#reportBreach = reportBreach;
  }

  /** The portfolio has just become durable. */
  begun({ id, state: { spec } }: PortfolioBook): void {
    if (spec.mirrorOf !== undefined || spec.note === '') return;
    if (spec.note === REFUSED_NOTE)
      this.#reportBreach('I14', `${id} was made by a refused request`);
    const before = this.#ofNotes.get(spec.note);
    if (before !== undefined)
      this.#reportBreach('I14', `${spec.note} has made ${before} and ${id}`);
    this.#ofNotes.set(spec.note, id);
    this.onBegun(spec.note);
  }
}
