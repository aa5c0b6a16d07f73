// Reads the rows of a table from the events of the ledger, one portfolio after the other: no more than the children and slices
// of one portfolio are in memory, and of its fills none.
import { PostgresAuditRecords } from '../../../adapters/postgres/records/postgres-audit-records.ts';
import type { PortfolioEvent } from '../../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../core/portfolio/aggregate/portfolio-state.ts';
import { Replay } from '../../../core/portfolio/aggregate/replay.ts';
import { LegHistoryBuilder } from '../../../core/report/leg-history.ts';
import type { ArchivedReads } from '../../../ports/archive/archived-reads.ts';
import type { AccountId, PortfolioId } from '../../../values/ids.ts';
import { INSTANT_MAX } from '../../../values/instant.ts';
import { FillRows } from './fill-rows.ts';
import { childRows, legRows, portfolioRow, sliceRows } from './history-rows.ts';
import type { LedgerTable, TableRow } from './ledger-columns.ts';

export interface RowsQuery {
  /** One account; all if absent. */
  readonly account?: AccountId | undefined;
  /**
   * By the time of what a row is about: when it traded, was due, was intended or submitted. Unix milliseconds; `from` is
   * included, `until` is not, so that the rows of consecutive periods are all rows, each once.
   */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

export interface LedgerToRead {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  /** Where the events of archived days are; absent: a portfolio of such a day is refused. */
  readonly archive?: Pick<ArchivedReads, 'eventsAfter'> | undefined;
}

const PORTFOLIOS_AT_ONCE = 200;
const EVENTS_AT_ONCE = 1_000;

/**
 * Opens the ledger, yields the rows in order of portfolio and history, and closes it, even if the consumer stops early. Rejects with
 * `EventsArchived` if the archive is needed and cannot be read.
 */
export async function* ledgerRows(
  ledger: LedgerToRead,
  table: LedgerTable,
  query: RowsQuery,
): AsyncGenerator<TableRow> {
  const records = new PostgresAuditRecords(ledger);
  const { account, from = 0, until = INSTANT_MAX } = query;
  const isWithin = ([at]: TimedRow): boolean => at >= from && at < until;
  try {
    for (let after: PortfolioId | undefined; ; ) {
      const of = { account, from, until };
      const some = await records.portfoliosOf(of, after, PORTFOLIOS_AT_ONCE);
      for (const portfolio of some) {
        const rows = rowsOf[table](portfolio, eventsOf(records, portfolio));
        for await (const row of rows) if (isWithin(row)) yield row[1];
      }
      after = some.at(-1);
      if (some.length < PORTFOLIOS_AT_ONCE) return;
    }
  } finally {
    await records.close();
  }
}

async function* eventsOf(
  records: Pick<PostgresAuditRecords, 'eventsAfter'>,
  portfolio: PortfolioId,
): AsyncGenerator<PortfolioEvent> {
  for (let version = 0; ; ) {
    const events = await records.eventsAfter(portfolio, version, EVENTS_AT_ONCE);
    yield* events;
    version += events.length;
    if (events.length < EVENTS_AT_ONCE) return;
  }
}

/** With the time by which it is chosen, in Unix milliseconds. */
export type TimedRow = readonly [at: number, row: TableRow];
type Events = AsyncIterable<PortfolioEvent>;

const rowsOf: Readonly<
  Record<LedgerTable, (portfolio: PortfolioId, events: Events) => AsyncGenerator<TimedRow>>
> = {
  fills: fillsIn,
  slices: told(sliceRows),
  children: told(childRows),
  portfolios: told((state, teller) => [portfolioRow(state, teller)]),
  legs: told((state) => legRows(state)),
};

async function* fillsIn(portfolio: PortfolioId, events: Events): AsyncGenerator<TimedRow> {
  const rows = new FillRows(portfolio);
  for await (const event of events) {
    const row = rows.add(event);
    if (row !== undefined) yield row;
  }
}

/** For rows that are known once the whole history has been read. */
function told(rows: (state: PortfolioState, teller: LegHistoryBuilder) => Iterable<TimedRow>) {
  return async function* (portfolio: PortfolioId, events: Events): AsyncGenerator<TimedRow> {
    const replay = new Replay(portfolio);
    const teller = new LegHistoryBuilder();
    for await (const event of events) {
      replay.add(event);
      teller.add(event);
    }
    if (replay.state !== undefined) yield* rows(replay.state, teller);
  };
}
