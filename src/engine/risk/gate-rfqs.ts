// Checks a Block RFQ, a quote or an accept before the venue sees it: every leg must be known and within the block
// limit. The reply names the leg.

import { refusal } from '../../core/order/answer-class.ts';
import { REJECTION_CODES } from '../../core/rejection.ts';
import type { GateOrder } from '../../core/risk/gate/gate-order.ts';
import { knownUsd } from '../../core/risk/gate/seen-at-venue.ts';
import { type BlockLeg, checkBlockLeg, needsBlockQuote } from '../../core/risk/rfq-check.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { Venue } from '../../ports/venue.ts';
import type { Price, Quantity } from '../../values/amounts.ts';
import type { RfqHedge, RfqLeg, RfqRole } from '../../values/block-rfq-record.ts';
import type { AccountId, InstrumentName } from '../../values/ids.ts';
import { opposite, type Side } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import type { Objection } from './gate-orders.ts';

/** A leg with its absolute size; without a price if only the structure has one. */
export interface SizedLeg {
  readonly instrument: InstrumentName;
  /** The direction in which it would change a position; absent if nothing is traded yet. */
  readonly side?: Side | undefined;
  readonly quantity: Quantity;
  readonly price?: Price | undefined;
}

export interface Structure {
  readonly quantity: Quantity;
  readonly legs: readonly (RfqLeg & { readonly price?: Price | undefined })[];
  readonly hedge?: RfqHedge | undefined;
}

/**
 * Converts ratio legs to absolute sizes for the given quantity, and appends the hedge. `side` is the account's own:
 * legs are listed as a buyer trades them, the hedge as the taker trades it.
 */
export const sizedLegs = (
  { quantity, legs, hedge }: Structure,
  { side, role }: { readonly side: Side; readonly role: RfqRole },
): readonly SizedLeg[] => [
  ...legs.map(({ instrument, ratio, price, side: listed }) => ({
    instrument,
    side: side === 'buy' ? listed : opposite(listed),
    quantity: quantity.mul(ratio) as Quantity,
    price,
  })),
  ...(hedge === undefined
    ? []
    : [{ ...hedge, side: role === 'taker' ? hedge.side : opposite(hedge.side) }]),
];

/** Converts legs to the input of the gate's controls; an unlisted leg is left to the venue to refuse. */
export const blockOrders = (
  legs: readonly SizedLeg[],
  {
    venue,
    account,
    key,
    known,
  }: {
    readonly venue: Venue;
    readonly account: AccountId;
    readonly key: string;
    /** The known quote of a market at this moment. */
    readonly known: (name: InstrumentName) => Quote | undefined;
  },
): readonly GateOrder[] =>
  legs.flatMap((leg, index) => {
    const { quantity, side, instrument: name } = leg;
    const instrument = venue.instrument(name);
    if (instrument === undefined) return [];
    const quote = known(name);
    const price = leg.price ?? quote?.mark;
    return {
      account,
      instrument,
      quantity,
      price,
      usd: knownUsd({ instrument, quantity, price }, quote),
      side: side ?? 'buy',
      // A request for quotes trades nothing.
      reduceOnly: side === undefined,
      takes: false,
      waits: false,
      key: `${key} ${index}`,
    };
  });

export interface BlockGateOptions {
  readonly venue: Venue;
  readonly settings: Pick<Settings, 'blockUsdMax'>;
  /** The known quote of an instrument. */
  readonly quoteOf: (name: InstrumentName) => Quote | undefined | Promise<Quote | undefined>;
}

/** The first objection, or none; waits only if a quote is needed and not in memory. */
export async function blockObjection(
  legs: readonly SizedLeg[],
  { venue, settings, quoteOf }: BlockGateOptions,
): Promise<Objection | undefined> {
  for (const [index, { instrument: name, side: _side, ...sized }] of legs.entries()) {
    const instrument = venue.instrument(name);
    // The venue itself refuses instruments that it does not list.
    if (instrument === undefined) continue;
    const leg: BlockLeg = { ...sized, instrument };
    const verdict = checkBlockLeg(
      leg,
      needsBlockQuote(leg) ? await quoteOf(name) : undefined,
      settings,
    );
    if (verdict.kind === 'passed') continue;
    const reason = `${verdict.control}: ${verdict.why}`;
    const details = { param: `legs[${index}].quantity`, reason };
    const reply = refusal(REJECTION_CODES.risk_limit, details);
    return { reply, control: verdict.control };
  }
  return undefined;
}
