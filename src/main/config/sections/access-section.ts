// Access: trading accounts, and the keys that sign requests for them.
import { z } from 'zod';
import { plainFingerprint } from '../../../gateway/tls/tls-server.ts';
import { SCOPES } from '../../../ports/key-records.ts';
import { parseIso } from '../../../values/instant.ts';
import { characters } from '../../characters.ts';
import { address } from './gateway-section.ts';
import { keyId } from './key-id.ts';
import { selfTradeMode } from './rules-section.ts';
import { secretOr } from './secret-source.ts';

export const accountId = z
  .string()
  .regex(
    /^[1-9]\d{0,14}$/,
    'is not an account id; accepted: up to 15 digits in quotes, such as "10001"',
  );

const account = z
  .strictObject({
    id: accountId.describe('Account id, as requests name it; one for each account a desk trades.'),
    name: characters(1, 64).describe(
      'Name of the account shown to people on pages and in reports.',
    ),
    venue: z.string().min(1).describe('Name of the venue it trades on, as under `venues`.'),
    dummy: z
      .boolean()
      .default(false)
      .describe(
        'True for an account that only mirrors the fills of others and sends no orders; for books that follow another one.',
      ),
    selfTrade: selfTradeMode
      .optional()
      .describe(
        'Which of two orders of an account on a paper venue gives way if they would match, where one account differs from the rules of the venue.',
      ),
  })
  .describe('One trading account.');

const key = z
  .strictObject({
    id: keyId.describe('Key id, sent with every request; one key for each program or person.'),
    // Plain text is judged with the id alongside it: the published demo keys have it.
    secret: secretOr(() => undefined).describe(
      'Base64 secret of at least 16 random bytes with which its requests are signed; in plain text for the published demo keys only.',
    ),
    uid: z
      .string()
      .regex(/^\d{1,18}$/, 'is not a user id; accepted: digits in quotes, such as "1001"')
      .describe('User id shown on what this key submits.'),
    nickname: characters(1, 64).describe('User name shown on what this key submits.'),
    accounts: z
      .array(accountId)
      .min(1)
      .describe('Accounts this key may use, no more than its user trades.'),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .describe(
        'What this key may do, no more than its user needs; docs/security.md describes each.',
      ),
    bindBody: z
      .boolean()
      .default(false)
      .describe(
        'True demands signatures that also cover method, path and body; for a key whose requests pass proxies that others operate.',
      ),
    makerAlias: z
      .string()
      .regex(/^[A-Z0-9]{2,16}$/, 'is not an alias; accepted: 2 to 16 upper-case letters and digits')
      .optional()
      .describe('Name of this maker in Block RFQ, for a key that quotes; absent: not a maker.'),
    addresses: z
      .array(address)
      .default([])
      .describe(
        'Addresses and networks requests may come from, for a program that runs in one place; none named: any.',
      ),
    certificate: z
      .string()
      .refine((text) => plainFingerprint(text) !== undefined, {
        message:
          'is not a fingerprint; accepted: that of: openssl x509 -noout -fingerprint -sha256, 64 hexadecimal digits',
      })
      .optional()
      .describe(
        'SHA-256 fingerprint of the client certificate without which the key is refused (gateway.tls.ca), for a desk that signs with hardware too; absent: any.',
      ),
    expiresAt: z
      .string()
      .refine((text) => parseIso(text) !== undefined, {
        message: 'is not an instant; accepted: ISO 8601 in quotes, such as "2027-01-31T00:00:00Z"',
      })
      .optional()
      .describe(
        'Instant from which the key is refused, for a key that is lent or rotated; absent: never.',
      ),
  })
  .describe('One API key.');

export const accountsSection = z.array(account).min(1).describe('The trading accounts.');
/** What a key may do, without its secret. */
export const keyGrantSection = key.omit({ secret: true });
export const keysSection = z.array(key).min(1).describe('The API keys.');
