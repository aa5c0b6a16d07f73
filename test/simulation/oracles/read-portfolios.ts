// What can be read of a portfolio once a run is over: its events as they are stored, and the record that clients read.
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioSummary } from '../../../src/core/portfolio/summary/portfolio-summary.ts';
import { canonical } from '../../../src/engine/audit/audit-walk.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { PortfolioBook } from './portfolio-book.ts';

/** The events of a ledger that keeps them as text; those that say the same are the ones that were written. */
export const fromText =
  (ledger: Ledger) =>
  async ({ id, events }: PortfolioBook): Promise<readonly PortfolioEvent[]> =>
    (await fromMemory(ledger)({ id })).map((event, index) => {
      const written = events[index];
      return written !== undefined && canonical(written) === canonical(event) ? written : event;
    });

export const fromMemory =
  (ledger: Ledger) =>
  async ({ id }: Pick<PortfolioBook, 'id'>): Promise<readonly PortfolioEvent[]> =>
    (await ledger.load(id))?.events ?? [];

/** The record that every daemon answers from. */
export const recordIn =
  (ledger: Ledger) =>
  async ({ id }: Pick<PortfolioBook, 'id'>): Promise<PortfolioSummary | undefined> =>
    (await ledger.row(id))?.record;
