// Numbers of messages: one order over all portfolios, from the place of a message in the ledger. The same
// message has the same number in every process and after every restart. They rise; steps mean nothing.
import { assert } from '../../values/assert.ts';

/** Above 2^53 after some time: text at every edge. */
export type Sequence = bigint;

const EVENTS_MAX = 100_000n;
const TURNS_MAX = 10_000n;
const GROUP = EVENTS_MAX * TURNS_MAX;
const TEXT = /^\d{1,30}$/;

export interface Place {
  /** Of the group in the turn log. */
  readonly position: bigint;
  /** Of the turn in its group, from 0. */
  readonly turn: number;
  /** Of the event in its turn, from 1. */
  readonly event: number;
}

export function sequenceOf({ position, turn, event }: Place): Sequence {
  assert(turn < TURNS_MAX, `turn ${turn} of one group`);
  assert(event < EVENTS_MAX, `event ${event} of one turn`);
  return position * GROUP + BigInt(turn) * EVENTS_MAX + BigInt(event);
}

/** At or above every message of the group, below every message after it. */
export const endOfGroup = (position: bigint): Sequence => (position + 1n) * GROUP - 1n;

export const positionOf = (sequence: Sequence): bigint => sequence / GROUP;

/** `undefined` for text that is no number of a message. */
export const parseSequence = (text: string): Sequence | undefined =>
  TEXT.test(text) ? BigInt(text) : undefined;
