// The keys of a configuration as the gateway looks them up.
import type { KeyStore } from '../../gateway/key-store.ts';
import { accountId } from '../../values/ids.ts';
import type { Config } from './config.ts';

export function keyStore(config: Pick<Config, 'keys'>): KeyStore {
  const keys = new Map(
    config.keys.map((key) => [
      key.id,
      { ...key, secret: key.secret.reveal(), accounts: key.accounts.map(accountId) },
    ]),
  );
  return { find: (keyId) => keys.get(keyId) };
}
