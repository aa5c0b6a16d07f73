// A paper exchange that runs as a process of its own (`twapd exchange`), here or elsewhere.
import { z } from 'zod';
import { accountId, keyId } from './access-section.ts';
import { quietWindows } from './blackout-window-section.ts';

const name = z.string().min(1);

const credentials = z
  .strictObject({
    keyId: keyId.describe('Id of a key of that exchange.'),
    secret: z
      .string()
      .optional()
      .describe('Base64 secret in plain text; accepted for the published demo keys only.'),
    secretEnv: name.optional().describe('Environment variable that holds the base64 secret.'),
    secretFile: name
      .optional()
      .describe('File that holds the base64 secret, readable by its owner only.'),
    bindBody: z
      .boolean()
      .default(false)
      .describe('Whether the exchange wants signatures that also cover the path.'),
    accounts: z.array(accountId).min(1).describe('Accounts traded with this key.'),
  })
  .describe('A key, and the one connection it has.');

const PROTOCOLS: readonly string[] = ['http:', 'https:', 'ws:', 'wss:'];
const URL_ACCEPTED = 'accepted: for example http://127.0.0.1:8090';

const url = z
  .string()
  .refine((text) => URL.canParse(text) && PROTOCOLS.includes(new URL(text).protocol), {
    message: `is not an address of an exchange; ${URL_ACCEPTED}`,
  })
  .refine((text) => !URL.canParse(text) || isBare(new URL(text)), {
    message: `carries more than an address; ${URL_ACCEPTED}`,
  });

const isBare = ({ username, password, search, hash }: URL): boolean =>
  `${username}${password}${search}${hash}` === '';

export const remoteVenue = z
  .strictObject({
    kind: z.literal('remote').describe('A paper exchange in a process of its own.'),
    url: url.describe(
      'Its address; beyond this machine https or wss, as orders would otherwise be unencrypted.',
    ),
    timeoutMs: z
      .int()
      .min(100)
      .max(60_000)
      .default(5_000)
      .describe(
        'Longest wait for a reply, in milliseconds; after it the outcome is unknown and is queried.',
      ),
    probeMs: z
      .int()
      .min(100)
      .max(60_000)
      .default(5_000)
      .describe(
        'How often the exchange is pinged, in milliseconds; one that does not answer within timeoutMs is reconnected.',
      ),
    reconnectMaxMs: z
      .int()
      .min(250)
      .max(60_000)
      .default(10_000)
      .describe('Longest wait between two attempts to connect, in milliseconds.'),
    heartbeatSec: z
      .int()
      .min(10)
      .max(3_600)
      .default(30)
      .describe('Silence after which the exchange sends a heartbeat request, in seconds.'),
    cancelOnDisconnect: z
      .boolean()
      .default(false)
      .describe(
        'Whether the exchange cancels the orders of a connection that is lost: a clean book after a crash, and lost places in the queue after every break.',
      ),
    quietWindows,
    credentials: z
      .array(credentials)
      .min(1)
      .describe('One entry per key; the first connection also carries the market.'),
  })
  .describe('A paper exchange in a process of its own.');

export type RemoteVenueSection = z.output<typeof remoteVenue>;
export type RemoteCredentialsSection = z.output<typeof credentials>;
