// Market-maker protection and locks of an account as Deribit reports them.

import { Fields, fieldsOfEach } from '../../../ports/deribit-wire/message-fields.ts';
import {
  type Freeze,
  freezeIn,
  protectionIn,
} from '../../../ports/deribit-wire/protection-rows.ts';
import type { ReadResult } from '../session/questions.ts';
import type { ProtectionInForce } from './protection-state.ts';

export const freezesIn: ReadResult<readonly Freeze[]> = (value, what, tally) =>
  fieldsOfEach(what, value, tally).map(freezeIn);

/** A list, or a single one. An interval of 0 is no protection. */
export const protectionsIn: ReadResult<readonly ProtectionInForce[]> = (value, what, tally) => {
  const list = Array.isArray(value)
    ? fieldsOfEach(what, value, tally)
    : [new Fields(what, value, tally)];
  return list.map(protectionIn).filter(({ intervalSec }) => intervalSec > 0);
};

export interface Lock {
  /** A code, or `ALL`. */
  readonly currency: string;
  readonly isLocked: boolean;
}

/** The data of a notice. @throws MalformedMessage */
export const lockIn = (of: Fields): Lock => ({
  currency: of.text('currency').toUpperCase(),
  isLocked: of.flag('locked'),
});

/** In force while it is `enabled`, as its schema says, or `locked`, as its examples do. */
export const locksIn: ReadResult<readonly Lock[]> = (value, what, tally) =>
  fieldsOfEach(what, value, tally).map((of) => ({
    currency: of.text('currency').toUpperCase(),
    isLocked: of.flagIf('locked') ?? of.flag('enabled'),
  }));
