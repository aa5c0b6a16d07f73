// Market-maker protection as clients see it in answers and notifications.
import { z } from 'zod';
import type {
  MmpCounters,
  MmpFreezeStatus,
  MmpFrozen,
  MmpSetting,
  MmpSettingInForce,
} from '../../../engine/interface/mmp-operations.ts';
import { text } from '../../../values/amounts.ts';
import { SECOND_MS } from '../../../values/instant.ts';

const limit = (description: string) => z.string().nullable().describe(description);

const configSchema = z.object({
  indexName: z.string().describe('Index, or all'),
  interval: z.int().describe('Length of a window in seconds; 0: no protection'),
  frozenTime: z.int().describe('Seconds a freeze lasts; 0: until it is reset'),
  mmpGroup: z.string().nullable().describe('Group; null for the unnamed one'),
  quantityLimit: limit('Gross size in coins'),
  deltaLimit: limit('Absolute net delta in coins'),
  vegaLimit: limit('Absolute net vega in USD'),
  tradeCountLimit: limit('Block RFQ trades'),
  maxQuoteQuantity: limit('Open size on one side of one instrument, in coins (ours)'),
  blockRfq: z.boolean().describe('true: Block RFQ quotes; false: orders with mmp'),
});
export const configsSchema = z.object({ results: z.array(configSchema) });

const usedSchema = z.object({
  quantity: z.string().describe('Gross size in coins'),
  delta: z.string().describe('Net delta in coins; its absolute value counts'),
  vega: z.string().describe('Net vega in USD; its absolute value counts'),
  trades: z.int().describe('Trades'),
  until: z.int().describe('When the window ends, in Unix milliseconds'),
});
const configInForceSchema = configSchema.extend({
  used: usedSchema
    .nullable()
    .describe('What the trades of the running window add up to (ours); null if none runs'),
});
export const configsInForceSchema = z.object({ results: z.array(configInForceSchema) });

const frozenSchema = z.object({
  indexName: z.string().describe('Index, or all'),
  frozenUntil: z.int().describe('Unix milliseconds; 0: until it is reset'),
  mmpGroup: z.string().optional(),
  blockRfq: z.boolean().optional().describe('Present only if true'),
});
const freezeSchema = frozenSchema.extend({
  overshoot: z
    .string()
    .describe('Gross size in coins that was traded after the limit had been reached (ours)'),
});
export const frozenListSchema = z.object({ results: z.array(freezeSchema) });

export const configView = (setting: MmpSetting): z.output<typeof configSchema> => ({
  indexName: setting.index,
  interval: setting.intervalMs / SECOND_MS,
  frozenTime: setting.frozenMs / SECOND_MS,
  mmpGroup: setting.group === '' ? null : setting.group,
  quantityLimit: setting.quantityLimit === undefined ? null : text(setting.quantityLimit),
  deltaLimit: setting.deltaLimit === undefined ? null : text(setting.deltaLimit),
  vegaLimit: setting.vegaLimit === undefined ? null : text(setting.vegaLimit),
  tradeCountLimit: setting.tradeCountLimit === undefined ? null : String(setting.tradeCountLimit),
  maxQuoteQuantity: setting.maxQuoteQuantity === undefined ? null : text(setting.maxQuoteQuantity),
  blockRfq: setting.kind === 'blockRfq',
});

const usedView = ({ quantity, delta, vega, trades, until }: MmpCounters) => ({
  quantity: text(quantity),
  delta: text(delta),
  vega: text(vega),
  trades,
  until,
});

export const configInForceView = (
  setting: MmpSettingInForce,
): z.output<typeof configInForceSchema> => ({
  ...configView(setting),
  used: setting.used === undefined ? null : usedView(setting.used),
});

export const frozenView = ({
  index,
  group,
  kind,
  until,
}: MmpFrozen): z.output<typeof frozenSchema> => ({
  indexName: index,
  frozenUntil: until ?? 0,
  ...(group !== '' && { mmpGroup: group }),
  ...(kind === 'blockRfq' && { blockRfq: true }),
});

export const freezeView = ({
  overshoot,
  ...frozen
}: MmpFreezeStatus): z.output<typeof freezeSchema> => ({
  ...frozenView(frozen),
  overshoot: text(overshoot),
});
