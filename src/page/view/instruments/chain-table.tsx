// The chain that an instrument is picked from, with bid, ask, implied volatility and delta. A press on a bid sells, on an ask
// buys.
import { atPlaces } from '../../../values/text/written-figures.ts';
import {
  forwardOf,
  type Instrument,
  type Strike,
  type Ticker,
} from '../../model/instruments/option-chain.ts';
import { tickers, useTickers } from '../../model/instruments/tickers.ts';
import { ChainGrid } from './chain-grid.tsx';

/** `side`: of the price that was pressed; absent: the instrument by itself. */
export type Pick = (instrument: Instrument, side?: 'BUY' | 'SELL') => void;

interface ChainProps {
  readonly strikes: readonly Strike[];
  readonly onPick: Pick;
}

const FIGURES = [
  { name: 'Delta', cell: (of: Instrument) => rounded(tickerOf(of)?.greeks?.delta, 2) },
  { name: 'IV', cell: (of: Instrument) => rounded(tickerOf(of)?.markIv, 1) },
];

export function ChainTable({ strikes, onPick }: ChainProps) {
  const names = strikes.flatMap(({ call, put }) =>
    [call, put].flatMap((one) => one?.instrumentName ?? []),
  );
  useTickers(names);
  const button = (of: Instrument, side: 'BUY' | 'SELL', price: string | null | undefined) => (
    <PriceButton of={of} side={side} price={price} onPick={onPick} />
  );
  return (
    <ChainGrid
      label="Chain"
      strikes={strikes}
      forward={forwardOf(strikes, tickers.value)}
      figures={FIGURES}
      prices={[
        { name: 'Bid', cell: (of) => button(of, 'SELL', tickerOf(of)?.bestBidPrice) },
        { name: 'Ask', cell: (of) => button(of, 'BUY', tickerOf(of)?.bestAskPrice) },
      ]}
    />
  );
}

const tickerOf = (of: Instrument): Ticker | undefined => tickers.value.get(of.instrumentName);

export function PriceButton({
  of,
  side,
  price,
  onPick,
}: {
  readonly of: Instrument;
  readonly side: 'BUY' | 'SELL';
  /** `undefined`: not read yet; null: nobody offers one. */
  readonly price: string | null | undefined;
  readonly onPick: Pick;
}) {
  const verb = side === 'BUY' ? 'Buy' : 'Sell';
  const at = price === null || price === undefined ? '' : ` at ${price}`;
  return (
    <button
      type="button"
      class={side === 'BUY' ? 'price ask' : 'price bid'}
      aria-label={`${verb} ${of.instrumentName}${at}`}
      onClick={() => onPick(of, side)}
    >
      {price === undefined ? '…' : (price ?? '–')}
    </button>
  );
}

/** For display. */
const rounded = (text: string | undefined, places: number): string =>
  text === undefined ? '' : atPlaces(text, places);
