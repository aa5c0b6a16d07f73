// Converts the keys of a configuration for the gateway.

import type { GivenKey } from '../../../gateway/auth/keys-in-force.ts';
import { addressList } from '../../../gateway/limits/address-list.ts';
import { plainFingerprint } from '../../../gateway/tls/tls-server.ts';
import { accountId } from '../../../values/ids.ts';
import { parseIso } from '../../../values/instant.ts';
import type { Config } from '../config.ts';

export const givenKeys = ({ keys }: Pick<Config, 'keys'>): readonly GivenKey[] =>
  keys.map(({ addresses, certificate, expiresAt, ...key }) => ({
    ...key,
    addresses,
    certificate: certificate === undefined ? undefined : plainFingerprint(certificate),
    secret: key.secret.reveal(),
    accounts: key.accounts.map(accountId),
    admits: addresses.length === 0 ? undefined : addressList(addresses),
    expiresAt: expiresAt === undefined ? undefined : parseIso(expiresAt),
  }));
