// The page for people: whether it is served, how long a session lives, and who comes in by a proxy that signs people in.
import { z } from 'zod';
import { DEFAULT_PAGE_RULES } from '../../../gateway/page/page-access.ts';
import { PERSON_LENGTH_MAX } from '../../../gateway/page/proxy-people.ts';
import { SCOPES } from '../../../ports/key-records.ts';
import { HOUR_MS, MINUTE_MS } from '../../../values/instant.ts';
import { keyId } from './key-id.ts';
import { secretSource } from './secret-source.ts';

/** Alongside the person's name: only the proxy knows what it holds. */
export const PROXY_SECRET_HEADER = 'X-Twapd-Proxy-Secret';

const headerName = z
  .string()
  .regex(
    /^[A-Za-z0-9-]{1,64}$/,
    'is not the name of a header; accepted: up to 64 letters, digits, dashes',
  );

const person = z
  .strictObject({
    person: z
      .string()
      .regex(
        /^[!-~](?:[ -~]*[!-~])?$/,
        'is not a name as a header has it; accepted: letters, digits and signs of ASCII',
      )
      .max(PERSON_LENGTH_MAX)
      .describe('The person exactly as the proxy names them.'),
    key: keyId.describe('The key whose sessions the person opens and nobody else uses.'),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .optional()
      .describe('What the sessions may do, at most what the key may; default: all of it.'),
  })
  .describe('A person, and the key they come in with.');

const proxySignIn = z
  .strictObject({
    personHeader: headerName
      .default('X-Forwarded-User')
      .describe(
        'Header in which the proxy names the person, as it is configured, in place of whatever a client sent.',
      ),
    secret: secretSource().describe(
      `Secret with which the proxy proves itself in the header ${PROXY_SECRET_HEADER}, at least 16 random characters.`,
    ),
    people: z
      .array(person)
      .min(1)
      .max(1_000)
      .describe('Who comes in, each with a key of their own.'),
  })
  .describe(
    'People who are signed in by a proxy of gateway.trustedProxies, such as one that speaks OIDC; default: nobody.',
  );

export const pageSection = z
  .strictObject({
    access: z
      .enum(['off', 'read', 'full'])
      .default(DEFAULT_PAGE_RULES.access)
      .describe(
        'Whether the page is served; read for a screen on the wall, from which nothing can be changed.',
      ),
    idleMinutes: z
      .int()
      .min(1)
      .max(1_440)
      .default(DEFAULT_PAGE_RULES.idleMs / MINUTE_MS)
      .describe(
        'Minutes without input by a person after which a session ends; fewer where screens stand open.',
      ),
    sessionHours: z
      .int()
      .min(1)
      .max(24)
      .default(DEFAULT_PAGE_RULES.sessionMs / HOUR_MS)
      .describe('Hours after which a session ends in any case; a trading day, or less.'),
    proxySignIn: proxySignIn.optional(),
  })
  .prefault({})
  .describe('The page for people, opened with `twapd open`.');
