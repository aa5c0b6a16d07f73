// Instruments found by the words of their names, or by their place in the chain: underlying, expiry, strike.
import type { MethodResults } from '../../../gateway/client/client.ts';

export type Instrument = MethodResults['public/get_instruments'][number];
export type Ticker = MethodResults['public/ticker'];

/** As the submit body names the kinds. */
export type InstrumentType =
  | ('OPTION' | 'PERPETUAL' | 'DELIVERY_FUTURES')
  | ('SPOT' | 'FUTURE_COMBO' | 'OPTION_COMBO');

export interface Strike {
  readonly strike: string;
  readonly call?: Instrument | undefined;
  readonly put?: Instrument | undefined;
}

const TYPES = {
  option: 'OPTION',
  spot: 'SPOT',
  future_combo: 'FUTURE_COMBO',
  option_combo: 'OPTION_COMBO',
} as const;

export function typeOf({ kind, settlementPeriod }: Instrument): InstrumentType {
  if (kind !== 'future') return TYPES[kind];
  return settlementPeriod === 'perpetual' ? 'PERPETUAL' : 'DELIVERY_FUTURES';
}

/** Those whose names contain every word of `text`, the shortest names first. */
export function foundByName(all: readonly Instrument[], text: string): readonly Instrument[] {
  const words = text.toUpperCase().split(/\s+/).filter(Boolean);
  return all
    .filter(({ instrumentName }) => words.every((word) => instrumentName.includes(word)))
    .sort(
      (a, b) =>
        a.instrumentName.length - b.instrumentName.length ||
        (a.instrumentName < b.instrumentName ? -1 : 1),
    );
}

const ofOption = (one: Instrument): boolean => one.kind === 'option';

/** What options are on, by the name before the expiry: BTC, BTC_USDC, ETH, … */
export const underlyingOf = ({ instrumentName }: Instrument): string =>
  instrumentName.split('-')[0] ?? '';

export const optionUnderlyings = (all: readonly Instrument[]): readonly string[] =>
  [...new Set(all.filter(ofOption).map(underlyingOf))].sort();

/** Unix milliseconds, the nearest first. */
export const optionExpiries = (
  all: readonly Instrument[],
  underlying: string,
): readonly number[] => {
  const own = all.filter((one) => ofOption(one) && underlyingOf(one) === underlying);
  return [...new Set(own.flatMap(({ expiration }) => expiration ?? []))].sort((a, b) => a - b);
};

/** The strike nearest to the forward; `undefined` while there is none. */
export function atMoney(
  strikes: readonly Strike[],
  forward: string | undefined,
): string | undefined {
  if (forward === undefined) return undefined;
  const distance = ({ strike }: Strike): number => Math.abs(Number(strike) - Number(forward));
  const [first, ...others] = strikes;
  return first && others.reduce((a, b) => (distance(b) < distance(a) ? b : a), first).strike;
}

/** Whether an option would pay out at the forward; `undefined` while that is not known. */
export function isInMoney(
  { optionKind, strike = '' }: Instrument,
  forward: string | undefined,
): boolean | undefined {
  if (forward === undefined) return undefined;
  const above = Number(forward) - Number(strike);
  return optionKind === 'CALL' ? above > 0 : above < 0;
}

/** The forward of an expiry, by any ticker of its options. */
export function forwardOf(
  strikes: readonly Strike[],
  known: ReadonlyMap<string, Ticker>,
): string | undefined {
  const options = strikes.flatMap(({ call, put }) => [call, put]);
  const forwards = options.map((one) => one && known.get(one.instrumentName)?.underlyingPrice);
  return forwards.find((one) => one !== undefined);
}

/** The strikes of one expiry, the lowest first. */
export function strikesOf(
  all: readonly Instrument[],
  underlying: string,
  expiry: number | undefined,
): readonly Strike[] {
  const strikes = new Map<string, Strike>();
  for (const one of all) {
    if (!ofOption(one) || underlyingOf(one) !== underlying || one.expiration !== expiry) continue;
    const strike = one.strike ?? '';
    const side = one.optionKind === 'CALL' ? { call: one } : { put: one };
    strikes.set(strike, { ...strikes.get(strike), strike, ...side });
  }
  return [...strikes.values()].sort((a, b) => Number(a.strike) - Number(b.strike));
}
