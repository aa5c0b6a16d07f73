// Market-maker protection and locks of an account as Deribit reports them.

import { Fields, fieldsOfEach } from '../../../ports/deribit-wire/message-fields.ts';
import { instant } from '../../../values/instant.ts';
import type { ReadResult } from '../session/questions.ts';
import type { Freeze, ProtectionInForce } from './protection-state.ts';

/** Also the data of a notice. @throws MalformedMessage */
export const freezeIn = (of: Fields): Freeze => ({
  index: of.text('index_name'),
  group: of.textIf('mmp_group') ?? '',
  isForRfqs: of.flag('block_rfq'),
  until: of.instantIf('frozen_until') ?? instant(0),
});

export const freezesIn: ReadResult<readonly Freeze[]> = (value, what, tally) =>
  fieldsOfEach(what, value, tally).map(freezeIn);

/** A list, or a single one. An interval of 0 is no protection. */
export const protectionsIn: ReadResult<readonly ProtectionInForce[]> = (value, what, tally) => {
  const list = Array.isArray(value)
    ? fieldsOfEach(what, value, tally)
    : [new Fields(what, value, tally)];
  return list.map(protectionIn).filter(({ intervalSec }) => intervalSec > 0);
};

const protectionIn = (of: Fields): ProtectionInForce => ({
  index: of.text('index_name'),
  group: of.textIf('mmp_group') || undefined,
  isForRfqs: of.flag('block_rfq'),
  intervalSec: of.whole('interval'),
  frozenTimeSec: of.whole('frozen_time'),
  quantityLimit: of.quantityIf('quantity_limit'),
  deltaLimit: of.quantityIf('delta_limit'),
  vegaLimit: of.quantityIf('vega_limit'),
  maxQuoteQuantity: of.quantityIf('max_quote_quantity'),
});

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
