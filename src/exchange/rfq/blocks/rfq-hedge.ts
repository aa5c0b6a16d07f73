// The hedge of an RFQ: a future whose size, side and price the taker sets. It is specified for a buyer of the
// structure; the seller of the structure takes the opposite side.
//
// Source: the venue allows one perpetual or dated future: for options of their native currency, for spot of a
// base currency of one of the legs; within one percent of its mark price (third party).
import {
  absolute,
  distance,
  isMore,
  isMultiple,
  isPositive,
  ratio,
  scaled,
  text,
} from '../../../values/amounts.ts';
import { checkBook } from '../../checks/order-checks.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import type { Listing } from '../../model/instruments/listing.ts';
import type { Refusal } from '../../model/refusal.ts';
import type { RfqHedge } from '../rfq.ts';
import type { HedgeTerms } from '../rfq-command.ts';
import * as refusal from '../rfq-refusal.ts';
import { blockClassOf, blockTick } from './block-terms.ts';

const BAND = ratio('0.01');
const LOTS_MAX = 1_000_000_000;

export function hedgeOf(
  state: ExchangeState,
  terms: HedgeTerms,
  legs: readonly Listing[],
): RfqHedge | Refusal {
  const listing = state.listings.get(terms.instrument);
  if (listing === undefined) {
    return refusal.unknownInstrument('hedge', `${terms.instrument} is not listed`);
  }
  const book = checkBook(listing, state.now);
  if (book !== undefined) return book;
  if (!fits(listing, legs)) {
    const accepted = 'accepted: a perpetual or future that is no leg, in the currency of the legs';
    return refusal.unsupported('hedge', `${terms.instrument} hedges nothing here; ${accepted}`);
  }
  const lots = listing.grid.lotsOf(terms.quantity);
  if (lots === undefined || lots < listing.grid.minLots || lots > LOTS_MAX) {
    return refusal.invalidAmount('hedge', `accepted: multiples of ${text(listing.grid.lot)}`);
  }
  const wrong = checkPrice(listing, terms);
  return wrong ?? { ...terms, lots };
}

function fits({ instrument }: Listing, legs: readonly Listing[]): boolean {
  if (instrument.kind !== 'perpetual' && instrument.kind !== 'future') return false;
  if (legs.some((leg) => leg.instrument.name === instrument.name)) return false;
  return legs.some((leg) => {
    const { base, settlement } = leg.instrument;
    switch (blockClassOf(leg.instrument)) {
      case 'option':
        return base === instrument.base && settlement === instrument.settlement;
      case 'spot':
        return base === instrument.base;
      default:
        return false;
    }
  });
}

function checkPrice(
  { instrument, reference }: Listing,
  { price: at }: HedgeTerms,
): Refusal | undefined {
  const tick = blockTick(instrument);
  if (!isPositive(at)) return refusal.priceTooLow('hedge', 'accepted: a price above 0');
  if (!isMultiple(at, tick)) {
    return refusal.wrongTick('hedge', `accepted: multiples of ${text(tick)}`);
  }
  if (reference === undefined) {
    return refusal.otherReject('hedge', 'the market has no mark price yet');
  }
  return isMore(absolute(distance(at, reference.mark)), scaled(reference.mark, BAND))
    ? refusal.priceNotAllowed('hedge', `accepted: within 1 % of the mark ${text(reference.mark)}`)
    : undefined;
}
