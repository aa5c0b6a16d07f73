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

const rate = (byDefault: BucketRule, what: string) =>
  z.number().min(0.01).max(1_000_000).default(byDefault.perSecond).describe(what);

const most = (max: number, byDefault: number, what: string) =>
  z.int().min(1).max(max).default(byDefault).describe(what);

const { rates, rid, address: ofAddress, work, deribit } = DEFAULTS;

const perKey = z
  .strictObject({
    read: rate(
      rates.read,
      'Reads of portfolios a second by one key; more for a program that polls and gets 429.',
    ),
    submit: rate(
      rates.submit,
      'Submits a second by one key; more for a program that starts many portfolios at once, less to bound a faulty one.',
    ),
    cancel: rate(
      rates.cancel,
      'Cancels of portfolios a second by one key; more for a program that ends many at once.',
    ),
    order: rate(
      rid.rates.order,
      'Orders and edits a second by one key, and apart from them as many cancels of orders; less to bound what a faulty program sends.',
    ),
    query: rate(
      rid.rates.query,
      'Read-only requests a second by one key, or by one address without a key; more for a program that polls orders or books.',
    ),
    work: rate(
      work.key,
      'Milliseconds of work a second for reads by one key, and for those of all clients without a key; of one address without a key half as many. More where large reports or histories get 429 and the processor has room.',
    ),
    connections: most(
      10_000,
      rid.connectionsPerKeyMax,
      'Connections of one key to /ws/api, and as many to /ws/portfolio; more where many programs share a key.',
    ),
  })
  .prefault({})
  .describe('Limits of one key.');

const perAddress = z
  .strictObject({
    connections: most(
      100_000,
      ofAddress.connectionsMax,
      'Connections of one address; it may open 4 % of these and make 8 % as many requests without a key a second. More where all clients come from one address, as behind NAT.',
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
        "Whether clients of Deribit's API are served at /api/v2 and /ws/api/v2; false closes a wire that nobody uses. Never where a venue is not a paper exchange.",
      ),
    tier: z
      .literal([1, 2, 3, 4, 'off'])
      .default(deribit.tier)
      .describe(
        'Matching tier of every account, to rehearse with the one the desk has: 1 allows 30 orders per second, 4 allows 5, and without credits a session ends with 10028. off takes no credits.',
      ),
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
      .describe(
        'Addresses and networks of proxies whose X-Forwarded-For is trusted; set behind a proxy, so that limits count its clients and not the proxy.',
      ),
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
    connectionsMax: most(
      100_000,
      DEFAULTS.connectionsMax,
      'Connections of all clients; above a tenth of it a second only addresses a key signed from may open more. More on a machine that serves many clients.',
    ),
    deribit: deribitWire,
    inFlightMax: most(
      100_000,
      DEFAULTS.inFlightMax,
      'Requests in progress; more get 503. More where many clients at once get 503 and the processor has room.',
    ),
  })
  .describe('Rate limits. Each process counts for itself.');
