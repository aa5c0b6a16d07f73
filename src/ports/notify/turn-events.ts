// Reads out of many turns the few events of some kinds, without reading the turns.
import type { NotableEvent } from '../../core/notify/ledger-happenings.ts';
import type { EventKind } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { LoggedTurn } from '../turn-log.ts';

export interface TurnEvents {
  /** Their events of these kinds, in order of the turns. */
  among(
    turns: readonly LoggedTurn[],
    kinds: readonly EventKind[],
  ): Promise<readonly NotableEvent[]>;
}
