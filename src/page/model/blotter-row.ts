// A portfolio as the blotter shows it: figures of its record, with bars as shares of one. Bars are for the eye; every figure
// that is read as a number stands as the gateway wrote it.
import type { LegRecord, PortfolioRecord } from '../../gateway/portfolios/record-schema.ts';

export type StateWord = 'active' | 'waiting' | 'paused' | 'cancelling' | 'filled' | 'cancelled';

export interface BlotterRow {
  readonly id: string;
  readonly account: string;
  readonly accountId: string;
  /** Empty: it was not submitted by a strategy. */
  readonly strategy: string;
  readonly name: string;
  readonly legs: string;
  readonly state: StateWord;
  /** Why it waits, was refused or ended; empty without a reason. */
  readonly why: string;
  /** Shares of the total, 0 to 1: filled, and scheduled by the last update. */
  readonly filled: number;
  readonly scheduled: number;
  /** How far the fills are behind the schedule, as a share of the total; negative: ahead. */
  readonly behind: number;
  readonly endMs: number | undefined;
  readonly submittedMs: number;
  readonly updatedMs: number;
  /** Whether an order of it may be open at a venue. */
  readonly hasOrders: boolean;
  /** Lower-case text that a search is matched with. */
  readonly text: string;
}

export type SortColumn = 'name' | 'account' | 'state' | 'filled' | 'behind' | 'left' | 'submitted';

export interface Sorting {
  readonly by: SortColumn;
  readonly isDescending: boolean;
}

export interface Filter {
  readonly search: string;
  readonly account: string;
  readonly which: 'open' | 'ended' | 'all';
}

const FILLED = 2;
const CANCELLED = 3;
const CANCELLING = 4;
const ENDED: readonly StateWord[] = ['filled', 'cancelled'];

export function blotterRow(record: PortfolioRecord): BlotterRow {
  const { portfolioId: id, legs, accountId, accountName, strategy, customizedNote } = record;
  const account = accountName === '' ? accountId : accountName;
  const name = strategy ?? (customizedNote === '' ? id : customizedNote);
  const sides = legs.map(legText).join(', ');
  const state = stateOf(record);
  const filled = shareOf(legs, (leg) => leg.filledQuantity);
  const scheduled = shareOf(legs, (leg) => leg.scheduledQuantity);
  const end = Number(record.twapTrade?.endTimestamp);
  const why = whyOf(record);
  return {
    accountId,
    strategy: strategy ?? '',
    id,
    account,
    name,
    legs: sides,
    state,
    why,
    filled,
    scheduled,
    behind: scheduled - filled,
    endMs: Number.isFinite(end) && end > 0 ? end : undefined,
    submittedMs: Number(record.submitTimestamp),
    updatedMs: Number(record.updateTimestamp),
    hasOrders: legs.some((leg) => Number(leg.outstandingQuantity) > 0),
    text: [id, accountId, account, name, customizedNote, sides, state, why].join(' ').toLowerCase(),
  };
}

export const isOpen = ({ state }: Pick<BlotterRow, 'state'>): boolean => !ENDED.includes(state);

/** The rows that pass the filter, in order; rows that compare equal stay in the order of their ids. */
export function chosenRows(
  rows: readonly BlotterRow[],
  filter: Filter,
  sorting: Sorting,
): readonly BlotterRow[] {
  const words = filter.search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const chosen = rows.filter(
    (row) =>
      (filter.account === '' || row.account === filter.account) &&
      (filter.which === 'all' || isOpen(row) === (filter.which === 'open')) &&
      words.every((word) => row.text.includes(word)),
  );
  const sign = sorting.isDescending ? -1 : 1;
  return chosen.sort(
    (a, b) => sign * compare(keyOf(a, sorting.by), keyOf(b, sorting.by)) || byId(a, b),
  );
}

function keyOf(row: BlotterRow, by: SortColumn): string | number {
  switch (by) {
    case 'name':
      return row.name.toLowerCase();
    case 'account':
      return row.account;
    case 'state':
      return row.state;
    case 'filled':
      return row.filled;
    case 'behind':
      return row.behind;
    case 'left':
      return row.endMs ?? Infinity;
    case 'submitted':
      return row.submittedMs;
  }
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Ids are decimal text beyond the exact range of numbers. */
const byId = (a: BlotterRow, b: BlotterRow): number =>
  a.id.length - b.id.length || compare(a.id, b.id);

const legText = ({ side, placeQuantity, quantityIn, instrument }: LegRecord): string =>
  `${side === 1 ? 'buy' : 'sell'} ${placeQuantity} ${quantityIn} ${instrument}`;

function stateOf({ portfolioStatus, paused, legs }: PortfolioRecord): StateWord {
  switch (portfolioStatus) {
    case FILLED:
      return 'filled';
    case CANCELLED:
      return 'cancelled';
    case CANCELLING:
      return 'cancelling';
    default:
      if (paused !== undefined) return 'paused';
      return legs.some((leg) => leg.waiting !== undefined) ? 'waiting' : 'active';
  }
}

function whyOf({ reason, paused, legs }: PortfolioRecord): string {
  if (reason !== undefined) return reason;
  if (paused !== undefined) return `paused by ${paused.byUid}`;
  const waiting = legs.find((leg) => leg.waiting !== undefined)?.waiting;
  if (waiting !== undefined) return waiting;
  return legs.find((leg) => leg.refusal !== undefined)?.refusal?.message ?? '';
}

/** The mean over the legs, since their quantities may be in different units; hedge legs have no total of their own. */
function shareOf(legs: readonly LegRecord[], part: (leg: LegRecord) => string): number {
  const shares = legs.flatMap((leg) => {
    const total = Number(leg.placeQuantity);
    return total > 0 ? [Math.min(1, Math.max(0, Number(part(leg)) / total))] : [];
  });
  return shares.length === 0 ? 0 : shares.reduce((sum, one) => sum + one, 0) / shares.length;
}
