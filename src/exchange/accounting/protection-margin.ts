// The initial margin that market-maker protection holds while it is configured, whatever is open.
//
// Source: the venue's notes of December 2025: `max_quote_quantity` × 3 % for each configuration. They are silent about the
// currency. Decided: the coin for an inverse index, the settlement currency at the index price for a linear one. A
// configuration that the free funds do not cover is accepted, as it is here: then no order that needs margin is.
import {
  type Money,
  notional,
  plus,
  type Quantity,
  ratio,
  share,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import type { Account } from '../model/account.ts';
import type { Listing } from '../model/instruments/listing.ts';

const HELD = ratio('0.03');

/** Zero for a linear index without a price, which no order can be placed in either. */
export function protectionMargin({ marginHolds }: Account, currency: Currency): Money {
  let held = ZERO_MONEY;
  for (const { listing, maxQuoteQuantity } of marginHolds) {
    if (listing.instrument.settlement !== currency) continue;
    held = plus(held, worthOf(listing, share(maxQuoteQuantity, HELD)));
  }
  return held;
}

function worthOf({ instrument, reference }: Listing, coins: Quantity): Money {
  if (instrument.marginKind === 'inverse') return coins as unknown as Money;
  return reference?.index === undefined ? ZERO_MONEY : notional(reference.index, coins);
}
