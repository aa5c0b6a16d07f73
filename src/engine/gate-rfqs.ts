// What has to be right about a Block RFQ, a quote or an accept before the venue sees it: every leg is
// known and within the limit on blocks. An answer names the leg.
import type { Settings } from '../core/portfolio/settings.ts';
import { REJECTION_CODES } from '../core/rejection.ts';
import { type BlockLeg, checkBlockLeg, needsBlockQuote } from '../core/risk/rfq-check.ts';
import type { RfqHedge, RfqLeg } from '../ports/block-rfq.ts';
import type { Venue } from '../ports/venue.ts';
import type { Price, Quantity } from '../values/amounts.ts';
import type { InstrumentName } from '../values/ids.ts';
import type { Quote } from '../values/quote.ts';
import type { Objection } from './gate-orders.ts';

/** A leg by its size; without a price where only the structure has one. */
export interface SizedLeg {
  readonly instrument: InstrumentName;
  readonly quantity: Quantity;
  readonly price?: Price | undefined;
}

/** Legs of ratios, for so much of the structure, and the hedge. */
export const sizedLegs = (
  quantity: Quantity,
  legs: readonly (RfqLeg & { readonly price?: Price | undefined })[],
  hedge: RfqHedge | undefined,
): readonly SizedLeg[] => [
  ...legs.map(({ instrument, ratio, price }) => ({
    instrument,
    quantity: quantity.mul(ratio) as Quantity,
    price,
  })),
  ...(hedge === undefined ? [] : [hedge]),
];

export interface BlockGateParts {
  readonly venue: Venue;
  readonly settings: Pick<Settings, 'blockUsdMax'>;
  /** What is known of the market of an instrument. */
  readonly quoteOf: (name: InstrumentName) => Quote | undefined | Promise<Quote | undefined>;
}

/** The first objection, or none; waits only where a quote is needed that is not at hand. */
export async function blockObjection(
  legs: readonly SizedLeg[],
  { venue, settings, quoteOf }: BlockGateParts,
): Promise<Objection | undefined> {
  for (const [index, { instrument: name, ...sized }] of legs.entries()) {
    const instrument = venue.instrument(name);
    // The venue has its own word for what it does not list.
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
    const code = REJECTION_CODES.risk_limit;
    const reply = { kind: 'refused', code, message: 'risk_limit', details } as const;
    return { reply, control: verdict.control };
  }
  return undefined;
}
