// Ticks, lots, minimums and fee rates of everything the paper exchange lists.
//
// Source: the venue's instrument tables and recorded metadata of 2026, fees as published before August 2026.
// Where the venue's current value is not known, ours is marked "chosen".
import { price, quantity, type Ratio, ratio } from '../../../values/amounts.ts';
import { currency } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument, OptionType } from '../../../values/instrument.ts';
import type { Coin } from '../coins.ts';
import { type NamedInstrument, nameOf } from './naming.ts';

const USD = currency('USD');
const USDC = currency('USDC');
const FREE: Ratio = ratio('0');
const FUTURES_TAKER: Ratio = ratio('0.0005');
const OPTION_FEE: Ratio = ratio('0.0003');

/** Tick, contract, lot and minimum, in this order. */
type Grid = readonly [tick: string, contract: string, lot: string, minimum: string];

const INVERSE_PERPETUAL: Readonly<Record<Coin, Grid>> = {
  BTC: ['0.5', '10', '10', '10'],
  ETH: ['0.05', '1', '1', '1'],
};
const DATED_FUTURE: Readonly<Record<Coin, Grid>> = {
  BTC: ['2.5', '10', '10', '10'],
  // Chosen: five perpetual ticks, as for BTC.
  ETH: ['0.25', '1', '1', '1'],
};
const LINEAR_PERPETUAL: Readonly<Record<Coin, Grid>> = {
  // Tick and minimum chosen: the tick recorded until 2025, the minimum of one contract.
  BTC: ['1', '0.0001', '0.0001', '0.0001'],
  ETH: ['0.05', '0.001', '0.001', '0.001'],
};
const SPOT: Readonly<Record<Coin, Grid>> = {
  // Chosen, except the contract of ETH_USDC.
  BTC: ['1', '0.0001', '0.0001', '0.0001'],
  ETH: ['0.1', '0.0001', '0.0001', '0.001'],
};
const OPTION: Readonly<Record<Coin, Grid>> = {
  BTC: ['0.0001', '1', '0.1', '0.1'],
  ETH: ['0.0001', '1', '1', '1'],
};
const OPTION_TICK_STEPS = [{ above: price('0.005'), tickSize: price('0.0005') }] as const;

const onGrid = ([tick, contract, lot, minimum]: Grid) => ({
  tickSize: price(tick),
  tickSteps: [],
  contractSize: quantity(contract),
  amountStep: quantity(lot),
  minAmount: quantity(minimum),
});

const inverseIn = (coin: Coin) => ({
  base: currency(coin),
  settlement: currency(coin),
  marginKind: 'inverse' as const,
  indexName: `${coin.toLowerCase()}_usd`,
});

const linearIn = (coin: Coin) => ({
  base: currency(coin),
  quote: USDC,
  settlement: USDC,
  marginKind: 'linear' as const,
  amountUnit: 'base' as const,
  indexName: `${coin.toLowerCase()}_usdc`,
});

const inversePerpetual = (coin: Coin): Instrument => ({
  ...inverseIn(coin),
  ...onGrid(INVERSE_PERPETUAL[coin]),
  name: nameOf({ kind: 'perpetual', base: coin, quote: undefined }),
  kind: 'perpetual',
  quote: USD,
  amountUnit: 'usd',
  makerFee: FREE,
  takerFee: FUTURES_TAKER,
});

const linearPerpetual = (coin: Coin): Instrument => ({
  ...linearIn(coin),
  ...onGrid(LINEAR_PERPETUAL[coin]),
  name: nameOf({ kind: 'perpetual', base: coin, quote: 'USDC' }),
  kind: 'perpetual',
  makerFee: FREE,
  takerFee: FUTURES_TAKER,
});

const datedFuture = (coin: Coin, expiresAt: Instant): Instrument => ({
  ...inverseIn(coin),
  ...onGrid(DATED_FUTURE[coin]),
  name: nameOf({ kind: 'future', base: coin, expiresAt }),
  kind: 'future',
  quote: USD,
  amountUnit: 'usd',
  expiresAt,
  makerFee: FREE,
  takerFee: FUTURES_TAKER,
});

const spotPair = (coin: Coin): Instrument => ({
  ...linearIn(coin),
  ...onGrid(SPOT[coin]),
  name: nameOf({ kind: 'spot', base: coin, quote: 'USDC' }),
  kind: 'spot',
  makerFee: FREE,
  takerFee: FREE,
});

interface OptionListing {
  readonly expiresAt: Instant;
  readonly strike: number;
  readonly type: OptionType;
}

const inverseOption = (coin: Coin, { expiresAt, strike, type }: OptionListing): Instrument => ({
  ...inverseIn(coin),
  ...onGrid(OPTION[coin]),
  tickSteps: OPTION_TICK_STEPS,
  name: nameOf({ kind: 'option', base: coin, expiresAt, strike, type }),
  kind: 'option',
  quote: currency(coin),
  amountUnit: 'base',
  expiresAt,
  option: { strike: price(String(strike)), type },
  makerFee: OPTION_FEE,
  takerFee: OPTION_FEE,
});

/** The properties of a listed instrument; its currencies are among the listed ones. */
export type CoinInstrument = NamedInstrument & {
  readonly base: Coin;
  readonly quote?: 'USDC' | undefined;
};

export function instrumentOf(named: CoinInstrument): Instrument {
  switch (named.kind) {
    case 'perpetual':
      return named.quote === undefined ? inversePerpetual(named.base) : linearPerpetual(named.base);
    case 'spot':
      return spotPair(named.base);
    case 'future':
      return datedFuture(named.base, named.expiresAt);
    case 'option':
      return inverseOption(named.base, named);
  }
}
