// Block RFQ queries: own RFQs, block trades, makers and eligible instruments.

import { z } from 'zod';
import type { Instrument } from '../../../values/instrument.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { choiceField, switchField, textField, writtenDigits } from '../../wire/field-kinds.ts';
import { field, optional, optionalOr } from '../../wire/fields.ts';
import { listAwaited } from '../find-instrument.ts';
import { instrumentSchema, instrumentView } from '../market/instrument-view.ts';
import { accountMethod, answered, done, type Method } from '../method.ts';
import { countField, currencyField, kindField } from '../param-fields.ts';
import { rfqIdField } from '../rfq-parts.ts';
import { blockTradeSchema, blockTradeView } from './block-trade-view.ts';
import { rfqMethod } from './rfq-method.ts';
import { rfqSchema, rfqView, STATUSES } from './rfq-view.ts';

const COUNT = 20;

const continuationSchema = z.string().nullable().describe('Start of the next page; null: none');

const role = optional(
  choiceField(
    { any: {}, taker: { role: 'taker' }, maker: { role: 'maker' } } as const,
    'Own role in the RFQs (default any)',
  ),
);

const status = optional(
  choiceField(
    Object.fromEntries(STATUSES.map((one) => [one, one])) as Record<
      (typeof STATUSES)[number],
      (typeof STATUSES)[number]
    >,
    'State of the RFQs; closed covers every terminal state',
  ),
);

const CONTINUATION = /^[0-9A-Za-z:_-]{1,64}$/;

/** A continuation: an RFQ id, or the continuation of an earlier answer. */
const continuationField = optional(
  field<string, string | number>({
    schema: { type: ['integer', 'string'], pattern: CONTINUATION.source },
    description: 'From an earlier answer: continues below it',
    accepted: 'the continuation of an earlier answer, as number or text',
    read: (value) => {
      const written = writtenDigits(value) ?? '';
      return CONTINUATION.test(written) ? written : undefined;
    },
  }),
);

const getRfqs = rfqMethod({
  row: ROWS.getRfqs,
  summary: 'Block RFQs the account created or received, newest first',
  params: {
    continuation: continuationField,
    count: countField(COUNT),
    role,
    status,
    currency: optional(currencyField),
    blockRfqId: optional(rfqIdField),
    label: optional(textField({ max: 64, description: 'Label of own RFQs' })),
  },
  result: z.object({ continuation: continuationSchema, blockRfqs: z.array(rfqSchema) }),
  example: { role: 'any', status: 'open', count: 10 },
  run: ({ rfqs, account }, { blockRfqId: id, currency, role: own, ...rest }) => {
    const filter = { ...rest, ...own, account, id, currency: currency?.code };
    return answered(rfqs.rfqs(filter), (page) => ({
      continuation: page.continuation ?? null,
      blockRfqs: page.rfqs.map(rfqView),
    }));
  },
});

const getTrades = rfqMethod({
  row: ROWS.getRfqTrades,
  summary: 'Own block trades from Block RFQs, newest first',
  params: {
    blockRfqId: optional(rfqIdField),
    currency: optional(currencyField),
    count: countField(COUNT),
    continuation: continuationField,
  },
  result: z.object({ continuation: continuationSchema, trades: z.array(blockTradeSchema) }),
  example: { currency: 'BTC', count: 10 },
  run: ({ rfqs, account }, { blockRfqId: rfqId, currency, count, continuation }) =>
    answered(
      rfqs.blockTrades({ account, rfqId, currency: currency?.code, count, continuation }),
      (page) => ({
        continuation: page.continuation ?? null,
        trades: page.trades.map(blockTradeView),
      }),
    ),
});

const getMakers = rfqMethod({
  row: ROWS.getMakers,
  summary: 'Makers that can be addressed',
  params: {},
  result: z.object({ results: z.array(z.string()).describe('Aliases') }),
  example: {},
  run: ({ rfqs, account }) =>
    answered(rfqs.makers(account), (aliases) => ({ results: [...aliases] })),
});

const getUserInfo = rfqMethod({
  row: ROWS.getUserInfo,
  summary: 'Whether the account is a maker, and under which alias',
  params: {},
  result: z.object({
    isMaker: z.boolean().describe('Whether it may quote'),
    alias: z.string().nullable().describe('Maker alias; null for none'),
  }),
  example: {},
  run: async ({ orders, account }) => {
    const alias = (await orders.aliasOf(account)) ?? null;
    return done({ isMaker: alias !== null, alias });
  },
});

const INSTRUMENT_FIELDS = {
  baseCurrency: true,
  marginKind: true,
  optionKind: true,
  strike: true,
  kind: true,
  expiration: true,
  instrumentName: true,
} as const;
const listedSchema = instrumentSchema.pick(INSTRUMENT_FIELDS);

const getInstruments = accountMethod({
  row: ROWS.getRfqInstruments,
  summary: 'Instruments eligible for Block RFQs, or those that recently expired',
  params: {
    currency: currencyField,
    kind: kindField,
    expired: optionalOr(switchField('true: recently expired ones'), false),
  },
  result: z.object({ results: z.array(listedSchema) }),
  example: { currency: 'BTC', kind: 'option' },
  run: ({ desk, now }, { currency, kind, expired }) => {
    const awaited = listAwaited([desk]);
    if (awaited !== undefined) return awaited;
    const at = now();
    const isWanted = (one: Instrument): boolean =>
      (currency.code === undefined || one.settlement === currency.code) &&
      (kind === undefined || kind.includes(one.kind));
    const listed = desk.listed({ expired }).filter(isWanted);
    return done({ results: listed.map((one) => listedView(instrumentView(one, at))) });
  },
});

type InstrumentFields = Pick<ReturnType<typeof instrumentView>, keyof typeof INSTRUMENT_FIELDS>;

const listedView = (view: InstrumentFields): InstrumentFields => ({
  baseCurrency: view.baseCurrency,
  marginKind: view.marginKind,
  optionKind: view.optionKind,
  strike: view.strike,
  kind: view.kind,
  expiration: view.expiration,
  instrumentName: view.instrumentName,
});

export const RFQ_QUERIES = [
  getRfqs,
  getTrades,
  getMakers,
  getUserInfo,
  getInstruments,
] as const satisfies readonly Method[];
