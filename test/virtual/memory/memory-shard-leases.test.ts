import { describe } from 'vitest';
import { LEASE_MS } from '../../../src/ports/deployment/shard-leases.ts';
import { type Instant, instant, later } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { leasedCommitsConformance } from '../../conformance/deployment/leased-commits.ts';
import { shardLeasesConformance } from '../../conformance/deployment/shard-leases.ts';
import { MemoryShardLeases } from '../../doubles/memory/memory-shard-leases.ts';

describe('MemoryLedger with MemoryShardLeases', () => {
  leasedCommitsConformance(() => {
    const now = (): Instant => instant(1_767_225_600_000);
    const leases = new MemoryShardLeases(now);
    return Promise.resolve({ leases, ledger: new MemoryLedger({ now, leases }) });
  });
});

describe('MemoryShardLeases', () => {
  shardLeasesConformance(() => {
    let now: Instant = instant(1_767_225_600_000);
    const leases = new MemoryShardLeases(() => now);
    return Promise.resolve({
      open: () => Promise.resolve(leases),
      kill: (_view, name) => Promise.resolve(leases.disconnect(name)),
      pass: () => {
        now = later(now, LEASE_MS);
        return Promise.resolve();
      },
    });
  });
});
