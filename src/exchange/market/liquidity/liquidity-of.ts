// Quoted and traded sizes of a book, by kind of instrument and the state of the market.
import { type Instrument, singleKindOf } from '../../../values/instrument.ts';
import type { Coin } from '../coins.ts';
import { COIN_MARKETS, type CoinMarket } from '../market-parameters.ts';
import {
  alarmWidth,
  livelinessAt,
  type MarketActivity,
  pulledAt,
  sizeFactor,
  widthFactor,
} from '../prices/market-activity.ts';
import type { Valuation } from '../prices/marks.ts';
import type { Liquidity, WideQuotes } from './liquidity.ts';
import { optionLiquidity } from './option-liquidity.ts';

const NEVER_WIDE: WideQuotes = { share: 0, halfSpread: 0 };

export function liquidityOf(
  instrument: Instrument,
  at: Valuation,
  mood: MarketActivity,
): Liquidity {
  const coin = String(instrument.base) as Coin;
  const kind = singleKindOf(instrument);
  return kind === 'option'
    ? optionLiquidity(instrument, at, mood)
    : coinLiquidity(COIN_MARKETS[kind][coin], { instrument, at, mood });
}

function coinLiquidity(
  market: CoinMarket,
  of: { readonly instrument: Instrument; readonly at: Valuation; readonly mood: MarketActivity },
): Liquidity {
  const { instrument, at, mood } = of;
  const perUsd = instrument.amountUnit === 'usd' ? 1 : 1 / at.index;
  const scale = sizeFactor(mood) * perUsd;
  return {
    halfSpread: (market.halfSpread * widthFactor(mood.pace) + alarmWidth(mood)) * at.fair,
    wide: NEVER_WIDE,
    modeSpread: 0,
    widthSpread: market.widthSpread,
    sway: market.sway * at.fair,
    touchSpread: market.touchSpread,
    depths: market.depths.map((depth) => depth * at.fair),
    sizes: market.sizes.map((usd) => usd * scale),
    pulled: pulledAt(mood.alarm),
    capacity: market.capacity * perUsd,
    leanMax: market.leanMax * at.fair,
    liveliness: livelinessAt(mood, market.liveliness),
    takerSize: market.takerSize * perUsd,
    takerReach: market.takerReach * at.fair,
  };
}
