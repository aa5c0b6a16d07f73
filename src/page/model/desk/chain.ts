// The option chain of a currency: one row for each strike of the expiry that is shown, with the latest ticker of its call and
// its put.
import { computed, signal } from '@preact/signals';
import type { MethodResults } from '../../../gateway/client/client.ts';
import { followChannel } from '../../link/channel-socket.ts';
import { callMethod } from '../../link/page-session.ts';
import { reading } from '../operations/reading.ts';
import { painted } from './paint.ts';

export type Listed = MethodResults['public/get_instruments'][number];
export type TickerRecord = MethodResults['public/ticker'];

export interface ChainSide {
  readonly instrument: Listed;
  readonly ticker: TickerRecord | undefined;
}

export interface ChainRow {
  readonly strike: string;
  readonly call: ChainSide | undefined;
  readonly put: ChainSide | undefined;
}

export const CHAIN_CURRENCIES = ['BTC', 'ETH', 'USDC'] as const;

export const currency = signal<(typeof CHAIN_CURRENCIES)[number]>('BTC');
/** Unix milliseconds; `undefined`: the nearest. */
export const chosenExpiry = signal<number | undefined>(undefined);

export const options = reading(() =>
  callMethod('public/get_instruments', { currency: currency.value, kind: 'option' }),
);

/** Of the options in trading, the nearest first. */
export const expiries = computed((): readonly number[] => {
  const known = (options.value.value ?? []).map(({ expiration }) => expiration);
  return [...new Set(known.filter((one) => one !== null))].sort((a, b) => a - b);
});

export const expiry = computed(() => {
  const chosen = chosenExpiry.value;
  return chosen !== undefined && expiries.value.includes(chosen) ? chosen : expiries.value[0];
});

const ofExpiry = computed(() =>
  (options.value.value ?? []).filter(({ expiration }) => expiration === expiry.value),
);

const tickers = new Map<string, TickerRecord>();
const latest = painted(() => new Map(tickers));

export const chainRows = computed((): readonly ChainRow[] =>
  chainOf(ofExpiry.value, latest.shown.value),
);

/** By strike, the lowest first. */
export function chainOf(
  instruments: readonly Listed[],
  known: ReadonlyMap<string, TickerRecord>,
): readonly ChainRow[] {
  const strikes = Map.groupBy(instruments, ({ strike }) => strike ?? '');
  const side = (found: readonly Listed[], kind: Listed['optionKind']): ChainSide | undefined => {
    const instrument = found.find(({ optionKind }) => optionKind === kind);
    return instrument && { instrument, ticker: known.get(instrument.instrumentName) };
  };
  return [...strikes]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([strike, found]) => ({ strike, call: side(found, 'CALL'), put: side(found, 'PUT') }));
}

/** The forward of the expiry, by any of its tickers. */
export const forward = computed(
  () =>
    chainRows.value
      .flatMap(({ call, put }) => [call?.ticker, put?.ticker])
      .find((ticker) => ticker?.underlyingPrice !== undefined)?.underlyingPrice,
);

/** Names of the instruments of the expiry that is shown, as one text: a change of it is a change of channels. */
export const followedNames = computed(() =>
  ofExpiry.value.map(({ instrumentName }) => instrumentName).join(' '),
);

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
            tickers.set(name, data as TickerRecord);
            latest.mark();
          },
        },
      ),
    );
  return () => {
    for (const leave of leaves) leave();
  };
}
