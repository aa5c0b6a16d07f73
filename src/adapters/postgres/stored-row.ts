// Converts a row of the portfolio and summary tables to what was committed. 64-bit numbers arrive as text:
// ids stay text, instants are far below 2^53.
import type { PortfolioSummary } from '../../core/portfolio/summary/portfolio-summary.ts';
import type { StoredRow } from '../../ports/ledger.ts';
import { accountId, portfolioId } from '../../values/ids.ts';
import { type Instant, instant } from '../../values/instant.ts';
import type { InstrumentKind } from '../../values/instrument.ts';
import { listedOf, type StoredStatus } from './status-column.ts';

export interface PortfolioColumns {
  readonly id: string;
  readonly version: number;
  readonly account: string;
  readonly type: string;
  readonly status: StoredStatus;
  readonly strategy: string | null;
  readonly note: string;
  readonly uid: string;
  readonly last_edited_uid: string;
  readonly instruments: readonly string[];
  readonly kinds: readonly InstrumentKind[];
  readonly coin: string;
  readonly submitted_at: string;
  readonly updated_at: string;
  readonly next_due_at: string | null;
  readonly has_fills: boolean;
  readonly record: PortfolioSummary;
  /** The version that the record describes. */
  readonly record_version: number;
}

const instantOf = (text: string): Instant => instant(Number(text));

export function storedRow(columns: PortfolioColumns): StoredRow {
  return {
    portfolio: portfolioId(columns.id),
    version: columns.version,
    account: accountId(columns.account),
    portfolioType: columns.type,
    status: listedOf(columns.status),
    ...(columns.strategy === null ? {} : { strategy: columns.strategy }),
    note: columns.note,
    uid: columns.uid,
    lastEditedUid: columns.last_edited_uid,
    instruments: columns.instruments,
    kinds: columns.kinds,
    coin: columns.coin,
    submittedAt: instantOf(columns.submitted_at),
    updatedAt: instantOf(columns.updated_at),
    hasFills: columns.has_fills,
    ...(columns.next_due_at === null ? {} : { nextDueAt: instantOf(columns.next_due_at) }),
    record: columns.record,
  };
}
