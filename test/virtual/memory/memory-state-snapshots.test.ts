import { instant } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { stateSnapshotsConformance } from '../../conformance/state-snapshots.ts';
import { MemoryStateSnapshots } from '../../doubles/memory/memory-state-snapshots.ts';

stateSnapshotsConformance(() => {
  const ledger = new MemoryLedger({ now: () => instant(1_800_000_000_000) });
  return Promise.resolve({ ledger, snapshots: new MemoryStateSnapshots(ledger) });
});
