// Maps the exchange's Block RFQs, quotes and block trades to the types of the port.
import type {
  BlockTradeView,
  RfqLegView,
  RfqQuoteView,
  RfqView,
} from '../../../exchange/rfq/queries/rfq-view.ts';
import type { BlockTrade, RfqQuoteRecord, RfqRecord } from '../../../ports/block-rfq.ts';
import { type Quantity, type Ratio, text } from '../../../values/amounts.ts';

/** The port represents ratios as quantities: both are decimals above zero. */
export const ratioOf = (value: Quantity): Ratio => value as unknown as Ratio;
const shownRatio = (value: Ratio): Quantity => value as unknown as Quantity;

const shownLeg = <T extends RfqLegView>(leg: T) => ({ ...leg, ratio: shownRatio(leg.ratio) });

export const rfqRecord = (rfq: RfqView): RfqRecord => ({ ...rfq, legs: rfq.legs.map(shownLeg) });

export const quoteRecord = ({ account: _, legs, ...quote }: RfqQuoteView): RfqQuoteRecord => ({
  ...quote,
  legs: legs.map(shownLeg),
});

export const blockTrade = ({ rows, ...trade }: BlockTradeView): BlockTrade => ({
  ...trade,
  rows: rows.map(({ fee, allocations, ...row }) => ({
    ...row,
    fee: text(fee),
    allocations: allocations.map((share) => ({ ...share, fee: text(share.fee) })),
  })),
});
