// Rules of remote venues: every trading account has one key, its secret has one source, and orders are
// unencrypted only on this machine.
import type { ConfigFile } from '../config-schema.ts';
import type { Finding } from '../finding.ts';
import { isDemoPair } from '../secrets/demo-keys.ts';
import type { RemoteVenueSection } from '../sections/remote-section.ts';
import { isEncrypted, isLocal } from './venue-place.ts';

export function remoteFindings(file: ConfigFile): readonly Finding[] {
  return Object.entries(file.venues).flatMap(([name, venue]) =>
    venue.kind === 'remote' ? findingsOf(file, name, venue) : [],
  );
}

function findingsOf(file: ConfigFile, name: string, venue: RemoteVenueSection): readonly Finding[] {
  const path = ['venues', name];
  const inTheOpen = isLocal(venue) || isEncrypted(venue.url) ? [] : [unencrypted(path)];
  const own = file.accounts.filter((account) => account.venue === name);
  const trading = own.filter(({ dummy }) => !dummy).map(({ id }) => id);
  const given = venue.credentials.flatMap(({ accounts }) => accounts);
  const missing = trading.filter((id) => !given.includes(id));
  return [
    ...inTheOpen,
    ...(missing.length > 0 ? [withoutKey(path, missing)] : []),
    ...venue.credentials.flatMap((entry, index) => [
      ...secretFindings([...path, 'credentials', index], entry),
      ...entry.accounts.flatMap((id, at) => {
        const where = [...path, 'credentials', index, 'accounts', at];
        if (!trading.includes(id)) return [strange(where, id, trading)];
        const before = venue.credentials.slice(0, index).flatMap(({ accounts }) => accounts);
        const isRepeated = [...before, ...entry.accounts.slice(0, at)].includes(id);
        return isRepeated ? [repeated(where, id)] : [];
      }),
    ]),
  ];
}

type Path = readonly (string | number)[];

const unencrypted = (path: Path): Finding => ({
  path: [...path, 'url'],
  message: 'is not encrypted; accepted: https or wss, or an address of this machine',
});

const withoutKey = (path: Path, ids: readonly string[]): Finding => ({
  path: [...path, 'credentials'],
  message: `has no key for ${ids.join(', ')}; accepted: each account of this venue in one entry`,
});

const strange = (path: Path, id: string, known: readonly string[]): Finding => ({
  path,
  message: `names ${JSON.stringify(id)}, which is not a trading account of this venue; accepted: ${known.join(', ') || 'none is configured'}`,
});

const repeated = (path: Path, id: string): Finding => ({
  path,
  message: `repeats ${id}; accepted: each account once`,
});

function secretFindings(
  path: Path,
  { keyId, secret, secretEnv, secretFile }: RemoteVenueSection['credentials'][number],
): readonly Finding[] {
  const given = [secret, secretEnv, secretFile].filter((one) => one !== undefined);
  if (given.length !== 1) {
    const message = `has ${given.length} secrets; accepted: one of secretEnv and secretFile (secret for the demo keys)`;
    return [{ path, message }];
  }
  if (secret === undefined || isDemoPair(keyId, secret)) return [];
  const message =
    'is in plain text; accepted: secretEnv or secretFile (plain text is for the published demo keys)';
  return [{ path: [...path, 'secret'], message }];
}
