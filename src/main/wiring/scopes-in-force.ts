// What the keys in force allow each user, for the engine to compare with what gateways say.
import type { HeldScopes } from '../../engine/link/serve-line.ts';
import type { Scope } from '../../ports/key-records.ts';
import type { OpenedKeys } from './open-keys.ts';

const NONE: ReadonlySet<Scope> = new Set();

export function scopesInForce(keys: Pick<OpenedKeys, 'all' | 'watch' | 'refresh'>): HeldScopes {
  let ofUsers: ReadonlyMap<string, ReadonlySet<Scope>> | undefined;
  keys.watch(() => {
    ofUsers = undefined;
  });
  const read = (): ReadonlyMap<string, ReadonlySet<Scope>> => {
    const grouped = Map.groupBy(keys.all(), ({ uid }) => uid);
    return new Map(
      [...grouped].map(([uid, own]) => [uid, new Set(own.flatMap(({ scopes }) => scopes))]),
    );
  };
  return {
    of: (uid) => {
      ofUsers ??= read();
      return ofUsers.get(uid) ?? NONE;
    },
    refresh: () => keys.refresh(),
  };
}
