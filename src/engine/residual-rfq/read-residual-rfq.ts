// Converts Block RFQs and block trades from the venue's format to the one that portfolio decisions use.

import type {
  VenueBlockRow,
  VenueRfq,
} from '../../core/portfolio/aggregate/residual-rfq-report.ts';
import type { RfqOffer } from '../../core/portfolio/aggregate/residual-rfq-state.ts';
import { isLess } from '../../values/amounts.ts';
import type { BlockTrade, RfqRecord, RfqStatus } from '../../values/block-rfq-record.ts';
import { tradeId } from '../../values/ids.ts';

const STATUSES: Readonly<Record<RfqStatus, VenueRfq['status']>> = {
  created: 'live',
  open: 'live',
  filled: 'filled',
  // Takers never see this status; a party that sees it has no part in the trade.
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

/** The best offer, for the full quantity, to a buyer of the legs as listed. */
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
      fee: row.fee,
      feeCurrency: row.feeCurrency,
      liquidity: row.liquidity,
      at: trade.at,
    })),
  );
