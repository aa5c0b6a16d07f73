// Block RFQs for takers and makers.
//
// Decisions: `cancel_block_rfq_trigger` answers the RFQ; `cancel_all_block_rfq_quotes` with `detailed` answers the cancelled
// quotes; a quote is cancelled and edited by its id, or by RFQ and label; `get_block_rfq_quotes` lists open quotes, or
// the one with the id in any state; `users` of the user info are the accounts of the key, `parent` the one that has
// logged in.

import type { TradeRecord } from '../../../core/order/order-record.ts';
import type { RfqDesk } from '../../../ports/block-rfq.ts';
import { quoteJson, rfqJson, triggerJson } from '../../../ports/deribit-wire/block-rfq-rows.ts';
import { integerOfText } from '../../../ports/deribit-wire/json-number.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { BlockTrade } from '../../../values/block-rfq-record.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { cancelMatching } from '../../order-api/block-rfq/cancel-quotes.ts';
import { asMaker, withRfqs } from '../../order-api/block-rfq/rfq-method.ts';
import { INSTRUCTIONS, nameOfQuote } from '../../order-api/block-rfq/rfq-quote-methods.ts';
import { answered, done } from '../../order-api/method.ts';
import { labelField } from '../../order-api/param-fields.ts';
import { choiceField, textField } from '../../wire/field-kinds.ts';
import { optional, optionalOr } from '../../wire/fields.ts';
import {
  changeMethod,
  type DeribitAnswer,
  type DeribitMethod,
  type PrivateCall,
  privateMethod,
  publicMethod,
} from '../method/deribit-method.ts';
import { amountParam, flagParam, instantParam, priceParam } from '../method/deribit-params.ts';
import { currencyParam, directionParam } from '../method/instrument-params.ts';
import { listParam } from '../method/nested-params.ts';
import { countParam } from '../method/private-params.ts';
import { blockTradeJson, tapeJson } from './deribit-block-trade-json.ts';
import {
  hedgeParam,
  idParam,
  legsParam,
  newLegsParam,
  pricedLegsParam,
  sharesParam,
} from './deribit-rfq-params.ts';

interface RfqCall extends PrivateCall {
  readonly rfqs: RfqDesk;
}

const rfq = (call: PrivateCall, run: (call: RfqCall) => DeribitAnswer): DeribitAnswer =>
  withRfqs(call, (rfqs) => run({ ...call, rfqs }));

const maker = (call: PrivateCall, run: (call: RfqCall) => DeribitAnswer): DeribitAnswer =>
  rfq(call, (at) => asMaker(at, () => run(at)));

const rfqId = idParam('Id of the Block RFQ, as the caller knows it');
const quoteId = idParam('Id of the quote');
const label = optional(labelField('Label'));
const MAKERS_MAX = 100;

const create = changeMethod({
  row: ROWS.createRfq,
  params: {
    legs: newLegsParam,
    hedge: hedgeParam,
    label,
    makers: optionalOr(
      listParam(textField({ max: 64, description: 'Alias' }), {
        max: MAKERS_MAX,
        description: 'Makers to ask; all when absent or empty',
        of: 'aliases',
      }),
      [],
    ),
    disclosed: optionalOr(flagParam('Show names to the counterparty (default true)'), true),
    trade_allocations: sharesParam,
  },
  about: (params) => ({ label: params.label }),
  run: (call, { legs, hedge, label: name, makers, disclosed, trade_allocations: shares = [] }) =>
    rfq(call, ({ rfqs, account }) => {
      const asked = { account, legs, hedge, makers, disclosed, label: name, allocations: shares };
      return answered(rfqs.create(asked), rfqJson);
    }),
});

const accept = changeMethod({
  row: ROWS.acceptRfq,
  params: {
    block_rfq_id: rfqId,
    price: priceParam({ description: 'Worst price for the whole structure' }),
    amount: amountParam({ description: 'The amount of the RFQ' }),
    direction: directionParam,
    legs: optional(legsParam),
    hedge: hedgeParam,
    time_in_force: optionalOr(
      choiceField(
        { fill_or_kill: 'fill_or_kill', good_til_cancelled: 'good_til_cancelled' } as const,
        'Default fill_or_kill',
      ),
      'fill_or_kill',
    ),
  },
  about: ({ block_rfq_id: id }) => ({ id }),
  run: (call, params) =>
    rfq(call, async (at) => {
      const { block_rfq_id: id, amount: quantity, direction: side, price, legs, hedge } = params;
      const wish = { rfqId: id, quantity, side, price, legs, hedge, account: at.account };
      const reply = await at.rfqs.accept({ ...wish, timeInForce: params.time_in_force });
      if (reply.kind !== 'done') return reply;
      const { blockTrades, trigger } = reply.value;
      const found = await tradesOf(at, blockTrades);
      return done({
        trade_trigger: triggerJson(trigger),
        block_trades: blockTrades.map((block) => blockTradeJson(block, found)),
      });
    }),
});

/** The account's trades of the blocks, by id; those that cannot be read are left out. */
async function tradesOf(
  { account, desk }: RfqCall,
  blocks: readonly BlockTrade[],
): Promise<ReadonlyMap<string, TradeRecord>> {
  const rows = blocks.flatMap((block) => block.rows);
  const replies = await Promise.all(
    rows.map(({ instrument, tradeId: id }) =>
      desk.trades({ account, instrument, startId: id, endId: id, count: 1, sorting: 'asc' }),
    ),
  );
  const found = replies.flatMap((reply) => (reply.kind === 'done' ? reply.value.trades : []));
  return new Map(found.map((trade) => [trade.tradeId as string, trade]));
}

const cancelRfq = changeMethod({
  row: ROWS.cancelRfq,
  params: { block_rfq_id: rfqId },
  about: ({ block_rfq_id: id }) => ({ id }),
  run: (call, { block_rfq_id: id }) =>
    rfq(call, ({ rfqs, account }) => answered(rfqs.cancelRfq({ account, rfqId: id }), rfqJson)),
});

const cancelTrigger = changeMethod({
  row: ROWS.cancelRfqTrigger,
  params: { block_rfq_id: rfqId },
  about: ({ block_rfq_id: id }) => ({ id }),
  run: (call, { block_rfq_id: id }) =>
    rfq(call, ({ rfqs, account }) => answered(rfqs.cancelTrigger({ account, rfqId: id }), rfqJson)),
});

const quoteTerms = {
  amount: amountParam({ description: 'Size, in the unit of the RFQ' }),
  legs: pricedLegsParam,
  hedge: hedgeParam,
  price: optional(priceParam({ description: 'Of future spreads; else derived from the legs' })),
  execution_instruction: optionalOr(
    choiceField(INSTRUCTIONS, 'Default any_part_of'),
    'any_part_of',
  ),
  expires_at: optional(instantParam('Expiry of the quote')),
  mmp_group: optional(textField({ max: 64, description: 'MMP group' })),
};

interface QuoteParams {
  readonly amount: Parameters<RfqDesk['quote']>[0]['quantity'];
  readonly execution_instruction: Parameters<RfqDesk['quote']>[0]['executionInstruction'];
  readonly expires_at?: Parameters<RfqDesk['quote']>[0]['expiresAt'];
  readonly mmp_group?: string | undefined;
}

const termsOf = (params: QuoteParams) => ({
  quantity: params.amount,
  executionInstruction: params.execution_instruction,
  expiresAt: params.expires_at,
  mmpGroup: params.mmp_group,
});

const addQuote = changeMethod({
  row: ROWS.createQuote,
  params: { block_rfq_id: rfqId, label, direction: directionParam, ...quoteTerms },
  about: ({ block_rfq_id: id, label: name }) => ({ id, label: name }),
  run: (call, params) =>
    maker(call, ({ rfqs, account }) => {
      const { block_rfq_id: id, label: name, direction: side, legs, hedge, price } = params;
      const quote = { account, rfqId: id, label: name, side, legs, hedge, price };
      return answered(rfqs.quote({ ...quote, ...termsOf(params) }), quoteJson);
    }),
});

const naming = {
  block_rfq_quote_id: optional(quoteId),
  block_rfq_id: optional(rfqId),
  label,
};

interface Naming {
  readonly block_rfq_quote_id?: string | undefined;
  readonly block_rfq_id?: string | undefined;
  readonly label?: string | undefined;
}

const nameOf = (params: Naming) =>
  nameOfQuote({
    quoteId: params.block_rfq_quote_id,
    blockRfqId: params.block_rfq_id,
    label: params.label,
  });

const aboutQuote = (params: Naming) => ({
  id: params.block_rfq_quote_id ?? params.block_rfq_id,
  label: params.label,
});

const editQuote = changeMethod({
  row: ROWS.editQuote,
  params: { ...naming, ...quoteTerms },
  about: aboutQuote,
  run: (call, params) =>
    maker(call, ({ rfqs, account }) => {
      const of = nameOf(params);
      if ('refusal' in of) return of.refusal;
      const { legs, hedge, price } = params;
      const change = { account, of: of.name, legs, hedge, price, ...termsOf(params) };
      return answered(rfqs.editQuote(change), quoteJson);
    }),
});

const cancelQuote = changeMethod({
  row: ROWS.cancelQuote,
  params: naming,
  about: aboutQuote,
  run: (call, params) =>
    maker(call, ({ rfqs, account }) => {
      const of = nameOf(params);
      return 'refusal' in of
        ? of.refusal
        : answered(rfqs.cancelQuote({ account, of: of.name }), quoteJson);
    }),
});

const cancelAllQuotes = changeMethod({
  row: ROWS.cancelAllQuotes,
  params: {
    block_rfq_id: optional(rfqId),
    detailed: optionalOr(flagParam('Answer the quotes instead of their number'), false),
  },
  about: ({ block_rfq_id: id }) => ({ id }),
  run: (call, { block_rfq_id: id, detailed }) =>
    maker(
      call,
      ({ rfqs, account }): Promise<Reply<unknown>> =>
        detailed
          ? answered(cancelMatching(rfqs, { account, rfqId: id }), (found) => found.map(quoteJson))
          : rfqs.cancelQuotes({ account, rfqId: id }),
    ),
});

const STATES = ['open', 'filled', 'traded', 'cancelled', 'expired', 'closed'] as const;
const stateWords = Object.fromEntries(STATES.map((state) => [state, state])) as Readonly<
  Record<(typeof STATES)[number], (typeof STATES)[number]>
>;

const getRfqs = privateMethod({
  row: ROWS.getRfqs,
  params: {
    count: countParam(20),
    state: optional(choiceField(stateWords, 'State; closed covers every terminal one')),
    role: optional(
      choiceField(
        { any: {}, taker: { role: 'taker' }, maker: { role: 'maker' } } as const,
        'Own role (default any)',
      ),
    ),
    continuation: optional(idParam('Continues below it')),
    block_rfq_id: optional(rfqId),
    currency: optional(currencyParam),
  },
  run: (call, { count, state: status, role, continuation, block_rfq_id: id, currency }) =>
    rfq(call, ({ rfqs, account }) =>
      answered(
        rfqs.rfqs({ ...role, account, count, status, continuation, id, currency: currency?.code }),
        (page) => ({ block_rfqs: page.rfqs.map(rfqJson), continuation: page.continuation }),
      ),
    ),
});

const getQuotes = privateMethod({
  row: ROWS.getQuotes,
  params: naming,
  run: (call, params) =>
    maker(call, ({ rfqs, account }) => {
      const of = { rfqId: params.block_rfq_id, quoteId: params.block_rfq_quote_id };
      return answered(rfqs.quotes({ ...of, account, label: params.label }), (found) =>
        found.map(quoteJson),
      );
    }),
});

const getMakers = privateMethod({
  row: ROWS.getMakers,
  params: {},
  run: (call) => rfq(call, ({ rfqs, account }) => rfqs.makers(account)),
});

const getUserInfo = privateMethod({
  row: ROWS.getUserInfo,
  params: {},
  run: (call) =>
    rfq(call, async ({ orders, account, login }) => {
      const users = login.key.accounts.filter((one) => orders.forAccount(one) !== undefined);
      const infos = await Promise.all(
        users.map(async (one) => ({ user_id: integerOfText(one), ...(await infoOf(orders, one)) })),
      );
      return done({ parent: await infoOf(orders, account), users: infos });
    }),
});

/** `identity` is the alias under which a maker is known. */
async function infoOf(orders: PrivateCall['orders'], account: PrivateCall['account']) {
  const identity = await orders.aliasOf(account);
  return { is_maker: identity !== undefined, identity };
}

const tape = publicMethod({
  row: ROWS.getRfqTape,
  params: { currency: currencyParam, count: countParam(20) },
  run: async ({ orders }, { currency, count }) => {
    const trades: BlockTrade[] = [];
    for (const desk of orders.rfqDesks()) {
      const reply = await desk.tape({ currency: currency.code, count });
      if (reply.kind !== 'done') return reply;
      trades.push(...reply.value);
    }
    const newestFirst = trades.sort((a, b) => b.at - a.at).slice(0, count);
    return done({ block_rfqs: newestFirst.map(tapeJson) });
  },
});

export const DERIBIT_RFQ_METHODS: readonly DeribitMethod[] = [
  create,
  accept,
  cancelRfq,
  cancelTrigger,
  addQuote,
  editQuote,
  cancelQuote,
  cancelAllQuotes,
  getRfqs,
  getQuotes,
  getMakers,
  getUserInfo,
  tape,
];
