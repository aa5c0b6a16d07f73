// What a daemon of a simulated deployment has of the others: nudges, shards that it owns by leases which may lie, and
// calls that it passes to the owners of others.

import type { LeaseView } from '../../../src/core/ownership/lease.ts';
import { shardOf } from '../../../src/core/ownership/shards.ts';
import type { Operations } from '../../../src/engine/interface/operations.ts';
import { AccountHandOvers } from '../../../src/engine/link/account-hand-overs.ts';
import { answerCalls, HOLD_WAKES } from '../../../src/engine/link/answer-calls.ts';
import { OwnerCalls } from '../../../src/engine/link/owner-calls.ts';
import { OwnerDispatch } from '../../../src/engine/link/owner-dispatch.ts';
import type { OrderOperations } from '../../../src/engine/order-entry/order-operations.ts';
import { Absences } from '../../../src/engine/ownership/absences.ts';
import type { Connections } from '../../../src/engine/ownership/account-connections.ts';
import { ShardOwnership } from '../../../src/engine/ownership/shard-ownership.ts';
import type { Gate } from '../../../src/engine/risk/gate.ts';
import type { Wakes } from '../../../src/engine/scheduling/wake-portfolio.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { ShardLeases } from '../../../src/ports/deployment/shard-leases.ts';
import type { Wake } from '../../../src/ports/job-queue.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { Nudges } from '../../../src/ports/nudges.ts';
import type { Observer } from '../../../src/ports/observer.ts';
import type { VenueDirectory } from '../../../src/ports/venue.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import { lonePeer } from '../../doubles/lone-api.ts';
import type { MemoryNudges } from '../../doubles/memory/memory-nudges.ts';
import type { MemoryPeers } from '../../doubles/memory/memory-peers.ts';
import type { MemoryShardLeases } from '../../doubles/memory/memory-shard-leases.ts';
import type { Life } from './life.ts';
import type { Trouble } from './trouble.ts';

const PEER_CALLS = new Set(['call']);
const LEASE_CALLS = new Set(['renew', 'view', 'take', 'release', 'leave']);

/** Nudges that a dead process neither sends nor receives. */
export function nudgesOf(life: Life, nudges: MemoryNudges): Nudges {
  const end = nudges.open();
  return {
    nudge: (topic, text) => {
      if (!life.isOver) end.nudge(topic, text);
    },
    onNudge: (topic, listener) =>
      end.onNudge(topic, (text) => life.whenMoving(() => listener(text))),
  };
}

export interface MembershipParts {
  readonly life: Life;
  /** Its name in this life, and its address. */
  readonly name: string;
  readonly leases: MemoryShardLeases;
  readonly nudges: Nudges;
  readonly peers: MemoryPeers;
  readonly trouble: Trouble;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly ledger: Ledger;
  readonly tradingAccounts: readonly AccountId[];
}

/** One life of a daemon among the others. */
export class Membership {
  readonly ownership: ShardOwnership;
  readonly #parts: MembershipParts;
  readonly #calls: OwnerCalls;
  #peer = lonePeer();

  constructor(parts: MembershipParts) {
    const { life, name, leases, peers, trouble, clock, observer, nudges, tradingAccounts } = parts;
    const seen = lyingLeases({ leases, trouble, name, draw: rng(`leases/${name}`) });
    this.#parts = parts;
    this.ownership = new ShardOwnership({
      clock,
      observer,
      name,
      nudges,
      absences: new Absences(clock),
      address: name,
      leases: life.behind(seen, LEASE_CALLS),
      accounts: () => tradingAccounts,
    });
    const reached = life.behind(peers, PEER_CALLS);
    this.#calls = new OwnerCalls({ ownership: this.ownership, peers: reached, observer });
  }

  /** Has the accounts of this gate handed over with their shards. */
  handsOver(gate: Gate, venues: VenueDirectory, connections: Connections): void {
    const { ownership } = this;
    const { clock, tradingAccounts } = this.#parts;
    const handOvers = new AccountHandOvers({
      clock,
      ownership,
      gate,
      connections,
      calls: this.#calls,
      venues: {
        all: () => venues.all(),
        forAccount: (account) => venues.forAccount(account),
        accounts: () => tradingAccounts,
      },
    });
    this.#peer = { ...this.#peer, handOvers };
  }

  /** Whether another daemon is known to own the account. */
  isElsewhere(account: AccountId): boolean {
    return !this.#calls.isHere(shardOf(account));
  }

  /** Reachable for the others by now. */
  serve(operations: Operations, orders: OrderOperations, wakes: Pick<Wakes, 'hold'>): void {
    const { name, peers, observer } = this.#parts;
    const onFault = (error: unknown): void =>
      observer.observe({ event: 'failed', where: 'link', error });
    peers.add(name, answerCalls({ ...this.#peer, operations, orders, wakes, onFault }));
  }

  /** Passes wake-ups of the queue to the daemon that owns the shard. */
  passWakes(shard: number, wakes: readonly Wake[]): Promise<unknown> {
    return this.#calls.atOwner(shard, HOLD_WAKES, [wakes]);
  }

  operations(here: Operations): Operations {
    return this.dispatch.over('portfolios', here);
  }

  get dispatch(): OwnerDispatch {
    return new OwnerDispatch({ calls: this.#calls, ledger: this.#parts.ledger });
  }
}

/*
 * Leases as a daemon of a simulated deployment sees them may lie: a view is stale, or shows shards of others as its own,
 * or all of its own as lost; and a lease that was taken is reported as refused. Orders must not depend on it.
 */
interface LyingLeasesParts {
  readonly leases: ShardLeases;
  readonly trouble: Trouble;
  readonly draw: Rng;
  /** The daemon that is lied to. */
  readonly name: string;
}

function lyingLeases({ leases, trouble, draw, name }: LyingLeasesParts): ShardLeases {
  let stale: LeaseView | undefined;
  const view = async (): Promise<LeaseView> => {
    if (trouble.strikes('leases_unread')) throw new Error('the leases cannot be read');
    const now = await leases.view();
    const shown = trouble.strikes('leases_stale') ? (stale ?? now) : now;
    stale = now;
    if (!trouble.strikes('leases_lie')) return shown;
    const owner = draw.next() < 0.5 ? name : 'a stranger';
    // With the epoch of the true owner, and with one that the ledger refuses.
    const off = draw.next() < 0.5 ? 0 : 1;
    return {
      ...shown,
      leases: shown.leases.map((lease) => ({ ...lease, owner, epoch: lease.epoch + off })),
    };
  };
  return {
    view,
    renew: (self) => leases.renew(self),
    take: async (who, wanted) => {
      const taken = await leases.take(who, wanted);
      return trouble.strikes('leases_lie') ? [] : taken;
    },
    release: (who, shards) => leases.release(who, shards),
    leave: (who) => leases.leave(who),
    close: () => leases.close(),
  };
}
