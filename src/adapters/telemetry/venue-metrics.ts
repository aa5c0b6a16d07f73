// Venues as the daemon meets them, and the order methods people use on them.
import type { MetricMaker } from './metric-maker.ts';
import { CLASSES, DESK_METHODS, DESK_OUTCOMES, METHODS, REQUEST_SEC } from './metric-values.ts';

export const venueMetrics = (maker: MetricMaker, venues: readonly string[]) => ({
  venueRequest: maker.histogram(
    'twapd_venue_request_seconds',
    'Round trip of a request to a venue, by method and class of the answer.',
    { buckets: REQUEST_SEC, labels: { venue: venues, method: METHODS, class: CLASSES } },
  ),
  deskRequests: maker.counter(
    'twapd_desk_requests_total',
    'Orders entered, edited and cancelled through the order methods, by outcome.',
    { method: DESK_METHODS, outcome: DESK_OUTCOMES },
  ),
  deskBlocks: maker.counter(
    'twapd_desk_blocks_total',
    'Orders of the order methods that a control refused, by control.',
    { control: ['order_quantity', 'order_price', 'order_value'] },
  ),
});
