// Trades in the venue's wire format: an account's own trades, and the public tape.
import { z } from 'zod';
import type { TradeRecord, TradeShare } from '../../core/order/order-record.ts';
import type { PublicTrade } from '../../ports/market-reads.ts';
import { orderStateIn } from './order-wire.ts';
import {
  clientIn,
  currencyIn,
  instantIn,
  instrumentNameIn,
  moneyIn,
  orderIdIn,
  percentIn,
  priceIn,
  quantityIn,
  sideIn,
  text,
  tradeIdIn,
} from './wire-fields.ts';

const tickDirection = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);

const shareIn = z
  .object({
    amount: quantityIn,
    fee: moneyIn,
    userId: z.int().optional(),
    clientInfo: clientIn.optional(),
  })
  .transform(
    ({ amount: quantity, clientInfo: client, ...same }): TradeShare => ({
      ...same,
      quantity,
      client,
    }),
  );

export type BareTrade = Omit<TradeRecord, 'account'>;

export const tradeIn = z
  .object({
    tradeId: tradeIdIn,
    tradeSeq: z.int(),
    timestamp: instantIn,
    tickDirection,
    state: orderStateIn,
    orderId: orderIdIn,
    orderType: z.enum(['limit', 'market']),
    instrumentName: instrumentNameIn,
    side: sideIn,
    price: priceIn,
    quantity: quantityIn,
    contracts: quantityIn.optional(),
    liquidity: z.enum(['M', 'T']),
    fee: moneyIn,
    feeCurrency: currencyIn,
    indexPrice: priceIn.optional(),
    markPrice: priceIn.optional(),
    iv: percentIn.optional(),
    underlyingPrice: priceIn.optional(),
    profitLoss: moneyIn.optional(),
    postOnly: z.boolean(),
    reduceOnly: z.boolean(),
    mmp: z.boolean(),
    advanced: z.enum(['usd', 'implv']).optional(),
    label: text.default(''),
    blockTradeId: text.optional(),
    blockRfqId: text.optional(),
    blockRfqQuoteId: text.optional(),
    comboId: text.optional(),
    comboTradeId: text.optional(),
    tradeAllocations: z.array(shareIn).optional(),
  })
  .transform(
    ({
      timestamp: at,
      instrumentName: instrument,
      liquidity,
      tradeAllocations: allocations,
      ...same
    }): BareTrade => ({
      ...same,
      at,
      instrument,
      allocations,
      liquidity: liquidity === 'M' ? 'maker' : 'taker',
    }),
  );

export const publicTradeIn = z
  .object({
    tradeId: tradeIdIn,
    tradeSeq: z.int(),
    timestamp: instantIn,
    instrumentName: instrumentNameIn,
    side: sideIn,
    price: priceIn,
    quantity: quantityIn,
    tickDirection,
    markPrice: priceIn.optional(),
    indexPrice: priceIn.optional(),
    iv: percentIn.optional(),
  })
  .transform(
    ({ timestamp: at, instrumentName, markPrice, indexPrice, ...same }): PublicTrade => ({
      ...same,
      at,
      instrument: instrumentName,
      mark: markPrice,
      index: indexPrice,
    }),
  );
