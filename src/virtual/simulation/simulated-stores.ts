// The stores behind a simulated deployment: in memory, or whatever else keeps their ports, for example the adapters of
// the real servers. What is not given is in memory.
import type { EventBus } from '../../ports/event-bus.ts';
import type { KeptAnswers } from '../../ports/kept-answers.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { MmpRecords } from '../../ports/mmp-records.ts';
import type { SwitchRecords } from '../../ports/switch-records.ts';
import type { Instant } from '../../values/instant.ts';

export interface SimulatedStores {
  readonly ledger?: Ledger | undefined;
  readonly bus?: EventBus | undefined;
  readonly kept?: KeptAnswers | undefined;
  readonly mmpRecords?: MmpRecords | undefined;
  readonly switchRecords?: SwitchRecords | undefined;
}

/** Opens empty stores that go by the clock of the run. Calls to them must be over before `settle` resolves. */
export type OpenStores = (now: () => Instant) => SimulatedStores;
