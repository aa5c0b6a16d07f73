// Forecast of the residual RFQ: what would be sent, on which terms, and which legs our own limits are certain to
// block.
import { type Money, text } from '../../values/amounts.ts';
import { type Instant, isoText } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import { checkBlockLeg } from '../risk/rfq-check.ts';
import type { EndRfq } from '../terms/execution.ts';
import type { LegSpec } from '../terms/spec.ts';

export interface EndRfqQuestion {
  readonly rfq: EndRfq;
  /** When the RFQ is cancelled at the latest. */
  readonly endAt: Instant;
  readonly legs: readonly {
    readonly spec: LegSpec;
    readonly instrument: Instrument;
    readonly quote?: Quote | undefined;
  }[];
  /** Largest leg of a Block RFQ in USD; absent = no limit. */
  readonly blockUsdMax?: Money | undefined;
}

export interface EndRfqOutlook {
  /** What would be sent if nothing filled before. */
  readonly note: string;
  /** Legs that the limit blocks if nothing of them fills before. */
  readonly blocked: readonly { readonly leg: number; readonly why: string }[];
}

export function endRfqOutlook({ rfq, endAt, legs, blockUsdMax }: EndRfqQuestion): EndRfqOutlook {
  const sizes = legs.map(
    ({ spec, instrument }) =>
      `${spec.side} ${text(spec.quantity)} ${instrument.name}${spec.hedge ? ' as the hedge' : ''}`,
  );
  const whom = rfq.makers.length === 0 ? 'all makers' : rfq.makers.join(', ');
  const note =
    `the residual, at most ${sizes.join(' + ')}, is sent to ${whom} as one Block RFQ; the best quote ` +
    `${limitText(rfq)} is accepted until ${isoText(endAt)}, then ${rfq.fallback}`;
  const blocked = legs.flatMap(({ spec, instrument, quote }, leg) => {
    const asked = { instrument, quantity: spec.quantity };
    const verdict = checkBlockLeg(asked, quote, { blockUsdMax });
    return verdict.kind === 'blocked' ? [{ leg, why: verdict.why }] : [];
  });
  return { note, blocked };
}

const limitText = ({ limitBps, limitPrice, reference }: EndRfq): string =>
  limitPrice === undefined
    ? `within ${limitBps} bps of the ${reference}`
    : `no worse than ${text(limitPrice)}`;
