// Binds a ledger to the exchange it trades on, whether that lives in the data folder or in a process of its
// own: with another exchange, a ledger would treat every order as absent.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../adapters/files/whole-file.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Config } from '../config/config.ts';
import type { DataDir } from '../data-dir.ts';

export class VenueMismatch extends Error {
  override readonly name = 'VenueMismatch';
}

/** Binds each paper exchange to the ledger at the first start; throws {@link VenueMismatch} later. */
export async function bindPaperVenues(
  config: Config,
  dataDir: DataDir,
  ledger: Pick<Ledger, 'initMetadata'>,
): Promise<void> {
  for (const [name, { kind }] of Object.entries(config.venues)) {
    if (kind !== 'paper') continue;
    const own = identityOf(dataDir.venue(name));
    const bound = await ledger.initMetadata(`paper-venue:${name}`, own);
    if (bound !== own) {
      throw new VenueMismatch(
        `this ledger belongs to the paper exchange "${name}" of another data folder than ${config.service.dataDir}; use that folder, or another database`,
      );
    }
  }
}

/**
 * Called with the exchange's identity at each new connection of the remote venue. Binds the ledger to the
 * first one; rejects with {@link VenueMismatch} if it is another.
 */
export function remoteBinding(
  ledger: Pick<Ledger, 'initMetadata'>,
  name: string,
): (exchangeId: string) => Promise<void> {
  const mark = `remote-venue:${name}`;
  let bound: string | undefined;
  return async (exchangeId) => {
    bound ??= await ledger.initMetadata(mark, exchangeId);
    if (bound === exchangeId) return;
    throw new VenueMismatch(
      `the exchange that answers for "${name}" is ${exchangeId} and this ledger belongs to ${bound}; run the exchange with that data folder, or use another database`,
    );
  };
}

/** How a ledger is bound to a venue across a network. */
export interface VenueBinding {
  /** Called with the identity of the exchange at each new connection. */
  readonly bind: (exchangeId: string) => Promise<void>;
  /** The same for the venue's own number of an account, after `bind`. */
  readonly bindAccount: (account: AccountId, userId: string) => Promise<void>;
}

/**
 * Binds the ledger also to the accounts there: under the key of another account, every order would be absent. Both
 * reject with {@link VenueMismatch}.
 */
export function venueBinding(ledger: Pick<Ledger, 'initMetadata'>, name: string): VenueBinding {
  const bindExchange = remoteBinding(ledger, name);
  const holders = new Map<string, AccountId>();
  let exchange = name;
  return {
    bind: async (exchangeId) => {
      await bindExchange(exchangeId);
      exchange = exchangeId;
    },
    bindAccount: async (account, userId) => {
      const holder = holders.get(userId) ?? account;
      if (holder !== account) {
        throw new VenueMismatch(
          `the accounts ${holder} and ${account} have keys of one account of the venue, ${userId}; accepted: an account of its own for each`,
        );
      }
      holders.set(userId, account);
      const own = `${exchange}, account ${userId}`;
      const bound = await ledger.initMetadata(`venue-account:${account}`, own);
      if (bound === own) return;
      throw new VenueMismatch(
        `the key of account ${account} is of ${own}, and in this ledger it is ${bound}; accepted: a key of that one, or another database`,
      );
    },
  };
}

/** Identity of the exchange in `folder`: created at its first start, lost with the folder. */
export function identityOf(folder: string): string {
  const path = join(folder, 'identity');
  const known = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  // Empty where an earlier version could not write it for lack of space; that start ended before anything was bound to it.
  if (known !== '') return known;
  mkdirSync(folder, { recursive: true });
  const identity = randomUUID();
  writeWhole(path, `${identity}\n`, { mode: 0o644 });
  return identity;
}
