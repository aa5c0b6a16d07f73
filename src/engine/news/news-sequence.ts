// The sequence number of a message is derived from its position in the ledger, so that it is the same in every
// process and after every restart.
import { assert } from '../../values/assert.ts';
import type { Sequence } from '../../values/sequence.ts';

const EVENTS_MAX = 100_000n;
const TURNS_MAX = 10_000n;
const GROUP = EVENTS_MAX * TURNS_MAX;

export interface Place {
  /** Position of the group in the turn log. */
  readonly position: bigint;
  /** Index of the turn in its group, from 0. */
  readonly turn: number;
  /** Number of the event in its turn, from 1. */
  readonly event: number;
}

export function sequenceOf({ position, turn, event }: Place): Sequence {
  assert(turn < TURNS_MAX, `turn ${turn} of one group`);
  assert(event < EVENTS_MAX, `event ${event} of one turn`);
  return position * GROUP + BigInt(turn) * EVENTS_MAX + BigInt(event);
}

/** At or above every message of the group, and below every message after it. */
export const endOfGroup = (position: bigint): Sequence => (position + 1n) * GROUP - 1n;

export const positionOf = (sequence: Sequence): bigint => sequence / GROUP;
