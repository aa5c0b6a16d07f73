// The stores as a simulated daemon reaches them are the stores themselves, as long as no trouble is planned.
import { describe } from 'vitest';
import { instant } from '../../src/values/instant.ts';
import { MemoryLedger } from '../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../src/virtual/virtual-clock.ts';
import { ledgerConformance } from '../conformance/ledger.ts';
import { stateSnapshotsConformance } from '../conformance/state-snapshots.ts';
import { MemoryStateSnapshots } from '../doubles/memory/memory-state-snapshots.ts';
import { troubledSnapshots } from './world/snapshots/troubled-snapshots.ts';
import { Trouble } from './world/trouble.ts';
import { troubledLedger } from './world/troubled-ledger.ts';

const none = (): Trouble => new Trouble({ seed: 'none', faults: [] });

describe('troubledLedger without troubles', () => {
  ledgerConformance(() => {
    let at = instant(0);
    const ledger = new MemoryLedger({ now: () => at });
    const clock = new VirtualClock(at);
    const own = { ledger, clock, trouble: none(), onWritten: () => undefined };
    return Promise.resolve({
      ledger: troubledLedger(own),
      setNow: (next) => {
        at = next;
      },
      fills: () => Promise.resolve(ledger.fills()),
    });
  });
});

describe('troubledSnapshots without troubles', () => {
  stateSnapshotsConformance(() => {
    const ledger = new MemoryLedger({ now: () => instant(0) });
    const snapshots = new MemoryStateSnapshots(ledger);
    return Promise.resolve({
      ledger,
      snapshots: troubledSnapshots({ snapshots, trouble: none() }),
    });
  });
});
