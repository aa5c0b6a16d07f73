// Market-maker protection on Deribit's wire: a configuration, and a freeze.
//
// Decisions: an interval of 0 is no protection; `mmp_group` is absent for the unnamed group; `id` is computed from the names
// and the same in every process; a freeze of orders has no `block_rfq`, and one with `frozen_until` 0 lasts until it is reset.
import type { MmpConfig, MmpKind } from '../../core/mmp/mmp-config.ts';
import { type Quantity, quantity, text } from '../../values/amounts.ts';
import type { AccountId } from '../../values/ids.ts';
import { type Instant, instant, SECOND_MS } from '../../values/instant.ts';
import { FLAG, QUANTITY_IF, TEXT, WHOLE, WHOLE_IF } from './field-forms.ts';
import type { Fields } from './message-fields.ts';
import { type JsonObject, recordTable } from './record-table.ts';
import { numberOfName } from './wire-instrument-rows.ts';

export interface WireProtection {
  readonly index: string;
  readonly group: string | undefined;
  readonly intervalSec: number;
  readonly frozenTimeSec: number;
  readonly quantityLimit: Quantity | undefined;
  readonly deltaLimit: Quantity | undefined;
  readonly vegaLimit: Quantity | undefined;
  readonly maxQuoteQuantity: Quantity | undefined;
  readonly tradeCountLimit: number | undefined;
  readonly isForRfqs: boolean;
}

const protection = recordTable<WireProtection, AccountId>();
const PROTECTION_ROWS = [
  protection.written('id', ({ index, group = '', isForRfqs }, account) =>
    numberOfName(`${account} ${isForRfqs ? 'blockRfq' : 'order'} ${index} ${group}`),
  ),
  protection.field('index_name', 'index', TEXT),
  protection.field('interval', 'intervalSec', WHOLE),
  protection.field('frozen_time', 'frozenTimeSec', WHOLE),
  protection.field('mmp_group', 'group', {
    read: (of, name) => of.textIf(name) || undefined,
  }),
  protection.field('quantity_limit', 'quantityLimit', QUANTITY_IF),
  protection.field('delta_limit', 'deltaLimit', QUANTITY_IF),
  protection.field('vega_limit', 'vegaLimit', QUANTITY_IF),
  protection.field('max_quote_quantity', 'maxQuoteQuantity', QUANTITY_IF),
  protection.field('trade_count_limit', 'tradeCountLimit', WHOLE_IF),
  protection.field('block_rfq', 'isForRfqs', FLAG),
];
const writeProtection = protection.writer(PROTECTION_ROWS);
const readProtection = protection.reader(PROTECTION_ROWS);

export const protectionJson = (
  account: AccountId,
  config: MmpConfig & { readonly kind: MmpKind },
): JsonObject =>
  writeProtection(
    {
      index: config.index,
      group: config.group || undefined,
      intervalSec: config.intervalMs / SECOND_MS,
      frozenTimeSec: config.frozenMs / SECOND_MS,
      quantityLimit: config.quantityLimit,
      deltaLimit: config.deltaLimit,
      vegaLimit: config.vegaLimit && quantity(text(config.vegaLimit)),
      maxQuoteQuantity: config.maxQuoteQuantity,
      tradeCountLimit: config.tradeCountLimit,
      isForRfqs: config.kind === 'blockRfq',
    },
    account,
  );

/** @throws MalformedMessage */
export const protectionIn = (of: Fields): WireProtection => readProtection(of, undefined);

/** A freeze of a group. */
export interface Freeze {
  readonly index: string;
  readonly group: string;
  readonly isForRfqs: boolean;
  /** 0: until it is reset. */
  readonly until: Instant;
}

const freeze = recordTable<Freeze, undefined>();
const FREEZE_ROWS = [
  freeze.field('index_name', 'index', TEXT),
  freeze.field('frozen_until', 'until', {
    read: (of, name) => of.instantIf(name) ?? instant(0),
  }),
  freeze.field('mmp_group', 'group', {
    write: (group) => group || undefined,
    read: (of, name) => of.textIf(name) ?? '',
  }),
  freeze.field('block_rfq', 'isForRfqs', {
    write: (isForRfqs) => isForRfqs || undefined,
    read: FLAG.read,
  }),
];
const writeFreeze = freeze.writer(FREEZE_ROWS);
const readFreeze = freeze.reader(FREEZE_ROWS);

export const freezeJson = (of: Freeze): JsonObject => writeFreeze(of, undefined);

/** Also the data of a notice. @throws MalformedMessage */
export const freezeIn = (of: Fields): Freeze => readFreeze(of, undefined);
