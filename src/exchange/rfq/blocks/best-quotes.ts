// The quotes that fill one side of an RFQ in full at one price: the cheapest all-or-none quote, or the
// partial ones up to the last that is needed, whose price applies to all.
//
// Source: the venue's rules: one price for all makers, exactly the requested quantity. Our choice: if the
// price is the same for the taker, the quote that ranks first by price and then by time decides whether an
// all-or-none quote or partial ones trade; partial ones rank by better price, then by time.
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

/**
 * `side` is the taker's: a buyer trades with the makers' sells. `undefined` if the full quantity is not
 * available.
 */
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
