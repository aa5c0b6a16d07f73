// The option chain that the desk shows: an underlying and an expiry of it, with the latest ticker of every option.
import { computed, signal } from '@preact/signals';
import { areChannelsLive, channelsLostMs, followChannel } from '../../link/channel-socket.ts';
import { callMethod } from '../../link/page-session.ts';
import {
  forwardOf,
  optionExpiries,
  optionUnderlyings,
  type Strike,
  strikesOf,
  type Ticker,
} from '../instruments/option-chain.ts';
import { reading } from '../operations/reading.ts';
import { mapShown, type Shown, UNREAD } from '../panel-state.ts';
import { painted } from './painted.ts';

export const chosenUnderlying = signal('BTC');
/** Unix milliseconds; `undefined`: the nearest. */
export const chosenExpiry = signal<number | undefined>(undefined);

export const options = reading(() =>
  callMethod('public/get_instruments', { currency: 'any', kind: 'option' }),
);

const listed = computed(() => options.value.value ?? []);

export const underlyings = computed(() => optionUnderlyings(listed.value));

export const underlying = computed((): string => {
  const [first = ''] = underlyings.value;
  return underlyings.value.includes(chosenUnderlying.value) ? chosenUnderlying.value : first;
});

/** Of the options in trading, the nearest first. */
export const expiries = computed(() => optionExpiries(listed.value, underlying.value));

export const expiry = computed(() => {
  const chosen = chosenExpiry.value;
  return chosen !== undefined && expiries.value.includes(chosen) ? chosen : expiries.value[0];
});

export const strikes = computed(() => strikesOf(listed.value, underlying.value, expiry.value));

const namesOf = (of: readonly Strike[]): readonly string[] =>
  of.flatMap(({ call, put }) => [call, put]).flatMap((one) => one?.instrumentName ?? []);

const tickers = new Map<string, Ticker>();
const latest = painted(() => new Map(tickers));

/** The latest tickers, by name of the instrument. */
export const chainTickers = latest.shown;

/** The options that are shown, and their prices: as current as the older of the two. */
export const chainShown = computed((): Shown<readonly Strike[]> => {
  const listing = options.shown.value;
  const value = strikes.value;
  if (listing.kind === 'unread' || value.length === 0) return mapShown(listing, () => value);
  const isPriced = namesOf(value).some((name) => chainTickers.value.has(name));
  if (!isPriced) return UNREAD;
  if (areChannelsLive.value) return mapShown(listing, () => value);
  const lostMs = channelsLostMs.value;
  const sinceMs = listing.kind === 'stale' ? Math.min(listing.sinceMs, lostMs) : lostMs;
  return { kind: 'stale', value, sinceMs, fault: '' };
});

export const forward = computed(() => forwardOf(strikes.value, chainTickers.value));

/** Names of the instruments of the expiry that is shown, as one text: a change of it is a change of channels. */
export const followedNames = computed(() => namesOf(strikes.value).join(' '));

/** Follows their tickers until the returned function is called. */
export function followTickers(names: string): () => void {
  const leaves = names
    .split(' ')
    .filter((name) => name !== '')
    .map((name) =>
      followChannel(
        { channel: `ticker.${name}.agg2` },
        {
          hear: (data) => {
            tickers.set(name, data as Ticker);
            latest.mark();
          },
        },
      ),
    );
  return () => {
    for (const leave of leaves) leave();
  };
}
