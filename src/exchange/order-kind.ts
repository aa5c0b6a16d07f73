// What many orders of one market have in common, kept once: side, type, time in force, the maker flag.
import type { Side } from '../values/instrument.ts';
import type { Listing } from './listing.ts';
import type { OrderType, TimeInForce } from './order.ts';

export interface OrderKind {
  readonly listing: Listing;
  readonly side: Side;
  readonly originalType: OrderType;
  readonly timeInForce: TimeInForce;
  readonly mmp: boolean;
}

const KINDS = new WeakMap<Listing, Map<string, OrderKind>>();

/** The one object for these words in this market. */
export function orderKind(words: OrderKind): OrderKind {
  const { listing, side, originalType, timeInForce, mmp } = words;
  const known = kindsOf(listing);
  const key = `${side} ${originalType} ${timeInForce} ${mmp}`;
  const kind = known.get(key);
  if (kind !== undefined) return kind;
  const made = { listing, side, originalType, timeInForce, mmp };
  known.set(key, made);
  return made;
}

function kindsOf(listing: Listing): Map<string, OrderKind> {
  const known = KINDS.get(listing);
  if (known !== undefined) return known;
  const kinds = new Map<string, OrderKind>();
  KINDS.set(listing, kinds);
  return kinds;
}
