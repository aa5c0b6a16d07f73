// The common ledger as one daemon reaches it: commits that fail before or after they were written, with
// and without a reply, slow ones, and reads that fail. Every written commit is reported to the witness first.
import {
  type CommitOutcome,
  type Ledger,
  LedgerFailure,
  type Turn,
} from '../../../src/ports/ledger.ts';
import type { TurnLog } from '../../../src/ports/turn-log.ts';
import { later } from '../../../src/values/instant.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import type { Life } from './life.ts';
import { frontOf } from './port-front.ts';
import type { Trouble } from './trouble.ts';

export interface TroubledLedgerParts {
  readonly ledger: Ledger;
  readonly clock: VirtualClock;
  readonly trouble: Trouble;
  /** The turns are durable from now on. */
  readonly onWritten: (turns: readonly Turn[]) => void;
}

/** The commit, and what is read; a nonce that cannot be claimed has not been. */
const TROUBLED: ReadonlySet<string> = new Set([
  'commit',
  'load',
  'row',
  'shardOf',
  'active',
  'atWork',
  'overdue',
  'withOldRecord',
  'findByKey',
  'claimOnce',
  'getMetadata',
  'setMetadata',
]);

/** More than any plan needs: what comes after them in the same instant repeats itself without end. */
const TURNS_AN_INSTANT_MAX = 5_000;

/** `ledger` with the troubles of the plan between it and one daemon. */
export function troubledLedger(parts: TroubledLedgerParts): Ledger {
  let [at, turns] = [parts.clock.now(), 0];
  const expectEnd = (): void => {
    const now = parts.clock.now();
    [at, turns] = [now, now === at ? turns + 1 : 0];
    if (turns > TURNS_AN_INSTANT_MAX) throw new Error(`${turns} turns within one instant`);
  };
  return frontOf(parts.ledger, TROUBLED, {
    pass: (name, port, given) => {
      if (name === 'commit') {
        expectEnd();
        return committed(parts, given[0] as readonly Turn[]);
      }
      return parts.trouble.strikes('ledger_unread')
        ? Promise.reject(new LedgerFailure('no answer to a read', false))
        : port[name]?.(...given);
    },
  });
}

const TURN_LOG_CALLS: ReadonlySet<string> = new Set(['newestPosition', 'groupsFrom']);

/** The common turn log as one daemon reaches it: reads that fail. */
export const troubledTurnLog = (
  log: TurnLog,
  { trouble, life }: { readonly trouble: Trouble; readonly life: Life },
): TurnLog =>
  life.behind(
    frontOf(log, TURN_LOG_CALLS, {
      pass: (name, port, given) =>
        trouble.strikes('ledger_unread')
          ? Promise.reject(new LedgerFailure('no answer to a read', false))
          : port[name]?.(...given),
    }),
    TURN_LOG_CALLS,
  );

async function committed(
  { ledger, clock, trouble, onWritten }: TroubledLedgerParts,
  turns: readonly Turn[],
): Promise<CommitOutcome> {
  const pass = (forMs: number): Promise<void> =>
    new Promise((done) => clock.at(later(clock.now(), forMs), done));
  const slowMs = trouble.spellMs('ledger_slow');
  if (slowMs !== undefined) await pass(slowMs);
  if (trouble.strikes('ledger_down')) throw new LedgerFailure('refused', false);
  if (trouble.strikes('ledger_lost')) throw new LedgerFailure('no word, not written', true);
  const outcome = await ledger.commit(turns);
  if (outcome.kind === 'committed') onWritten(turns);
  if (trouble.strikes('ledger_doubt')) {
    if (slowMs !== undefined) await pass(slowMs);
    throw new LedgerFailure('no word, written', true);
  }
  return outcome;
}
