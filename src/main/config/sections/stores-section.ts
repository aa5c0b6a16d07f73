// Redis and PostgreSQL: private servers unless an address is given. An address may contain a password and is
// then a secret; the file may hold only addresses without one.
import { z } from 'zod';
import { secretCommand, secretCredential } from './secret-source.ts';

const urlOf = (protocols: readonly string[], example: string) =>
  z.string().superRefine((text, context) => {
    const fault = urlFault(text, protocols, example);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
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

const urlFile = (variable: string) =>
  z
    .string()
    .min(1)
    .optional()
    .describe(
      `File that holds the address with its password, readable by its owner only; ${variable} wins.`,
    );

export const redisSection = z
  .strictObject({
    url: urlOf(REDIS_URL.protocols, REDIS_URL.example)
      .optional()
      .describe(
        'Address of Redis 6.2 or newer, without a password; absent: a private redis-server. REDIS_URL wins.',
      ),
    urlFile: urlFile('REDIS_URL'),
    urlCommand: secretCommand('the address with its password'),
    urlCredential: secretCredential('the address with its password'),
  })
  .describe('The queue: wakes the engine, stores nothing of value.');

export const databaseSection = z
  .strictObject({
    url: urlOf(DATABASE_URL.protocols, DATABASE_URL.example)
      .optional()
      .describe(
        'Address of PostgreSQL 14 or newer, without a password; absent: an embedded one. DATABASE_URL wins.',
      ),
    urlFile: urlFile('DATABASE_URL'),
    urlCommand: secretCommand('the address with its password'),
    urlCredential: secretCredential('the address with its password'),
    connectionsMax: z
      .int()
      .min(2)
      .max(64)
      .default(8)
      .describe('Most open connections to PostgreSQL.'),
  })
  .describe('The ledger: every event of every portfolio.');
