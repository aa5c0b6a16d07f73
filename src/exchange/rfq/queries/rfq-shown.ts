// Shows an RFQ to one account. The taker sees the makers addressed, the quotes after the grace period, and
// its own accepts and allocations; a maker sees none of these, nor the quotes and names of other makers.

import { type Quantity, steps } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import type {
  RfqFill as RfqFillRecord,
  RfqHedge as RfqHedgeRecord,
  RfqLevel,
  RfqRecord,
} from '../../../values/block-rfq-record.ts';
import type { AccountId } from '../../../values/ids.ts';
import { type Instant, latest } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import { bestQuotes } from '../blocks/best-quotes.ts';
import type { RfqQuote } from '../maker-quote.ts';
import { isLive, type Rfq, type RfqFill, type RfqHedge, seatOf } from '../rfq.ts';

const ANONYMOUS = 'ANONYMOUS';

/** The account must be its taker or have a seat. */
export function shownRfq(state: ExchangeState, rfq: Rfq, account: AccountId): RfqRecord {
  return rfq.taker === account ? takersView(state, rfq) : makersView(rfq, account);
}

const unitsOf = ({ unit }: Rfq, units: number): Quantity => steps(unit, units);

function commonOf(rfq: Rfq) {
  const { legs, hedge, comboId, currency, createdAt, expiresAt, disclosed } = rfq;
  return {
    currency,
    quantity: unitsOf(rfq, rfq.units),
    legs: legs.map(({ instrument, ratio, side }) => ({ instrument, ratio, side })),
    ...(hedge !== undefined && { hedge: shownHedge(hedge) }),
    ...(comboId !== undefined && { comboId }),
    createdAt,
    expiresAt,
    disclosed,
    minTradeQuantity: unitsOf(rfq, rfq.minUnits),
    takerRating: rfq.takerRating,
    ...(rfq.status === 'filled' && { markPrice: rfq.markPrice, indexPrices: rfq.indexPrices }),
  };
}

export const shownHedge = ({ instrument, quantity, side, price }: RfqHedge): RfqHedgeRecord => ({
  instrument,
  quantity,
  side,
  price,
});

function takersView(state: ExchangeState, rfq: Rfq): RfqRecord {
  const open = rfq.status === 'open' ? state.rfqs.openQuotes(rfq.number) : [];
  return {
    id: rfq.takerId,
    role: 'taker',
    status: rfq.status,
    closedReason: rfq.closedReason,
    ...commonOf(rfq),
    lastUpdatedAt: lastChange(state, rfq),
    makers: rfq.targets,
    taker: rfq.disclosed ? rfq.takerAlias : undefined,
    label: rfq.label === '' ? undefined : rfq.label,
    // A buyer trades with offers, a seller with bids.
    asks: levelOf(rfq, open, 'buy'),
    bids: levelOf(rfq, open, 'sell'),
    allocations: rfq.allocations.map(({ units, ...whose }) => ({
      quantity: unitsOf(rfq, units),
      ...whose,
    })),
    triggers: rfq.triggers.map(({ state: its, side, price, cancelReason }) => ({
      state: its,
      side,
      price,
      ...(cancelReason !== undefined && { cancelReason }),
    })),
    fills: rfq.fills.map((fill) =>
      shownFill(rfq, fill, rfq.disclosed ? seatOf(rfq, fill.maker)?.alias : undefined),
    ),
    ...(rfq.isRated !== undefined && { includedInTakerRating: rfq.isRated }),
  };
}

function makersView(rfq: Rfq, account: AccountId): RfqRecord {
  const seat = must(seatOf(rfq, account), 'an account that sees an RFQ takes part in it');
  const isTradedAway = rfq.status === 'filled' && rfq.fills.every(({ maker }) => maker !== account);
  return {
    id: seat.id,
    role: 'maker',
    status: isTradedAway ? 'traded' : rfq.status === 'created' ? 'open' : rfq.status,
    closedReason: isTradedAway ? 'traded_away' : rfq.closedReason,
    ...commonOf(rfq),
    lastUpdatedAt: isLive(rfq) ? rfq.createdAt : rfq.updatedAt,
    makers: [],
    taker: rfq.disclosed ? rfq.takerAlias : undefined,
    bids: [],
    asks: [],
    allocations: [],
    triggers: [],
    fills: rfq.fills.map((fill) =>
      shownFill(rfq, fill, fill.maker === account ? seat.alias : undefined),
    ),
  };
}

function shownFill(rfq: Rfq, fill: RfqFill, maker: string | undefined): RfqFillRecord {
  const { side, ticks, units, hedgeLots } = fill;
  const { hedge } = rfq;
  return {
    side,
    price: steps(rfq.resolution, ticks),
    quantity: unitsOf(rfq, units),
    ...(maker !== undefined && { maker }),
    ...(hedge !== undefined && {
      hedgeQuantity: steps(hedge.quantity.div(hedge.lots) as Quantity, hedgeLots),
    }),
  };
}

/**
 * During the grace period the taker must not learn that there are quotes, not even from the time of the last
 * change.
 */
function lastChange(state: ExchangeState, rfq: Rfq): Instant {
  if (rfq.status !== 'open') return rfq.updatedAt;
  const quotes = state.rfqs.quotes(rfq.number);
  return quotes.map(({ updatedAt }) => updatedAt).reduce(latest, rfq.updatedAt);
}

/** `side` is the taker's. One level: the price for the full quantity. */
function levelOf(rfq: Rfq, open: readonly RfqQuote[], side: Side): readonly RfqLevel[] {
  const best = bestQuotes(rfq, open, side);
  if (best === undefined) return [];
  const quotes = best.taken.map(({ quote }) => quote);
  const aliases = new Set(quotes.map(({ maker }) => seatOf(rfq, maker)?.alias ?? ANONYMOUS));
  const expiries = quotes.flatMap(({ expiresAt }) => expiresAt ?? []);
  return [
    {
      quantity: unitsOf(rfq, rfq.units),
      executionInstruction: best.instruction,
      price: steps(rfq.resolution, best.ticks),
      makers: rfq.disclosed ? [...aliases] : [ANONYMOUS],
      lastUpdatedAt: quotes.map(({ updatedAt }) => updatedAt).reduce(latest),
      ...(expiries.length > 0 && { expiresAt: Math.min(...expiries) as Instant }),
    },
  ];
}
