// The option chain: expiries as tabs, calls to the left of the strikes and puts to the right; where there is no room for both,
// one of them.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { areChannelsLive } from '../../link/channel-socket.ts';
import {
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
import { dateText } from '../../model/formatting.ts';
import type { Instrument, Ticker } from '../../model/instruments/option-chain.ts';
import { useReadings } from '../../model/operations/reading.ts';
import { type ChainColumn, ChainGrid } from '../instruments/chain-grid.tsx';
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
    <div class="screen">
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
        <fieldset class="tabs" aria-label="Expiry">
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
            </button>
          ))}
        </fieldset>
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
        <span class="count">
          {forward.value !== undefined && `forward ${forward.value}`}
          {!areChannelsLive.value && <span class="bad"> ▲ prices are not live</span>}
        </span>
      </div>
      <PanelFreshness shown={options.shown.value} />
      <Chain />
    </div>
  );
}

const tickerOf = (of: Instrument): Ticker | undefined => chainTickers.value.get(of.instrumentName);

const ladderLink = (
  { instrumentName: name }: Instrument,
  what: 'Bid' | 'Ask',
  price: string | null | undefined,
) => (
  <a href={ladderAddress(name)} aria-label={`${what} of ${name}: ${price ?? 'none'}`}>
    {price ?? '–'}
  </a>
);

const FIGURES: readonly ChainColumn[] = [
  { name: 'Own', cell: (of) => sizeOf(of.instrumentName) },
  { name: 'Open interest', cell: (of) => tickerOf(of)?.openInterest },
  { name: 'Delta', cell: (of) => tickerOf(of)?.greeks?.delta },
  { name: 'IV', cell: (of) => tickerOf(of)?.markIv },
];

const PRICES: readonly ChainColumn[] = [
  { name: 'Bid', cell: (of) => ladderLink(of, 'Bid', tickerOf(of)?.bestBidPrice) },
  { name: 'Ask', cell: (of) => ladderLink(of, 'Ask', tickerOf(of)?.bestAskPrice) },
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
