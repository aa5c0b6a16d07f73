// Sequence numbers of messages: one order over all portfolios, derived from a message's position in the ledger. A
// message has the same number in every process and after every restart. The numbers increase; gaps have no meaning.
import { assert } from '../../values/assert.ts';

/** May exceed 2^53 in time, so every interface carries it as text. */
export type Sequence = bigint;

const EVENTS_MAX = 100_000n;
const TURNS_MAX = 10_000n;
const GROUP = EVENTS_MAX * TURNS_MAX;
const TEXT = /^\d{1,30}$/;

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

/** `undefined` if the text is not a sequence number. */
export const parseSequence = (text: string): Sequence | undefined =>
  TEXT.test(text) ? BigInt(text) : undefined;
