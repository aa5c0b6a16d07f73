// A live Deribit, or anything that speaks its wire: which one, how its connections behave, and the credentials of each
// account.
import { z } from 'zod';
import { isDecimalText } from '../../../values/decimal.ts';
import { accountId } from './access-section.ts';
import { quietWindows } from './blackout-window-section.ts';
import { secretOr } from './secret-source.ts';
import { deribitAddress, deribitEnvironment } from './venue-address.ts';

const credentials = z
  .strictObject({
    account: accountId.describe(
      'Account of this venue that these credentials trade for, as under `accounts`.',
    ),
    // Plain text is judged with the place alongside it: the published demo keys have it.
    clientId: secretOr(() => undefined).describe(
      'Client id, or with environment coinbase the name of the key; in plain text for the published demo keys only.',
    ),
    clientSecret: secretOr(() => undefined).describe(
      'Client secret, or with environment coinbase the private key in PEM; in plain text for the published demo keys only.',
    ),
  })
  .describe('API key of one account.');

const limit = (what: string) =>
  z
    .string()
    .refine((text) => isDecimalText(text) && Number(text) > 0, {
      message: 'is not an amount; accepted: a decimal above 0 in quotes, such as "5"',
    })
    .optional()
    .describe(`${what} within the interval; absent: not limited.`);

const seconds = (min: number) => z.int().min(min).max(3_600);

const protection = z
  .strictObject({
    index: z
      .string()
      .regex(/^[a-z0-9]+_[a-z0-9]+$/, 'is not an index; accepted: a name such as btc_usd')
      .describe('Index whose instruments it protects, such as btc_usd.'),
    group: z
      .string()
      .regex(/^[\w-]{1,64}$/, 'is not a group; accepted: up to 64 letters, digits, dashes')
      .optional()
      .describe('Group of orders it protects; absent: those without a group.'),
    intervalSec: seconds(1).describe(
      'Length of the interval in which trades are counted, in seconds.',
    ),
    frozenTimeSec: seconds(0).describe(
      'How long orders stay refused after it was triggered, in seconds; 0: until it is reset.',
    ),
    quantityLimit: limit('Largest traded quantity'),
    deltaLimit: limit('Largest traded delta'),
    vegaLimit: limit('Largest traded vega'),
    maxQuoteQuantity: limit('Largest quantity of one mass quote').describe(
      'Largest quantity of one mass quote, which the venue requires; absent: what it has, else quantityLimit.',
    ),
  })
  .describe("One configuration of the venue's own market-maker protection.");

export const deribitVenue = z
  .strictObject({
    kind: z.literal('deribit').describe('Deribit, over JSON-RPC on a WebSocket.'),
    environment: deribitEnvironment
      .optional()
      .describe(
        'test (the default) trades play money on test.deribit.com; production real money on www.deribit.com, coinbase real money at the gateway hosted by Coinbase.',
      ),
    url: deribitAddress
      .optional()
      .describe(
        'Address of the WebSocket in place of an environment; unencrypted (ws) on this machine only.',
      ),
    timeoutMs: z
      .int()
      .min(100)
      .max(60_000)
      .default(10_000)
      .describe(
        'Longest wait for a reply, in milliseconds; after it the outcome is unknown and is queried. The venue itself may take 5000.',
      ),
    reconnectMaxMs: z
      .int()
      .min(500)
      .max(300_000)
      .default(30_000)
      .describe(
        'Longest wait between two attempts to connect, in milliseconds; shorter for a venue of this machine, which is not to be spared.',
      ),
    cancelOnDisconnect: z
      .boolean()
      .default(false)
      .describe(
        'Whether the venue cancels the orders of a connection that is lost; docs/deribit.md states its limits.',
      ),
    quietWindows,
    protection: z
      .array(protection)
      .max(100)
      .default([])
      .describe("The venue's own market-maker protection, set for each account at its login."),
    credentials: z.array(credentials).min(1).describe('One entry per account.'),
  })
  .describe('Deribit.');

export type DeribitVenueSection = z.output<typeof deribitVenue>;
export type DeribitCredentialsSection = z.output<typeof credentials>;
