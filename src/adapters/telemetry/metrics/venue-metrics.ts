// Metrics of requests to venues, and of the order methods.

import {
  CLASSES,
  DESK_BLOCKS,
  DESK_METHODS,
  DESK_OUTCOMES,
  METHODS,
  REQUEST_SEC,
} from '../metric-values.ts';
import type { MetricMaker } from './metric-maker.ts';

export const venueMetrics = (maker: MetricMaker, venues: readonly string[]) => ({
  venueRequest: maker.histogram(
    'twapd_venue_request_seconds',
    'Round trip of a request to a venue, by method and class of the answer.',
    { buckets: REQUEST_SEC, labels: { venue: venues, method: METHODS, class: CLASSES } },
  ),
  venueUp: maker.gauge('twapd_venue_up', '1 when the venue can be traded on, else 0.', {
    venue: venues,
  }),
  venueInstruments: maker.gauge('twapd_venue_instruments', 'Instruments that can be traded.', {
    venue: venues,
  }),
  venueClockOffset: maker.gauge(
    'twapd_venue_clock_offset_seconds',
    'Estimated clock of the venue minus ours.',
    { venue: venues },
  ),
  quoteAge: maker.gauge(
    'twapd_venue_quote_age_seconds_max',
    'Age of the oldest quote among the instruments of active portfolios; 0 for none.',
    { venue: venues },
  ),
  quotesMissing: maker.gauge(
    'twapd_venue_quotes_missing',
    'Instruments of active portfolios without any quote.',
    { venue: venues },
  ),
  streamBreaks: maker.counter(
    'twapd_venue_stream_breaks_total',
    'Times the stream of a venue resumed after an interruption; per account.',
    { venue: venues },
  ),
  rateTokens: maker.gauge(
    'twapd_venue_rate_tokens',
    'Messages that may be sent to a venue at once, by kind; of the connection or account with the fewest left.',
    { venue: [], bucket: [] },
  ),
  rateBurst: maker.gauge(
    'twapd_venue_rate_burst',
    'Messages that may be sent at once after a pause, by kind.',
    {
      venue: [],
      bucket: [],
    },
  ),
  deskRequests: maker.counter(
    'twapd_desk_requests_total',
    'Orders entered, edited and cancelled through the order methods, by outcome.',
    { method: DESK_METHODS, outcome: DESK_OUTCOMES },
  ),
  deskBlocks: maker.counter(
    'twapd_desk_blocks_total',
    'Orders of the order methods that a control refused, by control.',
    { control: DESK_BLOCKS },
  ),
});
