// The best bid and ask over time, thinned for charts.
import { type Instant, instant, SECOND_MS } from '../../../values/instant.ts';
import type { MarketSecond } from '../cost-rows.ts';
import { shownPrice } from '../fill-measures.ts';
import type { MarketPoint } from './course-shapes.ts';

/** Points of a chart over the whole time, at most. */
const POINTS = 600;

/** The first row of each step of the time from `from` to `to`. */
export function marketPoints(
  seconds: readonly MarketSecond[],
  { from, to }: { readonly from: Instant; readonly to: Instant },
): readonly MarketPoint[] {
  const stepMs = Math.max(SECOND_MS, (to - from) / POINTS);
  let step = -1;
  return seconds.flatMap(({ at, market }) => {
    const own = Math.floor((instant(at) - from) / stepMs);
    if (own === step) return [];
    step = own;
    return [{ at, bid: shownPrice(market.bid?.price), ask: shownPrice(market.ask?.price) }];
  });
}
