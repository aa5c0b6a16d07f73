// Contract of a ledger and the leases alongside it: a turn that was decided under a lease is refused once the shard has been
// taken by another process, and nothing of its call is written.
import { expect, test } from 'vitest';
import type { Lease } from '../../../src/core/ownership/lease.ts';
import { shardOf } from '../../../src/core/ownership/shards.ts';
import type { ShardLeases } from '../../../src/ports/deployment/shard-leases.ts';
import type { HeldLease, Ledger } from '../../../src/ports/ledger.ts';
import { must } from '../../../src/values/assert.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { turnWith } from '../ledger-stage.ts';

export interface LeasedLedger {
  readonly ledger: Ledger;
  readonly leases: ShardLeases;
}

const SHARD = shardOf(turnWith(7, 0).row.account);

async function taken(leases: ShardLeases, name: string): Promise<HeldLease> {
  const view = await leases.view();
  const lease = must<Lease>(view.leases[SHARD], 'every shard has a lease');
  const [own] = await leases.take(name, [lease]);
  return { shard: SHARD, epoch: must(own, 'a lease that was free').epoch };
}

const versionOf = async (ledger: Ledger, id: string): Promise<number | undefined> =>
  (await ledger.load(portfolioId(id)))?.version;

export function leasedCommitsConformance(open: () => Promise<LeasedLedger>): void {
  test('turns are committed under the lease that is in force, and under none', async () => {
    const { ledger, leases } = await open();
    const lease = await taken(leases, 'a');
    for (const turn of [turnWith(7, 0), turnWith(7, 1, { turn: { lease } }), turnWith(7, 2)]) {
      expect(await ledger.commit([turn])).toEqual({ kind: 'committed' });
    }
  });

  test('a turn under a lease that another one has taken since is refused, with its whole call', async () => {
    const { ledger, leases } = await open();
    const lease = await taken(leases, 'a');
    await ledger.commit([turnWith(7, 0), turnWith(8, 0)]);
    const newer = await taken(leases, 'b');
    const late = [turnWith(7, 1), turnWith(8, 1, { turn: { lease } })];
    expect(await ledger.commit(late)).toEqual({ kind: 'lease_lost', lease });
    expect([await versionOf(ledger, '7'), await versionOf(ledger, '8')]).toEqual([3, 3]);
    const own = [turnWith(7, 1, { turn: { lease: newer } }), turnWith(8, 1)];
    expect(await ledger.commit(own)).toEqual({ kind: 'committed' });
  });

  test('a turn that was decided on another version is refused for its lease first', async () => {
    const { ledger, leases } = await open();
    const lease = await taken(leases, 'a');
    await ledger.commit([turnWith(7, 0)]);
    await taken(leases, 'b');
    expect(await ledger.commit([turnWith(7, 0, { turn: { lease } })])).toEqual({
      kind: 'lease_lost',
      lease,
    });
  });

  test('other calls of the same moment are not affected by a lease that was lost', async () => {
    const { ledger, leases } = await open();
    const lease = await taken(leases, 'a');
    await ledger.commit([turnWith(7, 0), turnWith(8, 0), turnWith(9, 0)]);
    await leases.release('a', [SHARD]);
    const outcomes = await Promise.all([
      ledger.commit([turnWith(7, 1)]),
      ledger.commit([turnWith(8, 1, { turn: { lease } })]),
      ledger.commit([turnWith(9, 1)]),
    ]);
    expect(outcomes).toEqual([
      { kind: 'committed' },
      { kind: 'lease_lost', lease },
      { kind: 'committed' },
    ]);
  });
}
