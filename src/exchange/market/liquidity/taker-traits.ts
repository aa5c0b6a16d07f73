// How takers of an instrument arrive and trade, by its kind and coin.
import { type Instrument, singleKindOf } from '../../../values/instrument.ts';
import type { Coin } from '../coins.ts';
import { COIN_MARKETS, OPTION_BOOKS } from '../market-parameters.ts';
import type { TakerTraits } from './takers.ts';

export function takerTraits(instrument: Instrument, coin: Coin): TakerTraits {
  const kind = singleKindOf(instrument);
  if (kind === 'option') {
    return {
      perSecond: OPTION_BOOKS.takersPerSecondMax,
      sizeSpread: OPTION_BOOKS.takerSpread,
      sameSide: OPTION_BOOKS.sameSide,
    };
  }
  const { takersPerSecondMax, takerSpread, sameSide } = COIN_MARKETS[kind][coin];
  return { perSecond: takersPerSecondMax, sizeSpread: takerSpread, sameSide };
}
