// What many orders of one market have in common, kept once: side, type, time in force, the maker flag.
import type { OrderKind } from './instruments/listing.ts';

/** The one object for these words in this market, which keeps it: a table of all markets would outlive them. */
export function orderKind(words: OrderKind): OrderKind {
  const { listing, side, originalType, timeInForce, mmp } = words;
  const key = `${side} ${originalType} ${timeInForce} ${mmp}`;
  const kind = listing.kinds.get(key);
  if (kind !== undefined) return kind;
  const made = { listing, side, originalType, timeInForce, mmp };
  listing.kinds.set(key, made);
  return made;
}
