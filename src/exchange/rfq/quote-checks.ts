// The checks of a maker's quote: the requested structure, a sufficient block size, leg prices on tick and
// inside their bands that add up, and a limited number of quotes.
//
// Source: the venue's rules for Block RFQ quotes (2026); the maximum number is not published, so ours is a
// choice.
import { equals, isMultiple, text } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Side } from '../../values/instrument.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Refusal } from '../model/refusal.ts';
import { fittedLegs, legRange } from '../structures/leg-prices.ts';
import { structureTicks } from '../structures/structure-leg.ts';
import type { RfqQuote } from './maker-quote.ts';
import type { Rfq, RfqLeg } from './rfq.ts';
import type { HedgeTerms, QuoteTerms, RatioLegTerms } from './rfq-command.ts';
import * as refusal from './rfq-refusal.ts';

const QUOTES_MAX = 8;
const QUOTES_OF_SIDE_MAX = 4;
const GROUP_LENGTH_MAX = 64;

export type QuotedTerms = Pick<RfqQuote, 'units' | 'ticks' | 'legTicks'>;

export function quotedTerms(
  state: ExchangeState,
  rfq: Rfq,
  terms: QuoteTerms,
): QuotedTerms | Refusal {
  const units = unitsOf(rfq, terms);
  if (typeof units !== 'number') return units;
  const legs = checkLegs(rfq, terms.legs) ?? checkHedge(rfq, terms.hedge, true);
  if (legs !== undefined) return legs;
  const named = namedTicks(state, rfq, terms);
  if ('code' in named) return named;
  const priced = pricedAsWhole(state, { rfq, named }, terms);
  if ('code' in priced) return priced;
  const refused = checkTimes(state, terms);
  return refused ?? { units, ...priced };
}

function unitsOf(rfq: Rfq, { quantity, executionInstruction }: QuoteTerms): number | Refusal {
  const units = quantity.div(rfq.unit).toNumber();
  if (!Number.isInteger(units) || units <= 0 || units > rfq.units) {
    const most = text(rfq.unit.mul(rfq.units) as typeof quantity);
    const accepted = `accepted: multiples of ${text(rfq.unit)} up to ${most}`;
    return refusal.invalidAmount('quantity', accepted);
  }
  if (executionInstruction === 'all_or_none' && units !== rfq.units) {
    return refusal.invalidAmount('quantity', 'all_or_none takes the whole quantity of the RFQ');
  }
  return units < rfq.minUnits
    ? refusal.qtyTooLow(
        'quantity',
        `accepted: at least ${text(rfq.unit.mul(rfq.minUnits) as never)}`,
      )
    : units;
}

/** The legs must be those of the RFQ, in any order, with their ratios and sides. */
export function checkLegs(rfq: Rfq, legs: readonly RatioLegTerms[]): Refusal | undefined {
  const matching = rfq.legs.every((leg) =>
    legs.some(
      ({ instrument, ratio, side }) =>
        instrument === leg.instrument && side === leg.side && equals(ratio, leg.ratio),
    ),
  );
  return matching && legs.length === rfq.legs.length
    ? undefined
    : refusal.invalid('legs', 'do not match the RFQ; accepted: its instruments, ratios and sides');
}

export function checkHedge(
  { hedge }: Rfq,
  given: HedgeTerms | undefined,
  isRequired: boolean,
): Refusal | undefined {
  const isSame =
    hedge !== undefined &&
    given?.instrument === hedge.instrument &&
    given.side === hedge.side &&
    equals(given.quantity, hedge.quantity) &&
    equals(given.price, hedge.price);
  if (isSame || (given === undefined && (hedge === undefined || !isRequired))) return undefined;
  const accepted = hedge === undefined ? 'none' : 'size, side and price as the RFQ has them';
  return refusal.unsupported('hedge', `accepted: ${accepted}`);
}

interface Named {
  readonly legTicks: readonly number[];
}

function namedTicks(state: ExchangeState, rfq: Rfq, terms: QuoteTerms): Named | Refusal {
  const legTicks: number[] = [];
  for (const leg of rfq.legs) {
    const given = terms.legs.find(({ instrument }) => instrument === leg.instrument);
    const { price } = must(given, 'the legs are those of the RFQ');
    if (!isMultiple(price, leg.tick)) {
      return refusal.wrongTick('legs', `${leg.instrument}: multiples of ${text(leg.tick)}`);
    }
    const ticks = price.div(leg.tick).toNumber();
    const listing = must(state.listings.get(leg.instrument), 'the books were checked before');
    const { low, high } = legRange(leg, listing);
    const limit = (at: number): string =>
      `${leg.instrument}: ${text(leg.tick.mul(at) as typeof price)}`;
    if (ticks < low) return refusal.priceTooLow('legs', `${limit(low)} is the lowest`);
    if (ticks > high) return refusal.priceTooHigh('legs', `${limit(high)} is the highest`);
    legTicks.push(ticks);
  }
  return { legTicks };
}

const isFutureSpread = ({ comboId }: Rfq): boolean => comboId?.includes('-FS-') === true;

/** A future spread is quoted as a whole; the leg prices follow. */
function pricedAsWhole(
  state: ExchangeState,
  { rfq, named }: { readonly rfq: Rfq; readonly named: Named },
  { price }: QuoteTerms,
): Omit<QuotedTerms, 'units'> | Refusal {
  const sum = structureTicks(rfq.legs, named.legTicks);
  if (price === undefined) return { ticks: sum, ...named };
  const ticks = price.div(rfq.resolution).toNumber();
  if (ticks === sum) return { ticks, ...named };
  if (!isFutureSpread(rfq)) {
    const whole = text(rfq.resolution.mul(sum) as typeof price);
    return refusal.invalidPrice('price', `is not the sum over the legs, ${whole}`);
  }
  const legTicks = fittedLegs({
    legs: rfq.legs,
    from: named.legTicks,
    ranges: rangesOf(state, rfq.legs),
    target: ticks,
  });
  return legTicks === undefined
    ? refusal.invalidPrice('price', 'no leg prices on tick and inside the bands add up to it')
    : { ticks, legTicks };
}

export const rangesOf = (state: ExchangeState, legs: readonly RfqLeg[]) =>
  legs.map((leg) => legRange(leg, must(state.listings.get(leg.instrument), 'legs are listed')));

function checkTimes(
  state: ExchangeState,
  { expiresAt, mmpGroup }: QuoteTerms,
): Refusal | undefined {
  if (expiresAt !== undefined && expiresAt <= state.now) {
    return refusal.invalid('expiresAt', `is in the past; accepted: a time after ${state.now}`);
  }
  return mmpGroup !== undefined && (mmpGroup === '' || mmpGroup.length > GROUP_LENGTH_MAX)
    ? refusal.invalid('mmpGroup', `accepted: 1 to ${GROUP_LENGTH_MAX} characters`)
    : undefined;
}

export interface Beside {
  readonly maker: AccountId;
  readonly side: Side;
  readonly ticks: number;
  /** The quote that is being replaced. */
  readonly without?: string | undefined;
}

/** Checks against the maker's other open quotes of this RFQ: their number, and whether they cross. */
export function checkBeside(state: ExchangeState, rfq: Rfq, quote: Beside): Refusal | undefined {
  const others = state.rfqs
    .openQuotes(rfq.number)
    .filter(({ maker, id }) => maker === quote.maker && id !== quote.without);
  if (others.length >= QUOTES_MAX) {
    return refusal.tooManyQuotes('blockRfqId', `accepted: ${QUOTES_MAX} open quotes`);
  }
  const [same, other] = [
    others.filter(({ side }) => side === quote.side),
    others.filter(({ side }) => side !== quote.side),
  ];
  if (same.length >= QUOTES_OF_SIDE_MAX) {
    return refusal.tooManyQuotesOfSide('side', `accepted: ${QUOTES_OF_SIDE_MAX} open of a side`);
  }
  const isCrossed = other.some(({ ticks }) =>
    quote.side === 'buy' ? quote.ticks >= ticks : quote.ticks <= ticks,
  );
  return isCrossed
    ? refusal.quoteCrossed('price', 'accepted: bids below all own offers')
    : undefined;
}
