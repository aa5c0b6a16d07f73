// Public trades and candles as Deribit writes them.

import {
  decimalNumber,
  type JsonNumber,
  modelNumber,
  orZero,
} from '../../../ports/deribit-wire/json-number.ts';
import type { Candle, PublicTrade } from '../../../ports/market-history.ts';
import { inverseNotional, type Money, type Price, type Quantity } from '../../../values/amounts.ts';
import type { Instrument, TermsOf } from '../../../values/instrument.ts';

/** An amount in contracts. */
export const contractsOf = ({ contractSize }: Instrument, amount: Quantity): JsonNumber =>
  decimalNumber(inverseNotional(contractSize as unknown as Price, amount));

/** Trades of instruments that are not known any more are left out. */
export const publicTradesJson = (
  trades: readonly PublicTrade[],
  termsOf: TermsOf,
): readonly object[] =>
  trades.flatMap((trade) => {
    const instrument = termsOf(trade.instrument);
    return instrument === undefined ? [] : [publicTradeJson(instrument, trade, termsOf)];
  });

const publicTradeJson = (instrument: Instrument, trade: PublicTrade, termsOf: TermsOf) => ({
  trade_id: trade.tradeId,
  trade_seq: trade.tradeSeq,
  instrument_name: trade.instrument,
  timestamp: trade.at,
  direction: trade.side,
  tick_direction: trade.tickDirection,
  price: decimalNumber(trade.price),
  amount: decimalNumber(trade.quantity),
  contracts: contractsOf(instrument, trade.quantity),
  mark_price: orZero(trade.mark),
  index_price: orZero(trade.index),
  liquidation: trade.liquidation,
  iv: trade.iv === undefined ? undefined : modelNumber(trade.iv * 100, 2),
  combo_id: trade.comboId,
  combo_trade_id: trade.comboTradeId,
  legs: trade.legs && publicTradesJson(trade.legs, termsOf),
});

const VOLUME_PLACES = 8;

/** Volumes in coins; what an inverse future turns over in coins is rounded. */
export const volumeNumber = (volume: Quantity | Money): JsonNumber =>
  decimalNumber(volume.toDecimalPlaces(VOLUME_PLACES) as typeof volume);

export const candleJson = (candle: Candle) => ({
  tick: candle.at,
  open: decimalNumber(candle.open),
  high: decimalNumber(candle.high),
  low: decimalNumber(candle.low),
  close: decimalNumber(candle.close),
  volume: volumeNumber(candle.volume),
  cost: volumeNumber(candle.cost),
});

/** In columns, as charting libraries read them. */
export function chartJson(candles: readonly Candle[]) {
  const rows = candles.map(candleJson);
  return {
    status: rows.length === 0 ? 'no_data' : 'ok',
    ticks: rows.map(({ tick }) => tick),
    open: rows.map(({ open }) => open),
    high: rows.map(({ high }) => high),
    low: rows.map(({ low }) => low),
    close: rows.map(({ close }) => close),
    volume: rows.map(({ volume }) => volume),
    cost: rows.map(({ cost }) => cost),
  };
}
