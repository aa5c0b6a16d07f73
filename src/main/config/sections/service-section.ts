// Where the daemon listens, where it stores its files, and how it stops.
import { z } from 'zod';
import { secretSource } from './secret-source.ts';

/** Where an engine is reached. */
export const LINK_URL = /^wss?:\/\/[^\s/]+$/;
export const LINK_URL_ACCEPTED = 'accepted: ws://HOST:PORT or wss://HOST:PORT';

export const serviceSection = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe('Address to listen on; anything but loopback needs keys of your own.'),
    port: z
      .int()
      .min(0)
      .max(65_535)
      .default(8080)
      .describe(
        'TCP port for REST, WebSocket, metrics and health; another where 8080 is taken, 0 for a free one.',
      ),
    deployment: z
      .string()
      .regex(/^[a-z0-9]{4}$/, 'accepted: exactly four of a-z and 0-9')
      .default('main')
      .describe(
        'Name of this deployment in every order label; keeps deployments that share an account apart.',
      ),
    dataDir: z
      .string()
      .min(1)
      .default('./.twapd')
      .describe(
        'Folder for the embedded PostgreSQL, Redis and paper exchange, from the working directory.',
      ),
    strategies: z
      .string()
      .min(1)
      .default('./strategies')
      .describe('Folder of strategy files, from the working directory; watched for changes.'),
    parts: z
      .enum(['apart', 'together'])
      .default('apart')
      .describe(
        'apart: clients are served by a process of their own, so that they make no slice late; together: one process.',
      ),
    link: z
      .strictObject({
        host: z
          .string()
          .min(1)
          .default('127.0.0.1')
          .describe(
            'Address on which the other daemons of the deployment reach this one; set where they run on several machines.',
          ),
        port: z
          .int()
          .min(0)
          .max(65_535)
          .default(0)
          .describe(
            'TCP port for the other daemons of the deployment; fixed where a firewall stands between them, 0 for a free one.',
          ),
        address: z
          .string()
          .regex(LINK_URL, LINK_URL_ACCEPTED)
          .optional()
          .describe(
            'Address at which they reach it if that is not the host and port above, as behind a tunnel.',
          ),
        key: secretSource()
          .optional()
          .describe(
            'Key of links, base64 of at least 32 random bytes; default: derived from the master secret. TWAPD_LINK_KEY wins.',
          ),
      })
      .prefault({})
      .describe(
        'How the daemons of one deployment call each other: each account is worked by one of them.',
      ),
    runbookUrl: z
      .string()
      .regex(
        /^https?:\/\/[^\s#"<>]+$/,
        'accepted: an address with https or http, without a fragment',
      )
      .optional()
      .describe(
        'Address at which people read docs/operations.md: alerts and notifications link to its sections; absent: they carry no link.',
      ),
    plainHttp: z
      .boolean()
      .default(false)
      .describe(
        'True: a proxy in front does TLS, or the network is trusted. Else a host beyond loopback needs gateway.tls.',
      ),
  })
  .describe('Where the daemon listens, where it keeps its files, how it stops.');
