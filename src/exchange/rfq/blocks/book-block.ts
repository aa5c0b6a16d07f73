// Books one block: positions, cash and fees of both sides, and each user's own trades. Blocks trade outside
// the book: they do not affect its last price, statistics or triggers.
import { type Money, minus, proportionOn, ZERO_MONEY } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import { type AccountId, orderId, tradeId } from '../../../values/ids.ts';
import { opposite, type Side } from '../../../values/instrument.ts';
import { recapReduceOnly } from '../../accounting/reduce-only.ts';
import { holdingsAfter, pay, settleFill, surroundings } from '../../accounting/settle-fill.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import { decimalsOf } from '../../model/fees.ts';
import { costOf } from '../../model/position.ts';
import type { ExchangeTrade } from '../../order.ts';
import type { Rfq } from '../rfq.ts';
import type { PlannedBlock, PlannedRow } from './block-plan.ts';
import type { AllocatedShare, BlockRow, BlockTrade } from './block-trade.ts';

export interface BookedTerms {
  /** The taker's. */
  readonly side: Side;
  readonly ticks: number;
  /** Units of each allocation, and lots of the hedge. */
  readonly units: readonly number[];
  readonly hedgeLots: readonly number[];
}

export function bookBlock(
  state: ExchangeState,
  rfq: Rfq,
  block: PlannedBlock,
  terms: BookedTerms,
): BlockTrade {
  const number = state.rfqs.nextTradeNumber();
  const id = `BLOCK-${number}`;
  const { seat, units } = block;
  const rows = block.rows.map((row, at): BlockRow => {
    const lots = rfq.legs[at]?.lots ?? 0;
    const claims = row.isHedge ? terms.hedgeLots : terms.units.map((share) => share * lots);
    return bookRow(state, row, { rfq, block, id, claims });
  });
  const trade: BlockTrade = {
    number,
    id,
    rfq: rfq.number,
    ...(rfq.comboId !== undefined && { comboId: rfq.comboId }),
    currency: rfq.currency,
    at: state.now,
    taker: rfq.taker,
    maker: seat.account,
    makerAlias: seat.alias,
    takerRfqId: rfq.takerId,
    makerRfqId: seat.id,
    disclosed: rfq.disclosed,
    side: terms.side,
    price: rfq.resolution.mul(terms.ticks) as BlockTrade['price'],
    quantity: rfq.unit.mul(units) as BlockTrade['quantity'],
    quotes: block.taken.map(({ quote, units: part }) => ({
      quoteId: quote.id,
      units: part,
      ...(quote.mmpGroup !== undefined && { mmpGroup: quote.mmpGroup }),
    })),
    rows,
  };
  state.rfqs.putTrade(trade);
  state.outbox.emit({ kind: 'block_traded', at: state.now, trade });
  return trade;
}

interface Within {
  readonly rfq: Rfq;
  readonly block: PlannedBlock;
  readonly id: string;
  /** Lots of each allocation. */
  readonly claims: readonly number[];
}

function bookRow(state: ExchangeState, row: PlannedRow, within: Within): BlockRow {
  const { listing, side, price, quantity, isHedge } = row;
  const { reference, instrument } = listing;
  const { rfq, block } = within;
  listing.tradeSeq += 1;
  const its = { id: tradeId(state.tradeIds.next(instrument)), seq: listing.tradeSeq };
  const allocations = allocated(row, within);
  const maker = { account: block.seat.account, role: 'maker', allocations: [] } as const;
  bookParty(state, row, { ...within, its, ...maker });
  bookParty(state, row, { ...within, its, account: rfq.taker, role: 'taker', allocations });
  return {
    tradeId: its.id,
    tradeSeq: its.seq,
    instrument: instrument.name,
    side,
    quantity,
    price,
    takerFee: row.takerFee,
    makerFee: row.makerFee,
    feeCurrency: row.feeCurrency,
    ...(reference !== undefined && { markPrice: reference.mark, indexPrice: reference.index }),
    isHedge,
    allocations,
  };
}

interface OfParty extends Within {
  readonly its: { readonly id: BlockRow['tradeId']; readonly seq: number };
  readonly account: AccountId;
  readonly role: 'maker' | 'taker';
  readonly allocations: readonly AllocatedShare[];
}

function bookParty(state: ExchangeState, row: PlannedRow, of: OfParty): void {
  const { listing, lots } = row;
  const isTaker = of.role === 'taker';
  const side = isTaker ? row.side : opposite(row.side);
  const account = state.accounts.get(of.account);
  if (account === undefined) {
    state.bot(of.account).traded(listing.instrument.name, side, lots);
    return;
  }
  const fee = isTaker ? row.takerFee : row.makerFee;
  const value = costOf(listing.instrument, row.price, row.quantity);
  const profitLoss = settleFill(state, account, { listing, side, lots, value });
  pay(state, account, listing.instrument, fee);
  const after = holdingsAfter(account, listing.instrument);
  const trade: ExchangeTrade = { ...rowTrade(state, row, of), side, fee, profitLoss, ...after };
  state.trades.add(trade);
  state.outbox.emit({ kind: 'trade', at: state.now, trade });
  recapReduceOnly(state, account.exposure(listing));
}

function rowTrade(
  state: ExchangeState,
  { listing, price, quantity, feeCurrency, isHedge }: PlannedRow,
  { rfq, block, id, its, account, role, allocations }: OfParty,
): Omit<ExchangeTrade, 'side' | 'fee' | 'profitLoss'> {
  const isTaker = role === 'taker';
  const isOfCombo = rfq.comboId !== undefined && rfq.legs.length > 1 && !isHedge;
  const { quote } = must(block.taken[0], 'a block has a quote');
  return {
    tradeId: its.id,
    tradeSeq: its.seq,
    account,
    orderId: orderId(`${id}-${isTaker ? 'T' : 'M'}`),
    label: isTaker ? rfq.label : quote.label,
    instrument: listing.instrument.name,
    price,
    quantity,
    liquidity: role,
    feeCurrency,
    tickDirection: listing.last?.tickDirection ?? 0,
    ...surroundings(listing, price, state.now),
    originalType: 'limit',
    orderState: 'filled',
    postOnly: false,
    reduceOnly: false,
    mmp: false,
    block: {
      id,
      rfqId: isTaker ? rfq.takerId : block.seat.id,
      ...(!isTaker && { quoteId: quote.id }),
      legCount: block.rows.length,
      isHedge,
      ...(isOfCombo && { comboId: rfq.comboId }),
      ...(allocations.length > 0 && { allocations }),
    },
    at: state.now,
  };
}

/** The taker's row and its fee, split by allocation; the last takes the rounding remainder of the fee. */
function allocated(row: PlannedRow, { rfq, claims }: Within): readonly AllocatedShare[] {
  const { listing, lots, takerFee, feeCurrency } = row;
  const grid = { places: decimalsOf(feeCurrency), rounding: 'half_up' } as const;
  let upToHere = 0;
  let given: Money = ZERO_MONEY;
  return rfq.allocations.map((allocation, at) => {
    const claim = claims[at] ?? 0;
    upToHere += claim;
    const due = proportionOn(takerFee, { numerator: upToHere, denominator: lots, ...grid });
    const fee = minus(due, given);
    given = due;
    const { units: _units, ...whose } = allocation;
    return { quantity: listing.grid.quantityOf(claim), fee, ...whose };
  });
}
