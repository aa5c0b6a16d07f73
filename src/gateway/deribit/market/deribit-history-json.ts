// Candles as Deribit writes them.

import { decimalNumber, type JsonNumber } from '../../../ports/deribit-wire/json-number.ts';
import type { Candle } from '../../../ports/market-history.ts';
import type { Money, Quantity } from '../../../values/amounts.ts';

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
