// Market-maker protection of an account: configure, query, reset.
//
// Decisions: an interval of 0 removes a configuration, and the answer still shows it; a query without a group means the
// unnamed one; the protection of orders is changed with the scope of orders, that of Block RFQ quotes with theirs, and
// either reads both.

import { ALL_INDEXES } from '../../../core/mmp/index-names.ts';
import {
  FROZEN_SEC_MAX,
  GROUP_LENGTH_MAX,
  INTERVAL_SEC_MAX,
  TRADE_COUNT_MAX,
} from '../../../core/mmp/mmp-config.ts';
import type {
  MmpFilter,
  MmpFrozen,
  MmpOperations,
} from '../../../engine/interface/mmp-operations.ts';
import { freezeJson, protectionJson } from '../../../ports/deribit-wire/protection-rows.ts';
import { money, type Quantity, text } from '../../../values/amounts.ts';
import { instant, SECOND_MS } from '../../../values/instant.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { answered } from '../../order-api/method.ts';
import { INDEX_WORDS, mmpKindOf } from '../../order-api/mmp/mmp-methods.ts';
import { forbidden, invalidParam, mmpRequired } from '../../order-api/refusals.ts';
import { choiceField, textField } from '../../wire/field-kinds.ts';
import { optional, optionalOr } from '../../wire/fields.ts';
import { allows } from '../method/deribit-login.ts';
import {
  changeMethod,
  type DeribitAnswer,
  type DeribitMethod,
  type PrivateCall,
  privateMethod,
} from '../method/deribit-method.ts';
import { amountParam, flagParam, wholeParam } from '../method/deribit-params.ts';

const indexName = choiceField(INDEX_WORDS, `Index; ${ALL_INDEXES} is for Block RFQs`);
const mmpGroup = optional(
  textField({ max: GROUP_LENGTH_MAX, description: 'Named group; absent: the unnamed one' }),
);
const isForRfqs = flagParam('true: Block RFQ quotes; false: orders with mmp');
const limit = (description: string) => optional(amountParam({ description }));

export const frozenJson = ({ index, group, kind, until = instant(0) }: MmpFrozen) =>
  freezeJson({ index, group, until, isForRfqs: kind === 'blockRfq' });

const withProtection = (
  { orders }: PrivateCall,
  run: (mmp: MmpOperations) => DeribitAnswer,
): DeribitAnswer => (orders.mmp === undefined ? mmpRequired() : run(orders.mmp));

function changing(
  call: PrivateCall,
  isRfq: boolean,
  run: (mmp: MmpOperations) => DeribitAnswer,
): DeribitAnswer {
  const scope = isRfq ? 'block_rfq:read_write' : 'trade:read_write';
  if (allows(call.login, scope)) return withProtection(call, run);
  return forbidden('block_rfq', `${isRfq} needs ${scope}; accepted: a token that has it`);
}

const asMoney = (value: Quantity | undefined) => value && money(text(value));

const setConfig = changeMethod({
  row: ROWS.setMmpConfig,
  params: {
    index_name: indexName,
    interval: wholeParam({
      min: 0,
      max: INTERVAL_SEC_MAX,
      description: 'Length of a window in seconds; 0 removes the protection',
    }),
    frozen_time: wholeParam({
      min: 0,
      max: FROZEN_SEC_MAX,
      description: 'Seconds a freeze lasts; 0: until it is reset',
    }),
    mmp_group: mmpGroup,
    quantity_limit: limit('Gross size in coins'),
    delta_limit: limit('Absolute net delta in coins'),
    vega_limit: limit('Net vega in USD'),
    max_quote_quantity: amountParam({
      description: 'Largest open size with mmp on one side of one instrument, in coins',
    }),
    block_rfq: optionalOr(isForRfqs, false),
    trade_count_limit: optional(
      wholeParam({ min: 1, max: TRADE_COUNT_MAX, description: 'Block RFQ trades, index all' }),
    ),
  },
  about: ({ index_name: instrument }) => ({ instrument }),
  run: (call, params) =>
    changing(call, params.block_rfq, (mmp) => {
      const setting = {
        kind: mmpKindOf(params.block_rfq),
        index: params.index_name,
        group: params.mmp_group ?? '',
        intervalMs: params.interval * SECOND_MS,
        frozenMs: params.frozen_time * SECOND_MS,
        quantityLimit: params.quantity_limit,
        deltaLimit: params.delta_limit,
        vegaLimit: asMoney(params.vega_limit),
        tradeCountLimit: params.trade_count_limit,
        maxQuoteQuantity: params.max_quote_quantity,
      };
      const by = call.login.key.uid;
      return answered(mmp.configure(call.account, { ...setting, by }), (one) => [
        protectionJson(call.account, one),
      ]);
    }),
});

const which = {
  index_name: optional(indexName),
  mmp_group: mmpGroup,
  block_rfq: optionalOr(isForRfqs, false),
};

interface Which {
  readonly index_name?: string | undefined;
  readonly mmp_group?: string | undefined;
  readonly block_rfq: boolean;
}

/** Without an index every group is meant; with one, the unnamed group unless another is named. */
const filterOf = ({ account }: PrivateCall, asked: Which): MmpFilter => ({
  account,
  index: asked.index_name,
  group: asked.index_name === undefined ? undefined : (asked.mmp_group ?? ''),
  kind: mmpKindOf(asked.block_rfq),
});

function found(
  call: PrivateCall,
  asked: Which,
  run: (mmp: MmpOperations, filter: MmpFilter) => DeribitAnswer,
): DeribitAnswer {
  if (asked.mmp_group !== undefined && asked.index_name === undefined) {
    const reason = 'required with mmp_group; accepted: the index of the group';
    return invalidParam('index_name', reason);
  }
  return withProtection(call, (mmp) => run(mmp, filterOf(call, asked)));
}

const getConfig = privateMethod({
  row: ROWS.getMmpConfig,
  params: which,
  run: (call, params) =>
    found(call, params, (mmp, filter) =>
      answered(mmp.configs(filter), (configs) =>
        configs.map((one) => protectionJson(call.account, one)),
      ),
    ),
});

const getStatus = privateMethod({
  row: ROWS.getMmpStatus,
  params: which,
  run: (call, params) =>
    found(call, params, (mmp, filter) =>
      answered(mmp.frozen(filter), (frozen) => frozen.map(frozenJson)),
    ),
});

const reset = changeMethod({
  row: ROWS.resetMmp,
  params: { index_name: indexName, mmp_group: mmpGroup, block_rfq: optionalOr(isForRfqs, false) },
  about: ({ index_name: instrument }) => ({ instrument }),
  run: (call, params) =>
    changing(call, params.block_rfq, (mmp) => {
      const place = { index: params.index_name, group: params.mmp_group ?? '' };
      const kind = mmpKindOf(params.block_rfq);
      const { account, login } = call;
      return answered(mmp.reset({ account, kind, ...place, by: login.key.uid }), () => 'ok');
    }),
});

export const DERIBIT_MMP_METHODS: readonly DeribitMethod[] = [
  setConfig,
  getConfig,
  getStatus,
  reset,
];
