// Describes the residual RFQ of a portfolio in one line.
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { type ZoneName, zonedClock } from '../terminal/time-zone.ts';

/** Returns `undefined` if there is none. */
export function residualRfqText(
  { endRfq }: PortfolioRecord,
  zone: ZoneName = 'UTC',
): string | undefined {
  if (endRfq === undefined) return undefined;
  const { stage, outcome, why, blockRfqId, legs = [], fallback } = endRfq;
  if (stage === 'skipped') return `skipped (${why}), then ${fallback}`;
  const sizes = legs.map(
    ({ side, quantity, instrument, hedgePrice }) =>
      `${side === 1 ? 'buy' : 'sell'} ${quantity} ${instrument}${hedgePrice === undefined ? '' : ` as the hedge at ${hedgePrice}`}`,
  );
  const id = blockRfqId === undefined ? '' : ` ${blockRfqId}`;
  const state = outcome ?? stage;
  const facts = [`${state}${id}`, sizes.join(' + '), priceText(endRfq), whyText(endRfq, zone)];
  return facts.filter((fact) => fact !== undefined && fact !== '').join(', ');
}

type EndRfq = NonNullable<PortfolioRecord['endRfq']>;

function priceText({ price, bestPrice, bestMakers = 0, stage }: EndRfq): string | undefined {
  if (price !== undefined) return `at ${price}`;
  if (stage === 'over') return undefined;
  if (bestPrice === undefined) return 'no quote for the whole';
  return `best ${bestPrice} of ${bestMakers} ${bestMakers === 1 ? 'maker' : 'makers'}`;
}

function whyText(
  { stage, why, outcome, fallback, endTimestamp }: EndRfq,
  zone: ZoneName,
): string | undefined {
  if (stage === 'over') return outcome === 'traded' ? undefined : `then ${fallback}`;
  if (why !== undefined) return why;
  return endTimestamp && `until ${zonedClock(Number(endTimestamp), zone)}, then ${fallback}`;
}
