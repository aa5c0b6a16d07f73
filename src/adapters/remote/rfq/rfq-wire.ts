// Block RFQs, quotes and block trades in the venue's wire format. The wire does not state a currency: it is
// that of the first leg.

import { z } from 'zod';
import type { Money } from '../../../values/amounts.ts';
import type {
  BlockTrade,
  RfqHedge,
  RfqQuoteRecord,
  RfqRecord,
  TradeAllocation,
} from '../../../values/block-rfq-record.ts';
import {
  clientIn,
  currencyIn,
  instantIn,
  instrumentNameIn,
  moneyIn,
  priceIn,
  quantityIn,
  ratioIn,
  shownPriceIn,
  sideIn,
  text,
} from '../wire-fields.ts';

const legIn = z
  .object({ instrumentName: instrumentNameIn, ratio: ratioIn, side: sideIn })
  .transform(({ instrumentName: instrument, ...same }) => ({ ...same, instrument }));

const pricedLegIn = z
  .object({ instrumentName: instrumentNameIn, ratio: ratioIn, side: sideIn, price: priceIn })
  .transform(({ instrumentName: instrument, ...same }) => ({ ...same, instrument }));

const hedgeIn = z
  .object({ instrumentName: instrumentNameIn, quantity: quantityIn, side: sideIn, price: priceIn })
  .transform(({ instrumentName: instrument, ...same }): RfqHedge => ({ ...same, instrument }));

const allocationIn = z
  .object({
    amount: quantityIn,
    userId: z.int().optional(),
    clientInfo: clientIn.optional(),
    fee: moneyIn.optional(),
  })
  .transform(
    ({
      amount: quantity,
      clientInfo: client,
      ...same
    }): TradeAllocation & { readonly fee?: Money | undefined } => ({
      ...same,
      quantity,
      client,
    }),
  );

const instructionIn = z.enum(['any_part_of', 'all_or_none']);

const levelIn = z.object({
  quantity: quantityIn,
  executionInstruction: instructionIn,
  price: priceIn,
  makers: z.array(text),
  lastUpdatedAt: instantIn,
  expiresAt: instantIn.optional(),
});

export const triggerIn = z.object({
  state: z.enum(['untriggered', 'triggered', 'cancelled']),
  side: sideIn,
  price: priceIn,
  cancelReason: text.optional(),
});

const fillIn = z.object({
  side: sideIn,
  price: priceIn,
  quantity: quantityIn,
  maker: text.optional(),
  hedgeQuantity: quantityIn.optional(),
});

const orAbsent = <T>(value: T | null): T | undefined => value ?? undefined;

export type BareRfq = Omit<RfqRecord, 'currency'>;

export const rfqIn = z
  .object({
    blockRfqId: text,
    role: z.enum(['taker', 'maker']),
    status: z.enum([
      'created',
      'open',
      'filled',
      'traded',
      'cancelled',
      'expired',
      'closed',
      'failed',
    ]),
    closedReason: text.nullable(),
    quantity: quantityIn,
    legs: z.array(legIn),
    hedge: hedgeIn.optional(),
    comboId: text.nullable(),
    createdAt: instantIn,
    expiresAt: instantIn,
    lastUpdatedAt: instantIn,
    makers: z.array(text),
    taker: text.optional(),
    disclosed: z.boolean(),
    label: text.optional(),
    minTradeAmount: quantityIn,
    bids: z.array(levelIn).default([]),
    asks: z.array(levelIn).default([]),
    tradeAllocations: z.array(allocationIn).default([]),
    tradeTriggers: z.array(triggerIn).default([]),
    trades: z.array(fillIn).default([]),
    markPrice: shownPriceIn.optional(),
    indexPrices: z.record(z.string(), text).optional(),
    includedInTakerRating: z.boolean().optional(),
    takerRating: text.optional(),
  })
  .transform(
    ({
      blockRfqId: id,
      comboId,
      closedReason,
      minTradeAmount: minTradeQuantity,
      tradeAllocations: allocations,
      tradeTriggers: triggers,
      trades: fills,
      ...same
    }): BareRfq => ({
      ...{ ...same, id, minTradeQuantity, allocations, triggers, fills },
      comboId: orAbsent(comboId),
      closedReason: orAbsent(closedReason),
    }),
  );

export type BareQuote = Omit<RfqQuoteRecord, 'currency'>;

export const quoteIn = z
  .object({
    quoteId: text,
    blockRfqId: text,
    label: text.optional(),
    quantity: quantityIn,
    filledQuantity: quantityIn,
    side: sideIn,
    price: priceIn,
    executionInstruction: instructionIn,
    legs: z.array(pricedLegIn),
    hedge: hedgeIn.optional(),
    status: z.enum(['open', 'filled', 'cancelled', 'expired']),
    statusReason: text.optional(),
    replaced: z.boolean(),
    createdAt: instantIn,
    lastUpdatedAt: instantIn,
    expiresAt: instantIn.optional(),
    mmpGroup: text.optional(),
  })
  .transform(({ quoteId: id, blockRfqId: rfqId, ...same }): BareQuote => ({ ...same, id, rfqId }));

const rowIn = z
  .object({
    tradeId: text,
    instrumentName: instrumentNameIn,
    side: sideIn,
    quantity: quantityIn,
    price: priceIn,
    fee: moneyIn,
    feeCurrency: currencyIn,
    markPrice: shownPriceIn.optional(),
    indexPrice: shownPriceIn.optional(),
    liquidity: z.enum(['M', 'T']),
    hedge: z.boolean(),
    tradeAllocations: z.array(allocationIn).default([]),
  })
  .transform(
    ({
      instrumentName: instrument,
      liquidity,
      hedge: isHedge,
      tradeAllocations: allocations,
      ...same
    }) => ({
      ...{ ...same, instrument, isHedge, allocations },
      liquidity: liquidity === 'M' ? ('maker' as const) : ('taker' as const),
    }),
  );

export type BareBlockTrade = Omit<BlockTrade, 'currency'>;

export const blockTradeIn = z
  .object({
    blockTradeId: text,
    blockRfqId: text,
    comboId: text.nullable(),
    timestamp: instantIn,
    side: sideIn,
    price: priceIn,
    quantity: quantityIn,
    maker: text.optional(),
    trades: z.array(rowIn),
  })
  .transform(
    ({
      blockTradeId: id,
      blockRfqId: rfqId,
      comboId,
      timestamp: at,
      trades: rows,
      ...same
    }): BareBlockTrade => ({ ...same, id, rfqId, at, rows, comboId: orAbsent(comboId) }),
  );

const tapeLegIn = z
  .object({
    instrumentName: instrumentNameIn,
    side: sideIn,
    quantity: quantityIn,
    price: priceIn,
    markPrice: shownPriceIn.optional(),
    indexPrice: shownPriceIn.optional(),
    hedge: z.boolean(),
  })
  .transform(({ instrumentName: instrument, hedge: isHedge, ...same }) => ({
    ...{ ...same, instrument, isHedge },
  }));

/** A public block trade: without ids and fees of either side. */
export const tapeIn = z
  .object({
    blockTradeId: text,
    comboId: text.nullable(),
    timestamp: instantIn,
    side: sideIn,
    price: priceIn,
    quantity: quantityIn,
    legs: z.array(tapeLegIn),
  })
  .transform(({ blockTradeId: id, comboId, timestamp: at, legs, ...same }) => ({
    ...{ ...same, id, at, legs },
    comboId: orAbsent(comboId),
  }));

export type TapeTrade = z.output<typeof tapeIn>;
