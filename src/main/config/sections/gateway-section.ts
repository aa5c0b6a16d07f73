// The gateway: which proxies are trusted for client addresses, the certificates of TLS, where the master secret of stored keys is, and
// the rate limits of each key and address.
import { z } from 'zod';
import { addressFault } from '../../../gateway/limits/address-list.ts';
import { DEFAULT_LIMITS as DEFAULTS } from '../../../gateway/limits/limits.ts';
import type { BucketRule } from '../../../gateway/limits/token-bucket.ts';
import { pageSection } from './page-section.ts';
import { secretSource } from './secret-source.ts';
import { tlsSection } from './tls-section.ts';

/** An address or a network. */
export const address = z.string().superRefine((text, context) => {
  const fault = addressFault(text);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

const rate = (what: string, byDefault: BucketRule) =>
  z
    .strictObject({
      perSecond: z
        .number()
        .min(0.01)
        .max(1_000_000)
        .default(byDefault.perSecond)
        .describe(`${what}, per second.`),
      burst: z.int().min(1).max(1_000_000).default(byDefault.burst).describe(`${what}, at once.`),
    })
    .prefault({})
    .describe(`${what}.`);

const most = (max: number, byDefault: number, what: string) =>
  z.int().min(1).max(max).default(byDefault).describe(what);

const { rates, rid, address: ofAddress, work, stream, deribit } = DEFAULTS;

const perKey = z
  .strictObject({
    read: rate('Reads of portfolios by one key', rates.read),
    submit: rate('Submits by one key', rates.submit),
    cancel: rate('Cancels of portfolios by one key', rates.cancel),
    order: rate('Orders and edits by one key', rid.rates.order),
    orderCancel: rate('Cancels of orders by one key', rid.rates.order_cancel),
    query: rate('Read-only requests by one key, or by one address without a key', rid.rates.query),
    work: rate('Milliseconds of work for reads by one key', work.key),
    newsConnections: most(10_000, stream.connectionsPerKeyMax, 'Connections to /ws/portfolio.'),
    methodConnections: most(10_000, rid.connectionsPerKeyMax, 'Connections to /ws/api.'),
  })
  .prefault({})
  .describe('Limits of one key.');

const perAddress = z
  .strictObject({
    failures: rate('Wrong credentials from one address', ofAddress.failures),
    open: rate('Requests that need no key from one address', ofAddress.open),
    work: rate('Milliseconds of work for public methods called from one address', work.address),
    connections: most(100_000, ofAddress.connectionsMax, 'Connections of one address.'),
    opening: rate('Connections opened from one address', ofAddress.opening),
    methodConnections: most(
      10_000,
      rid.connectionsPerStrangerMax,
      'Connections to /ws/api without a key of one address.',
    ),
  })
  .prefault({})
  .describe('Limits of one address; for IPv6, of one 64-bit network.');

const deribitWire = z
  .strictObject({
    served: z
      .boolean()
      .default(true)
      .describe(
        "Whether clients of Deribit's API are served at /api/v2 and /ws/api/v2; never where a venue is not a paper exchange.",
      ),
    credits: z
      .enum(['on', 'off'])
      .default(deribit.credits)
      .describe(
        "Whether their requests take Deribit's credits; without any left a session ends with 10028.",
      ),
    tier: z
      .literal([1, 2, 3, 4])
      .default(deribit.tier)
      .describe('Matching tier of every account: 1 allows 30 orders per second, 4 allows 5.'),
  })
  .prefault({})
  .describe("Deribit's API, over a paper exchange.");

/** As browsers write it: no path, and the port only if it is not the scheme's own. */
const origin = z.string().superRefine((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && url.origin === text) return;
  const message = 'is not an origin of a proxy; accepted: such as https://twap.desk.example';
  context.addIssue({ code: 'custom', message });
});

export const gatewaySection = z
  .strictObject({
    trustedProxies: z
      .array(address)
      .default([])
      .describe('Addresses and networks of proxies whose X-Forwarded-For is trusted.'),
    origins: z
      .array(origin)
      .default([])
      .describe(
        'Origins at which proxies serve this gateway to browsers; they may use it there and on the local machine only.',
      ),
    page: pageSection,
    tls: tlsSection.optional(),
    keysSecret: secretSource()
      .optional()
      .describe(
        'Master secret of keys made by `twapd keys`, base64 of at least 32 random bytes; TWAPD_KEYS_SECRET wins.',
      ),
    perKey,
    perAddress,
    strangersWork: rate('Milliseconds of work for all requests without a key', work.strangers),
    strangersOpening: rate(
      'Connections opened by all clients; above it only addresses a key signed from may open more',
      ofAddress.openingOfAll,
    ),
    connectionsMax: most(100_000, DEFAULTS.connectionsMax, 'Connections of all clients.'),
    deribit: deribitWire,
    inFlightMax: most(100_000, DEFAULTS.inFlightMax, 'Requests in progress; more get 503.'),
  })
  .describe('Rate limits. Each process counts for itself.');
