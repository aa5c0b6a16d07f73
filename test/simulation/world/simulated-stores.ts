// The stores behind a simulated deployment: in memory, or other implementations of their ports such as the adapters of
// the real servers. The default is in memory.
import type { EventBus } from '../../../src/ports/event-bus.ts';
import type { KeptAnswers } from '../../../src/ports/kept-answers.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { MmpRecords } from '../../../src/ports/mmp-records.ts';
import type { StateSnapshots } from '../../../src/ports/snapshots/state-snapshots.ts';
import type { SwitchRecords } from '../../../src/ports/switch-records.ts';
import type { Instant } from '../../../src/values/instant.ts';

export interface SimulatedStores {
  readonly ledger?: Ledger | undefined;
  readonly snapshots?: StateSnapshots | undefined;
  readonly bus?: EventBus | undefined;
  readonly kept?: KeptAnswers | undefined;
  readonly mmpRecords?: MmpRecords | undefined;
  readonly switchRecords?: SwitchRecords | undefined;
}

/** Opens empty stores that go by the clock of the run. Calls to them must be over before `settle` resolves. */
export type OpenStores = (now: () => Instant) => SimulatedStores;
