// What fills cost and earn, computed from the venue's definitions: an inverse perpetual is worth its USD over the price, in coin,
// and a taker pays 0.05 % of that; a maker of futures and both sides of spot pay nothing.

export interface HandFill {
  readonly price: number;
  /** USD of an inverse perpetual, coins of anything else. */
  readonly amount: number;
}

const TAKER_RATE = 0.0005;
const OPTION_RATE = 0.0003;
const OPTION_CAP = 0.125;

export const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Coins have 8 decimals, half up. */
const coin = (value: number): number => Math.round(value * 1e8) / 1e8;

/** Dollar currencies have 6. */
const dollar = (value: number): number => Math.round(value * 1e6) / 1e6;

export const coinsOf = (fills: readonly HandFill[]): number =>
  sum(fills.map(({ price, amount }) => amount / price));

export const dollarsOf = (fills: readonly HandFill[]): number =>
  sum(fills.map(({ price, amount }) => amount * price));

export const amountOf = (fills: readonly HandFill[]): number =>
  sum(fills.map(({ amount }) => amount));

/** Each fill is charged, and rounded, by itself. */
export const inverseFees = (fills: readonly HandFill[]): number =>
  sum(fills.map(({ price, amount }) => coin((amount / price) * TAKER_RATE)));

export const linearFees = (fills: readonly HandFill[]): number =>
  sum(fills.map(({ price, amount }) => dollar(amount * price * TAKER_RATE)));

/** Of inverse options, in coin. */
export const optionFees = (fills: readonly HandFill[]): number =>
  sum(
    fills.map(({ price, amount }) =>
      coin(Math.min(amount * OPTION_RATE, amount * price * OPTION_CAP)),
    ),
  );

/** The price at which the same USD are worth the same coins. */
export const inverseAverage = (fills: readonly HandFill[]): number =>
  amountOf(fills) / coinsOf(fills);
