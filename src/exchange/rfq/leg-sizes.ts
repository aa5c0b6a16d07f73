// Reads the legs of a structure that a user names, for a Block RFQ or a combo: each once, listed, in trading for
// long enough, and of a size on its lot grid.
import { type Quantity, text } from '../../values/amounts.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import { isCombo, type Side } from '../../values/instrument.ts';
import { checkBook } from '../checks/order-checks.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Listing } from '../model/instruments/listing.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from './rfq-refusal.ts';
import type { LegSize } from './structure.ts';

/** Far above any market, and small enough for sums to stay exact. */
const LOTS_MAX = 1_000_000_000;

interface LegTerms {
  readonly instrument: InstrumentName;
  readonly side: Side;
  /** Default: one contract. */
  readonly quantity?: Quantity | undefined;
}

interface Rules {
  /** The parameter that names the legs. */
  readonly param: 'legs' | 'trades';
  readonly least: number;
  readonly most: number;
  /** How long all of them must still trade, and what that is called. */
  readonly lifeMs: number;
  readonly life: string;
}

export function legSizes(
  state: ExchangeState,
  legs: readonly LegTerms[],
  rules: Rules,
): readonly LegSize[] | Refusal {
  const { param, least, most } = rules;
  if (legs.length < least || legs.length > most) {
    return refusal.invalid(param, `${legs.length} legs; accepted: ${least} to ${most}`);
  }
  const sizes: LegSize[] = [];
  for (const { instrument, quantity: wanted, side } of legs) {
    const listing = state.listings.get(instrument);
    if (listing === undefined) {
      return refusal.unknownInstrument(param, `${instrument} is not listed`);
    }
    if (isCombo(listing.instrument)) {
      return refusal.unknownInstrument(param, `${instrument} is a combo; accepted: its legs`);
    }
    if (listing.instrument.isRouted === true) {
      return refusal.notOnRouted(param, `${instrument} is matched on another exchange`);
    }
    const refused = checkBook(listing, state.now) ?? checkEnd(state, listing, rules);
    if (refused !== undefined) return refused;
    if (sizes.some((other) => other.listing === listing)) {
      return refusal.invalid(param, `${instrument} stands there twice`);
    }
    const size = wanted ?? listing.instrument.contractSize;
    const lots = listing.grid.lotsOf(size);
    if (lots === undefined || lots < 1 || lots > LOTS_MAX) {
      const step = text(listing.grid.lot);
      return refusal.invalidAmount(param, `${instrument}: accepted are multiples of ${step}`);
    }
    sizes.push({ listing, side, quantity: size });
  }
  return sizes;
}

/** Refuses an instrument that would expire while the structure is to be traded. */
const checkEnd = (
  state: ExchangeState,
  { instrument }: Listing,
  { param, lifeMs, life }: Rules,
): Refusal | undefined =>
  instrument.expiresAt !== undefined && instrument.expiresAt <= later(state.now, lifeMs)
    ? refusal.bookClosed(param, `${instrument.name} expires within ${life}`)
    : undefined;
