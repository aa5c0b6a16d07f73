// Block RFQs and block trades as venues tell them, brought to the shapes that portfolios are decided by.
import type {
  VenueBlockRow,
  VenueRfq,
} from '../../core/portfolio/aggregate/residual-rfq-report.ts';
import type { RfqOffer } from '../../core/portfolio/aggregate/residual-rfq-state.ts';
import type { BlockTrade, RfqRecord, RfqStatus } from '../../ports/block-rfq.ts';
import { isLess, money } from '../../values/amounts.ts';
import { tradeId } from '../../values/ids.ts';

const STATUSES: Readonly<Record<RfqStatus, VenueRfq['status']>> = {
  created: 'live',
  open: 'live',
  filled: 'filled',
  // A taker does not see it; whoever does has no part in the trade.
  traded: 'cancelled',
  cancelled: 'cancelled',
  closed: 'cancelled',
  expired: 'expired',
  failed: 'failed',
};

export const venueRfq = (record: RfqRecord): VenueRfq => ({
  rfqId: record.id,
  status: STATUSES[record.status],
  quantity: record.quantity,
  ratios: record.legs.map(({ instrument, ratio }) => ({ instrument, ratio })),
  offer: offerIn(record),
});

/** The cheapest that a buyer of the legs as they are listed can have whole. */
function offerIn({ asks, quantity }: RfqRecord): RfqOffer | undefined {
  let best: RfqOffer | undefined;
  for (const level of asks) {
    if (isLess(level.quantity, quantity)) continue;
    if (best !== undefined && !isLess(level.price, best.price)) continue;
    const { price, makers, executionInstruction } = level;
    best = { price, makers: makers.length, isWhole: executionInstruction === 'all_or_none' };
  }
  return best;
}

export const venueRows = (trades: readonly BlockTrade[]): readonly VenueBlockRow[] =>
  trades.flatMap((trade) =>
    trade.rows.map((row) => ({
      tradeId: tradeId(row.tradeId),
      blockId: trade.id,
      blockPrice: trade.price,
      instrument: row.instrument,
      side: row.side,
      quantity: row.quantity,
      price: row.price,
      fee: money(row.fee),
      feeCurrency: row.feeCurrency,
      liquidity: row.liquidity,
      at: trade.at,
    })),
  );
