// Encrypts the secrets of API keys for the store with AES-256-GCM, under a key derived from the master secret.
// The ciphertext is bound to the generation and to all that the key may do, so that neither can one sealed secret be
// substituted for another nor can what its key may do be altered where it is stored.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyGrant } from '../../ports/key-records.ts';

const CIPHER = 'aes-256-gcm';
const FORM = 'v2';
/** Bound to id and generation alone. */
const EARLIER_FORM = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MASTER_BYTES_MIN = 32;

/** The key that owns the secret. */
export interface SealedFor {
  readonly grant: KeyGrant;
  readonly generation: number;
}

export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

export class KeySeal {
  readonly #key: Buffer;

  /** `master` is base64 of at least 32 random bytes. */
  constructor(master: string) {
    if (!isLongEnough(master)) throw new SealBroken(`this ${MASTER_FAULT}`);
    const bytes = Buffer.from(master, 'base64');
    this.#key = Buffer.from(hkdfSync('sha256', bytes, '', 'twapd api keys v1', 32));
  }

  seal(secret: string, owner: SealedFor): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(boundBytes(owner));
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final()]);
    return `${FORM}.${Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64')}`;
  }

  /** @throws SealBroken when it was sealed under another master secret, for another key, or was altered. */
  open(text: string, owner: SealedFor): string {
    const [form, sealed = ''] = text.split('.', 2);
    const bytes = Buffer.from(sealed, 'base64');
    const end = bytes.length - TAG_BYTES;
    if ((form !== FORM && form !== EARLIER_FORM) || end < NONCE_BYTES)
      throw new SealBroken(broken(owner));
    try {
      const opener = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(form === FORM ? boundBytes(owner) : ownerBytes(owner))
        .setAuthTag(bytes.subarray(end));
      return (
        opener.update(bytes.subarray(NONCE_BYTES, end), undefined, 'utf8') + opener.final('utf8')
      );
    } catch (error) {
      throw new SealBroken(broken(owner), { cause: error });
    }
  }
}

const MASTER_FAULT = `is not a master secret; accepted: canonical base64 of at least ${MASTER_BYTES_MIN} random bytes, for example of: openssl rand -base64 ${MASTER_BYTES_MIN}`;

/** Whether it is canonical base64 of enough bytes. */
function isLongEnough(master: string): boolean {
  const bytes = Buffer.from(master, 'base64');
  return bytes.length >= MASTER_BYTES_MIN && bytes.toString('base64') === master;
}

/** Describes what is wrong with a master secret, or returns `undefined`; never quotes the secret. */
export function masterFault(master: string): string | undefined {
  const isRandom = isLongEnough(master) && looksRandom(Buffer.from(master, 'base64'));
  return isRandom ? undefined : MASTER_FAULT;
}

/** The chance that 16 random bytes have fewer than eight different values is below one in 10^11. */
const DIFFERENT_BYTES_MIN = 8;

/** False for zeros, a repeated byte and the like: plain text used as a secret, or a broken generator. */
export const looksRandom = (bytes: Uint8Array): boolean =>
  new Set(bytes).size >= DIFFERENT_BYTES_MIN;

/** Returns a new signing secret: base64 of 32 random bytes. */
export const newSecret = (): string => randomBytes(32).toString('base64');

const broken = ({ grant, generation }: SealedFor): string =>
  `secret ${generation} of key ${grant.id} does not open: it was sealed under another master secret, or it or what the key may do was altered`;

/** Whether it binds what its key may do; secrets sealed by earlier versions do not. */
export const bindsGrant = (sealed: string): boolean => sealed.startsWith(`${FORM}.`);

const ownerBytes = ({ grant, generation }: SealedFor): Buffer =>
  Buffer.from(`${grant.id}\n${generation}`, 'utf8');

function boundBytes({ grant, generation }: SealedFor): Buffer {
  const { id, uid, nickname, accounts, scopes, bindBody, addresses, createdAt } = grant;
  const { makerAlias = null, expiresAt = null } = grant;
  const may = [uid, nickname, accounts, scopes, bindBody, addresses, makerAlias];
  return Buffer.from(JSON.stringify([id, generation, ...may, createdAt, expiresAt]), 'utf8');
}
