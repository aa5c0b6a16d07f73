// The option chain: expiries as tabs, calls to the left of the strikes and puts to the right; where there is no room for both,
// one of them.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { atPlaces, grouped, placesOf } from '../../../values/text/written-figures.ts';
import {
  chainShown,
  chainTickers,
  chosenExpiry,
  chosenUnderlying,
  expiries,
  expiry,
  followedNames,
  followTickers,
  forward,
  options,
  strikes,
  underlying,
  underlyings,
} from '../../model/desk/chain.ts';
import { positions, sizeOf } from '../../model/desk/held-positions.ts';
import { ladderAddress } from '../../model/desk/ladder.ts';
import { AWAITED, dateText, durationText, NOT_KNOWN } from '../../model/formatting.ts';
import { atMoney, type Instrument, type Ticker } from '../../model/instruments/option-chain.ts';
import { tickerFigure } from '../../model/instruments/ticker-figure.ts';
import { useReadings } from '../../model/operations/reading.ts';
import { type ChainColumn, ChainGrid } from '../instruments/chain-grid.tsx';
import { nowMs } from '../page-clock.ts';
import { None, PanelFreshness } from '../panel-freshness.tsx';

const LISTED = [options];
const HELD = [positions];
const LISTED_EVERY_MS = 60_000;

const shown = signal<'calls' | 'puts'>('calls');

export function ChainScreen() {
  useReadings(LISTED, LISTED_EVERY_MS);
  useReadings(HELD);
  const names = followedNames.value;
  useEffect(() => followTickers(names), [names]);
  return (
    <div class={chainShown.value.kind === 'stale' ? 'screen stale' : 'screen'}>
      <h1>Option chain</h1>
      <div class="choose">
        <label>
          Underlying{' '}
          <select
            value={underlying.value}
            onChange={(event) => {
              chosenUnderlying.value = event.currentTarget.value;
            }}
          >
            {underlyings.value.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <fieldset class="tabs sides" aria-label="Side">
          {(['calls', 'puts'] as const).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === shown.value}
              onClick={() => {
                shown.value = name;
              }}
            >
              {name === 'calls' ? 'Calls' : 'Puts'}
            </button>
          ))}
        </fieldset>
        <Expiries />
        <Legend />
      </div>
      <PanelFreshness shown={chainShown.value} />
      <Chain />
    </div>
  );
}

function Expiries() {
  return (
    <fieldset class="tabs expiries" aria-label="Expiry">
      {expiries.value.map((ms) => (
        <button
          key={ms}
          type="button"
          aria-pressed={ms === expiry.value}
          onClick={() => {
            chosenExpiry.value = ms;
          }}
        >
          {dateText(ms)}
          <small>{durationText(ms - nowMs.value)}</small>
        </button>
      ))}
    </fieldset>
  );
}

function Legend() {
  if (forward.value === undefined) return null;
  return (
    <span class="count">
      forward {grouped(forward.value)} · IV at the money {atMoneyIv()} ·{' '}
      <span class="in-money">shaded: in the money</span>
    </span>
  );
}

/** Of the strike nearest to the forward. */
function atMoneyIv(): string {
  const money = atMoney(strikes.value, forward.value);
  const call = strikes.value.find(({ strike }) => strike === money)?.call;
  const iv = call && tickerOf(call)?.markIv;
  return iv === undefined ? NOT_KNOWN : `${atPlaces(iv, 1)}%`;
}

const tickerOf = (of: Instrument): Ticker | undefined => chainTickers.value.get(of.instrumentName);

const atTick = ({ tickSize }: Instrument, price: string): string =>
  atPlaces(price, placesOf(tickSize));

const column = (
  name: string,
  figure: (ticker: Ticker) => string | null | undefined,
  text: (value: string, of: Instrument) => string,
): ChainColumn => ({
  name,
  cell: (of) => tickerFigure(tickerOf(of), figure, (value) => text(value, of)),
});

const FIGURES: readonly ChainColumn[] = [
  { name: 'Own', isExtra: true, cell: (of) => sizeOf(of.instrumentName) ?? AWAITED },
  { ...column('Open', ({ openInterest }) => openInterest, inLots), isExtra: true },
  column(
    'Delta',
    ({ greeks }) => greeks?.delta,
    (delta) => atPlaces(delta, 2),
  ),
  column(
    'IV',
    ({ markIv }) => markIv,
    (iv) => atPlaces(iv, 1),
  ),
  column(
    'Mark',
    ({ markPrice }) => markPrice,
    (price, of) => atTick(of, price),
  ),
];

/** To the step of sizes, so that they stand one below the other. */
function inLots(size: string, { qtyTickSize }: Instrument): string {
  return atPlaces(size, placesOf(qtyTickSize));
}

const priceWord = (
  of: Instrument,
  price: (ticker: Ticker) => string | null | undefined,
): string => {
  const ticker = tickerOf(of);
  if (ticker === undefined) return NOT_KNOWN;
  const text = price(ticker);
  return typeof text === 'string' ? atTick(of, text) : 'none';
};

const priceColumn = (
  name: 'Bid' | 'Ask',
  price: (ticker: Ticker) => string | null | undefined,
): ChainColumn => ({
  name,
  cell: (of) => (
    <a
      class={name === 'Bid' ? 'buy' : 'sell'}
      href={ladderAddress(of.instrumentName)}
      aria-label={`${name} of ${of.instrumentName}: ${priceWord(of, price)}`}
    >
      {tickerFigure(tickerOf(of), price, (text) => atTick(of, text))}
    </a>
  ),
});

/** Without a price there is no size. */
const sizeColumn = (
  name: string,
  price: (ticker: Ticker) => string | null | undefined,
  size: (ticker: Ticker) => string | undefined,
): ChainColumn =>
  column(name, (ticker) => (typeof price(ticker) === 'string' ? size(ticker) : null), inLots);

const bid = ({ bestBidPrice }: Ticker): string | null | undefined => bestBidPrice;
const ask = ({ bestAskPrice }: Ticker): string | null | undefined => bestAskPrice;

const PRICES: readonly ChainColumn[] = [
  sizeColumn('Bid size', bid, ({ bestBidAmount }) => bestBidAmount),
  priceColumn('Bid', bid),
  priceColumn('Ask', ask),
  sizeColumn('Ask size', ask, ({ bestAskAmount }) => bestAskAmount),
];

function Chain() {
  if (options.value.value === undefined) return null;
  if (strikes.value.length === 0) {
    return <None shown={options.shown.value}>No options in trading.</None>;
  }
  return (
    <ChainGrid
      key={`${underlying.value} ${expiry.value}`}
      label="Chain, table"
      strikes={strikes.value}
      forward={forward.value}
      figures={FIGURES}
      prices={PRICES}
      only={shown.value}
    />
  );
}
