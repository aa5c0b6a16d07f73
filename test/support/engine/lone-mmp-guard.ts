// Market maker protection of a process that is alone and connected for every account.
import { MmpGuard, type MmpGuardOptions } from '../../../src/engine/mmp/mmp-guard.ts';
import { ALL_CONNECTED } from '../../../src/engine/ownership/account-connections.ts';
import { NO_NUDGES } from '../../../src/ports/nudges.ts';
import { MemoryMmpRecords } from '../../doubles/memory/memory-mmp-records.ts';

type Given = Pick<MmpGuardOptions, 'clock' | 'observer' | 'venues' | 'deployment'>;

export const loneMmpGuard = (parts: Given & Partial<MmpGuardOptions>): MmpGuard =>
  new MmpGuard({
    records: new MemoryMmpRecords(),
    ledger: { load: () => Promise.resolve(undefined) },
    nudges: NO_NUDGES,
    connections: ALL_CONNECTED,
    isElsewhere: () => false,
    ...parts,
  });
