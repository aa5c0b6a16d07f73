// Market-maker protection of an account: configure, query, reset.
//
// Decisions: an interval of 0 removes a configuration, and the answer still shows it; `max_quote_quantity` is for mass
// quotes, which are not served: it is read, and left out of answers; `mmp_group` is absent for the unnamed group; the
// protection of orders is changed with the scope of orders, that of Block RFQ quotes with theirs, and either reads both.
import { ALL_INDEXES } from '../../../core/mmp/index-names.ts';
import {
  FROZEN_SEC_MAX,
  GROUP_LENGTH_MAX,
  INTERVAL_SEC_MAX,
  TRADE_COUNT_MAX,
} from '../../../core/mmp/mmp-config.ts';
import type {
  MmpFrozen,
  MmpOperations,
  MmpSetting,
} from '../../../engine/interface/mmp-operations.ts';
import { money, type Quantity, text } from '../../../values/amounts.ts';
import { SECOND_MS } from '../../../values/instant.ts';
import { answered } from '../../order-api/method.ts';
import { INDEX_WORDS, mmpKindOf } from '../../order-api/mmp/mmp-methods.ts';
import { forbidden, mmpRequired } from '../../order-api/refusals.ts';
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
import { decimalNumber } from '../method/json-number.ts';

const indexName = choiceField(INDEX_WORDS, `Index; ${ALL_INDEXES} is for Block RFQs`);
const mmpGroup = optional(
  textField({ min: 0, max: GROUP_LENGTH_MAX, description: 'Named group; absent: the unnamed one' }),
);
const isForRfqs = flagParam('true: Block RFQ quotes; false: orders with mmp');
const limit = (description: string) => optional(amountParam({ description }));

const reads = { scope: 'block_rfq:read' } as const;
const changes = { scope: 'block_rfq:read', lane: 'order', pool: 'non_matching' } as const;

const configJson = (setting: MmpSetting) => ({
  index_name: setting.index,
  interval: setting.intervalMs / SECOND_MS,
  frozen_time: setting.frozenMs / SECOND_MS,
  mmp_group: setting.group === '' ? undefined : setting.group,
  quantity_limit: setting.quantityLimit && decimalNumber(setting.quantityLimit),
  delta_limit: setting.deltaLimit && decimalNumber(setting.deltaLimit),
  vega_limit: setting.vegaLimit && decimalNumber(setting.vegaLimit),
  trade_count_limit: setting.tradeCountLimit,
  block_rfq: setting.kind === 'blockRfq',
});

export const frozenJson = ({ index, group, kind, until }: MmpFrozen) => ({
  index_name: index,
  frozen_until: until ?? 0,
  mmp_group: group === '' ? undefined : group,
  block_rfq: kind === 'blockRfq' ? true : undefined,
});

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
  ...changes,
  name: 'private/set_mmp_config',
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
    max_quote_quantity: limit('No effect: there are no mass quotes'),
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
      };
      const by = call.login.key.uid;
      return answered(mmp.configure(call.account, { ...setting, by }), (one) => [configJson(one)]);
    }),
});

const which = {
  index_name: optional(indexName),
  mmp_group: mmpGroup,
  block_rfq: optional(isForRfqs),
};

interface Which {
  readonly index_name?: string | undefined;
  readonly mmp_group?: string | undefined;
  readonly block_rfq?: boolean | undefined;
}

const filterOf = ({ account }: PrivateCall, asked: Which) => ({
  account,
  index: asked.index_name,
  group: asked.mmp_group,
  kind: asked.block_rfq === undefined ? undefined : mmpKindOf(asked.block_rfq),
});

const getConfig = privateMethod({
  ...reads,
  name: 'private/get_mmp_config',
  params: which,
  run: (call, params) =>
    withProtection(call, (mmp) =>
      answered(mmp.configs(filterOf(call, params)), (found) => found.map(configJson)),
    ),
});

const getStatus = privateMethod({
  ...reads,
  name: 'private/get_mmp_status',
  params: which,
  run: (call, params) =>
    withProtection(call, (mmp) =>
      answered(mmp.frozen(filterOf(call, params)), (found) => found.map(frozenJson)),
    ),
});

const reset = changeMethod({
  ...changes,
  name: 'private/reset_mmp',
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
