// What Deribit's inverse perpetuals did in 2026, as figures: quartiles and means of days that no parameter was fitted to. There is
// no recording of them at hand, so they are compared with the paper market only.
import type { Statistics } from './statistics.ts';

const quartiles = (name: string, values: readonly [number, number, number]): [string, number][] =>
  [25, 50, 75].map((share, at) => [`${name} ${share} %`, values[at] ?? Number.NaN]);

export const DERIBIT_FIGURES: Readonly<Record<'BTC-PERPETUAL' | 'ETH-PERPETUAL', Statistics>> = {
  'BTC-PERPETUAL': new Map([
    ...quartiles('turnover of a minute, USD,', [27_000, 93_000, 241_000]),
    ...quartiles("range of a minute's trades, basis points,", [2.2, 3.8, 7.1]),
    ...quartiles('touch size, USD,', [17_000, 81_000, 130_000]),
    ...quartiles('taker size, USD,', [300, 1_000, 5_900]),
    ['changes of bid and offer a minute', 307],
  ]),
  'ETH-PERPETUAL': new Map([
    ...quartiles('turnover of a minute, USD,', [2_200, 18_000, 56_000]),
    ...quartiles("range of a minute's trades, basis points,", [2, 5.1, 8.7]),
    ...quartiles('taker size, USD,', [180, 555, 1_480]),
    ['still seconds', 0.27],
    ['changes of bid and offer a minute', 488],
  ]),
};
