// Redis and PostgreSQL: private servers unless an address is given. An address may contain a password and is
// then a secret; the file may hold only addresses without one.
import { z } from 'zod';
import { LOCATIONS_TEXT } from './secret-location.ts';
import { secretOr } from './secret-source.ts';

/** An address without a password may stand in the file. */
const urlOf = (protocols: readonly string[], example: string, variable: string) =>
  secretOr((text) => {
    const fault = urlFault(text, protocols, example);
    if (fault !== undefined) return fault;
    return new URL(text).password === ''
      ? undefined
      : `holds a password; accepted: ${variable}, ${LOCATIONS_TEXT}`;
  });

/** Describes what is wrong with an address, without repeating it; `undefined` if it is valid. */
export function urlFault(
  text: string,
  protocols: readonly string[],
  example: string,
): string | undefined {
  const isRead = URL.canParse(text) && protocols.includes(new URL(text).protocol);
  return isRead ? undefined : `is not an address of its kind; accepted: for example ${example}`;
}

export const REDIS_URL = {
  protocols: ['redis:', 'rediss:', 'unix:'],
  example: 'redis://127.0.0.1:6379/0',
} as const;
export const DATABASE_URL = {
  protocols: ['postgres:', 'postgresql:'],
  example: 'postgres://twapd@127.0.0.1:5432/twapd',
} as const;

export const redisSection = z
  .strictObject({
    url: urlOf(REDIS_URL.protocols, REDIS_URL.example, 'REDIS_URL')
      .optional()
      .describe(
        'Address of Redis 6.2 or newer, in plain text only without a password; absent: a private redis-server. REDIS_URL wins.',
      ),
  })
  .describe('The queue: wakes the engine, stores nothing of value.');

export const databaseSection = z
  .strictObject({
    url: urlOf(DATABASE_URL.protocols, DATABASE_URL.example, 'DATABASE_URL')
      .optional()
      .describe(
        'Address of PostgreSQL 14 or newer, in plain text only without a password; absent: an embedded one. DATABASE_URL wins.',
      ),
    connectionsMax: z
      .int()
      .min(2)
      .max(64)
      .default(8)
      .describe(
        'Most open connections to PostgreSQL; fewer where the server allows few, more for many clients that read.',
      ),
  })
  .describe('The ledger: every event of every portfolio.');
