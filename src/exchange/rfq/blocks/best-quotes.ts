// What one side of an RFQ can be filled with, in full and at one price: the cheapest whole quote, or the
// partial ones up to the last that is needed, whose price is then the price of all.
//
// Source: the venue's rules: one price for all makers, the quantity asked for and nothing less. Chosen: at
// the same price for the taker the quote that stands first, by its price and then by time, decides whether
// a whole quote or partial ones trade; among partial ones the better price is first, then the earlier.
import type { Side } from '../../../values/instrument.ts';
import { type ExecutionInstruction, type RfqQuote, unfilledUnits } from '../maker-quote.ts';
import type { Rfq } from '../rfq.ts';

export interface Taken {
  readonly quote: RfqQuote;
  readonly units: number;
}

export interface BestQuotes {
  readonly ticks: number;
  readonly instruction: ExecutionInstruction;
  readonly taken: readonly Taken[];
}

/** `side` is the taker's: a buyer meets the makers' sells. `undefined` when the whole is not to be had. */
export function bestQuotes(
  rfq: Rfq,
  open: readonly RfqQuote[],
  side: Side,
): BestQuotes | undefined {
  const sign = side === 'buy' ? 1 : -1;
  const offered = open
    .filter((quote) => quote.side !== side)
    .sort((a, b) => sign * (a.ticks - b.ticks) || a.rank - b.rank);
  const whole = offered.find(({ instruction }) => instruction === 'all_or_none');
  const parts = takenParts(
    rfq.units,
    offered.filter(({ instruction }) => instruction === 'any_part_of'),
  );
  const last = parts?.at(-1);
  const [first] = parts ?? [];
  const worseBy = whole && last ? sign * (whole.ticks - last.quote.ticks) : -1;
  const isFirst = offered.find((one) => one === whole || one === first?.quote) === whole;
  if (whole !== undefined && (worseBy < 0 || (worseBy === 0 && isFirst))) {
    const taken = [{ quote: whole, units: rfq.units }];
    return { ticks: whole.ticks, instruction: 'all_or_none', taken };
  }
  if (parts === undefined || last === undefined) return undefined;
  return { ticks: last.quote.ticks, instruction: 'any_part_of', taken: parts };
}

function takenParts(units: number, offered: readonly RfqQuote[]): readonly Taken[] | undefined {
  const taken: Taken[] = [];
  let left = units;
  for (const quote of offered) {
    if (left === 0) break;
    const share = Math.min(left, unfilledUnits(quote));
    taken.push({ quote, units: share });
    left -= share;
  }
  return left === 0 ? taken : undefined;
}

/** Whether `ticks` is at least as good as `limit` for a taker of `side`. */
export const isWithin = (side: Side, ticks: number, limit: number): boolean =>
  side === 'buy' ? ticks <= limit : ticks >= limit;
