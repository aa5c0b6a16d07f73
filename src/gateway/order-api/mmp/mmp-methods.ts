// Market-maker protection of an account: configure, query, reset. Orders and Block RFQ quotes are protected
// separately, and each needs its own scope.

import { z } from 'zod';
import { ALL_INDEXES, INDEX_NAMES } from '../../../core/mmp/index-names.ts';
import {
  FROZEN_SEC_MAX,
  GROUP_LENGTH_MAX,
  INTERVAL_SEC_MAX,
  type MmpKind,
  TRADE_COUNT_MAX,
} from '../../../core/mmp/mmp-config.ts';
import type { MmpOperations } from '../../../engine/interface/mmp-operations.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import { money, text } from '../../../values/amounts.ts';
import { SECOND_MS } from '../../../values/instant.ts';
import { satisfies } from '../../auth/key-needs.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import {
  choiceField,
  quantityField,
  switchField,
  textField,
  wholeField,
} from '../../wire/field-kinds.ts';
import { mapped, optional, optionalOr } from '../../wire/fields.ts';
import { type AccountCall, accountMethod, answered, type Method } from '../method.ts';
import { forbidden, mmpRequired } from '../refusals.ts';
import {
  configInForceView,
  configsInForceSchema,
  configsSchema,
  configView,
  freezeView,
  frozenListSchema,
} from './mmp-view.ts';

const NAMES = [...INDEX_NAMES, ALL_INDEXES] as const;
type Name = (typeof NAMES)[number];
export const INDEX_WORDS = Object.fromEntries(NAMES.map((name) => [name, name])) as Readonly<
  Record<Name, Name>
>;
const indexName = choiceField(INDEX_WORDS, 'Index; all is for Block RFQs');
const mmpGroup = textField({
  max: GROUP_LENGTH_MAX,
  description: 'Named group; the unnamed one when absent. A name belongs to one index',
});
const blockRfq = switchField('true: Block RFQ quotes; false: orders with mmp (default false)');
const limit = (of: string) => quantityField({ description: `${of}; above 0, at most 4 decimals` });

export const mmpKindOf = (isBlockRfq: boolean): MmpKind => (isBlockRfq ? 'blockRfq' : 'order');

/** `undefined` if the deployment has no market-maker protection. */
const operations = ({ orders }: AccountCall): MmpOperations | undefined => orders.mmp;

/** Runs the change, unless the key may change only the other kind. */
function changing<T>(
  call: AccountCall,
  isBlockRfq: boolean,
  change: (mmp: MmpOperations) => Promise<Reply<T>>,
): Reply<T> | Promise<Reply<T>> {
  const need = isBlockRfq ? 'rfq' : 'trade';
  if (!satisfies(call.key, need)) {
    const scope = isBlockRfq ? 'blockRfq' : 'trade';
    return forbidden('blockRfq', `this key lacks the scope; accepted: a key with ${scope}`);
  }
  const mmp = operations(call);
  return mmp === undefined ? mmpRequired() : change(mmp);
}

const setConfig = accountMethod({
  row: ROWS.setMmpConfig,
  summary: 'Configure market-maker protection; resets counters and ends a freeze',
  params: {
    indexName,
    interval: wholeField({
      min: 0,
      max: INTERVAL_SEC_MAX,
      description: 'Length of a window in seconds; 0 removes the protection',
    }),
    frozenTime: wholeField({
      min: 0,
      max: FROZEN_SEC_MAX,
      description: 'Seconds a freeze lasts; 0: until it is reset',
    }),
    mmpGroup: optional(mmpGroup),
    quantityLimit: optional(limit('Gross size in coins')),
    deltaLimit: optional(limit('Absolute net delta in coins')),
    vegaLimit: optional(mapped(limit('Net vega in USD'), (value) => money(text(value)))),
    blockRfq: optionalOr(blockRfq, false),
    tradeCountLimit: optional(
      wholeField({
        min: 1,
        max: TRADE_COUNT_MAX,
        description: 'Block RFQ trades over all indexes; with blockRfq true and indexName all',
      }),
    ),
    maxQuoteQuantity: optional(
      limit('Open orders with mmp on one side of one instrument, in coins (ours; absent: any)'),
    ),
  },
  result: configsSchema,
  example: {
    indexName: 'btc_usd',
    interval: 5,
    frozenTime: 30,
    quantityLimit: '5',
    deltaLimit: '3.5',
  },
  run: (call, params) =>
    changing(call, params.blockRfq, (mmp) => {
      const { quantityLimit, deltaLimit, vegaLimit, tradeCountLimit, maxQuoteQuantity } = params;
      const setting = {
        kind: mmpKindOf(params.blockRfq),
        index: params.indexName,
        group: params.mmpGroup ?? '',
        intervalMs: params.interval * SECOND_MS,
        frozenMs: params.frozenTime * SECOND_MS,
        quantityLimit,
        deltaLimit,
        vegaLimit,
        tradeCountLimit,
        maxQuoteQuantity,
      };
      const done = mmp.configure(call.account, { ...setting, by: call.key.uid });
      return answered(done, (one) => ({ results: [configView(one)] }));
    }),
});

const which = {
  indexName: optional(indexName),
  mmpGroup: optional(mmpGroup),
  blockRfq: optional(blockRfq),
};

interface Which {
  readonly indexName?: string | undefined;
  readonly mmpGroup?: string | undefined;
  readonly blockRfq?: boolean | undefined;
}

const filterOf = ({ account }: AccountCall, asked: Which) => ({
  account,
  index: asked.indexName,
  group: asked.mmpGroup,
  kind: asked.blockRfq === undefined ? undefined : mmpKindOf(asked.blockRfq),
});

const getConfig = accountMethod({
  row: ROWS.getMmpConfig,
  summary: 'Configurations of market-maker protection, with what the running window has used',
  params: which,
  result: configsInForceSchema,
  example: { indexName: 'btc_usd' },
  run: (call, params) => {
    const found = operations(call)?.configs(filterOf(call, params));
    if (found === undefined) return mmpRequired();
    return answered(found, (configs) => ({ results: configs.map(configInForceView) }));
  },
});

const getStatus = accountMethod({
  row: ROWS.getMmpStatus,
  summary: 'Groups frozen now; empty for none',
  params: which,
  result: frozenListSchema,
  example: { indexName: 'btc_usd' },
  run: (call, params) => {
    const found = operations(call)?.frozen(filterOf(call, params));
    if (found === undefined) return mmpRequired();
    return answered(found, (frozen) => ({ results: frozen.map(freezeView) }));
  },
});

const reset = accountMethod({
  row: ROWS.resetMmp,
  summary: 'End a freeze and clear the window; the configuration stays',
  params: { indexName, mmpGroup: optional(mmpGroup), blockRfq: optionalOr(blockRfq, false) },
  result: z.literal('ok'),
  example: { indexName: 'btc_usd' },
  run: (call, params) =>
    changing(call, params.blockRfq, (mmp) => {
      const { account, key } = call;
      const place = { index: params.indexName, group: params.mmpGroup ?? '' };
      const name = { account, kind: mmpKindOf(params.blockRfq), ...place, by: key.uid };
      return answered(mmp.reset(name), () => 'ok' as const);
    }),
});

export const MMP_METHODS = [
  setConfig,
  getConfig,
  getStatus,
  reset,
] as const satisfies readonly Method[];
