// A portfolio as the blotter shows it: figures of its record, with bars as shares of one. Bars are for the eye; every figure
// that is read as a number stands as the gateway wrote it.
import type { LegRecord, PortfolioRecord } from '../../gateway/portfolios/record-schema.ts';
import { counted, grouped } from '../../values/text/written-figures.ts';
import { endText, waitText } from './portfolio/sentences.ts';

export type StateWord = 'active' | 'waiting' | 'paused' | 'cancelling' | 'filled' | 'cancelled';

/** A leg of a row. Decimals as the gateway wrote them. */
export interface RowLeg {
  readonly side: 'buy' | 'sell';
  readonly instrument: string;
  readonly kind: LegRecord['instrumentType'];
  /** Of a hedge, which has no total of its own: empty. */
  readonly quantity: string;
  readonly filled: string;
  /** Unit of both. */
  readonly unit: string;
  readonly coin: string;
  readonly priceIn: string;
  /** Empty without fills. */
  readonly average: string;
}

export interface BlotterRow {
  readonly id: string;
  readonly account: string;
  readonly accountId: string;
  /** Empty: it was not submitted by a strategy. */
  readonly strategy: string;
  /** What a person calls it: its note, or what it buys or sells. */
  readonly name: string;
  readonly legs: readonly RowLeg[];
  readonly state: StateWord;
  /** Why it waits, was refused or ended, in words; empty without a reason. */
  readonly why: string;
  /** Shares of the total, 0 to 1: filled, and scheduled by the last update. */
  readonly filled: number;
  readonly scheduled: number;
  /** How far the fills are behind the schedule, as a share of the total; negative: ahead. */
  readonly behind: number;
  readonly endMs: number | undefined;
  readonly submittedMs: number;
  /** Of one that has ended: when it did. */
  readonly updatedMs: number;
  /** Whether an order of it may be open at a venue. */
  readonly hasOrders: boolean;
  /** It mirrors the fills of another. */
  readonly isMirror: boolean;
  /** Lower-case text that a search is matched with. */
  readonly text: string;
}

export type SortColumn =
  | 'name'
  | 'account'
  | 'product'
  | 'state'
  | 'filled'
  | 'behind'
  | 'average'
  | 'left'
  | 'submitted';

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
  const { portfolioId: id, accountId, accountName, strategy, customizedNote } = record;
  const account = accountName === '' ? accountId : accountName;
  const legs = record.legs.map(rowLeg);
  const name = customizedNote === '' ? productText(legs) : customizedNote;
  const state = stateOf(record);
  const filled = shareOf(record.legs, (leg) => leg.filledQuantity);
  const scheduled = shareOf(record.legs, (leg) => leg.scheduledQuantity);
  const end = Number(record.twapTrade?.endTimestamp);
  const why = whyOf(record);
  const sides = record.legs.map(searchText);
  return {
    accountId,
    strategy: strategy ?? '',
    id,
    account,
    name,
    legs,
    state,
    why,
    filled,
    scheduled,
    behind: scheduled - filled,
    endMs: Number.isFinite(end) && end > 0 ? end : undefined,
    submittedMs: Number(record.submitTimestamp),
    updatedMs: Number(record.updateTimestamp),
    hasOrders: record.legs.some((leg) => Number(leg.outstandingQuantity) > 0),
    isMirror: record.mirrorOf !== undefined,
    text: [id, accountId, account, name, strategy, ...sides, state, why].join(' ').toLowerCase(),
  };
}

function rowLeg(leg: LegRecord): RowLeg {
  return {
    side: leg.side === 1 ? 'buy' : 'sell',
    instrument: leg.instrument,
    kind: leg.instrumentType,
    quantity: leg.hedge ? '' : leg.placeQuantity,
    filled: leg.filledQuantity,
    unit: leg.quantityIn,
    coin: leg.forCcy,
    priceIn: leg.markCcy,
    average: leg.filledAvgPrice === '0' ? '' : leg.filledAvgPrice,
  };
}

/** Such as `25,000 USD`; of a hedge, what it is. */
export const sizeText = ({ quantity, unit }: RowLeg): string =>
  quantity === '' ? 'hedge' : `${grouped(quantity)} ${unit}`;

/** A size in front of its instrument, whose name may begin with the unit: `3` of `BTC-25DEC26-100000-C`. */
export const sizeBefore = (leg: RowLeg): string =>
  leg.quantity !== '' && leg.instrument.startsWith(leg.unit)
    ? grouped(leg.quantity)
    : sizeText(leg);

/** Such as `Sell 25,000 USD BTC-PERPETUAL +1 leg`. */
function productText(legs: readonly RowLeg[]): string {
  const [first] = legs;
  if (first === undefined) return '';
  const more = legs.length - 1;
  const others = more === 0 ? '' : ` +${counted(more, 'leg')}`;
  const verb = first.side === 'buy' ? 'Buy' : 'Sell';
  return `${verb} ${sizeBefore(first)} ${first.instrument}${others}`;
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
    case 'product':
      return row.legs[0]?.instrument ?? '';
    case 'state':
      return row.state;
    case 'filled':
      return row.filled;
    case 'behind':
      return isOpen(row) ? row.behind : 0;
    case 'average':
      return Number(row.legs[0]?.average ?? '');
    case 'left':
      return isOpen(row) ? (row.endMs ?? Infinity) : row.updatedMs;
    case 'submitted':
      return isOpen(row) ? row.submittedMs : row.updatedMs;
  }
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Ids are decimal text beyond the exact range of numbers. */
const byId = (a: BlotterRow, b: BlotterRow): number =>
  a.id.length - b.id.length || compare(a.id, b.id);

const searchText = ({ side, placeQuantity, quantityIn, instrument }: LegRecord): string =>
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
  if (reason !== undefined) return endText(reason);
  if (paused !== undefined) return `paused by ${paused.byUid}`;
  const waiting = legs.find((leg) => leg.waiting !== undefined)?.waiting;
  if (waiting !== undefined) return waitText(waiting);
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
