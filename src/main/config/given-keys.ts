// The keys of a configuration as the gateway takes them.
import { addressList } from '../../gateway/address-list.ts';
import type { GivenKey } from '../../gateway/keys-in-force.ts';
import { accountId } from '../../values/ids.ts';
import { parseIso } from '../../values/instant.ts';
import type { Config } from './config.ts';

export const givenKeys = ({ keys }: Pick<Config, 'keys'>): readonly GivenKey[] =>
  keys.map(({ addresses, expiresAt, ...key }) => ({
    ...{ ...key, addresses },
    secret: key.secret.reveal(),
    accounts: key.accounts.map(accountId),
    admits: addresses.length === 0 ? undefined : addressList(addresses),
    expiresAt: expiresAt === undefined ? undefined : parseIso(expiresAt),
  }));
