// Properties that many orders of one market share, stored once: side, type, time in force, the maker flag.
import type { OrderKind } from './instruments/listing.ts';

/**
 * The single shared object for these properties. It is kept with the market: a global table would outlive the
 * markets.
 */
export function orderKind(words: OrderKind): OrderKind {
  const { listing, side, originalType, timeInForce, mmp } = words;
  const key = `${side} ${originalType} ${timeInForce} ${mmp}`;
  const kind = listing.kinds.get(key);
  if (kind !== undefined) return kind;
  const made = { listing, side, originalType, timeInForce, mmp };
  listing.kinds.set(key, made);
  return made;
}
