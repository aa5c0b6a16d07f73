// Every trading account of a venue across a network has the credentials of one entry.
import type { ConfigFile } from '../config-schema.ts';
import type { Finding } from '../finding.ts';

type Path = readonly (string | number)[];

/** An account that an entry of the credentials names, and where it does. */
export interface NamedAccount {
  readonly id: string;
  readonly path: Path;
}

export function accountsNamed(
  file: ConfigFile,
  venue: string,
  named: readonly NamedAccount[],
): readonly Finding[] {
  const own = file.accounts.filter((account) => account.venue === venue);
  const trading = own.filter(({ dummy }) => !dummy).map(({ id }) => id);
  const missing = trading.filter((id) => !named.some((one) => one.id === id));
  return [
    ...(missing.length > 0 ? [withoutKey(['venues', venue], missing)] : []),
    ...named.flatMap(({ id, path }, index) => {
      if (!trading.includes(id)) return [strange(path, id, trading)];
      const isRepeated = named.slice(0, index).some((one) => one.id === id);
      return isRepeated ? [repeated(path, id)] : [];
    }),
  ];
}

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
