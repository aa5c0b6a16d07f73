// The words of order entry on both wires, for fields that choose among them.
import type { Side } from '../../../values/instrument.ts';
import {
  ADVANCED_KINDS,
  FILL_CONDITIONS,
  LINK_KINDS,
  ORDER_TYPES,
  TIMES_IN_FORCE,
  TRIGGER_SOURCES,
} from '../../../values/order-terms.ts';

/** At most this many orders are linked to one. */
export const LINKED_MAX = 10;

const same = <W extends string>(words: readonly W[]): Readonly<Record<W, W>> =>
  Object.fromEntries(words.map((word) => [word, word])) as Readonly<Record<W, W>>;

export const TERM_WORDS = {
  side: same<Side>(['buy', 'sell']),
  type: same(ORDER_TYPES),
  timeInForce: same(TIMES_IN_FORCE),
  trigger: same(TRIGGER_SOURCES),
  advanced: same(ADVANCED_KINDS),
  link: same(LINK_KINDS),
  fillCondition: same(FILL_CONDITIONS),
} as const;
