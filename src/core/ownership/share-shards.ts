// How shards are shared out among the daemons that are there. Each daemon decides for itself from the same view: it
// gives up what it owns beyond its share, and takes what nobody owns up to its share. The shares add up to all
// shards, so whatever is given up is taken by another one. Shards with accounts are shared out apart from empty
// ones, because a deployment has few accounts and many shards.
import type { Lease, LeaseView } from './lease.ts';

export interface ShareOptions {
  readonly view: LeaseView;
  readonly self: string;
  /** Members that are not there any more. */
  readonly gone: ReadonlySet<string>;
  /** Shards that have an account. */
  readonly occupied: ReadonlySet<number>;
}

export interface Share {
  /** Owned by nobody who is there; to be taken. */
  readonly take: readonly Lease[];
  /** Owned beyond the share; to be given up. */
  readonly giveUp: readonly number[];
}

const NOTHING: Share = { take: [], giveUp: [] };

/** What `self` has to take and to give up. A member that leaves takes nothing; it gives up everything by itself. */
export function shareOf({ view, self, gone, occupied }: ShareOptions): Share {
  const present = view.members.filter(({ name }) => !gone.has(name));
  const sharing = present.filter(({ isLeaving }) => !isLeaving).map(({ name }) => name);
  const place = sharing.indexOf(self);
  if (place < 0) return NOTHING;
  const here = new Set(present.map(({ name }) => name));
  const parts = [true, false].map((isOccupied) => {
    const leases = view.leases.filter(({ shard }) => occupied.has(shard) === isOccupied);
    const size = sizeOfShare(leases.length, { place, of: sharing.length });
    const own = leases.filter(({ owner }) => owner === self);
    const free = leases.filter(({ owner }) => owner === undefined || !here.has(owner));
    return {
      take: free.slice(0, Math.max(0, size - own.length)),
      giveUp: own.slice(size).map(({ shard }) => shard),
    };
  });
  return {
    take: parts.flatMap(({ take }) => take),
    giveUp: parts.flatMap(({ giveUp }) => giveUp),
  };
}

/** The earlier places get one more where it does not divide evenly. */
const sizeOfShare = (
  count: number,
  { place, of }: { readonly place: number; readonly of: number },
): number => Math.floor(count / of) + (place < count % of ? 1 : 0);
