// Everything the paper exchange lists, with its ticks, lots, minimums and fee rates out of the table of contract rules.
import { price, quantity } from '../../../values/amounts.ts';
import { currency } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument, OptionType, SingleKind } from '../../../values/instrument.ts';
import {
  type ContractGrid,
  GRIDS,
  OPTION_TICK_STEPS,
  TRADE_FEES,
} from '../../model/instruments/contract-rules.ts';
import type { Coin } from '../coins.ts';
import { type NamedInstrument, nameOf } from './instrument-naming.ts';

const USD = currency('USD');
const USDC = currency('USDC');

const onGrid = ([tick, contract, lot, minimum]: ContractGrid) => ({
  tickSize: price(tick),
  tickSteps: [],
  contractSize: quantity(contract),
  amountStep: quantity(lot),
  minAmount: quantity(minimum),
});

const feesOf = <K extends SingleKind>(kind: K) => ({
  kind,
  makerFee: TRADE_FEES[kind].maker,
  takerFee: TRADE_FEES[kind].taker,
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
  ...onGrid(GRIDS.inversePerpetual[coin]),
  name: nameOf({ kind: 'perpetual', base: coin, quote: undefined }),
  ...feesOf('perpetual'),
  quote: USD,
  amountUnit: 'usd',
});

const linearPerpetual = (coin: Coin): Instrument => ({
  ...linearIn(coin),
  ...onGrid(GRIDS.linearPerpetual[coin]),
  name: nameOf({ kind: 'perpetual', base: coin, quote: 'USDC' }),
  ...feesOf('perpetual'),
});

const datedFuture = (coin: Coin, expiresAt: Instant): Instrument => ({
  ...inverseIn(coin),
  ...onGrid(GRIDS.datedFuture[coin]),
  name: nameOf({ kind: 'future', base: coin, expiresAt }),
  ...feesOf('future'),
  quote: USD,
  amountUnit: 'usd',
  expiresAt,
});

const spotPair = (coin: Coin, isRouted: boolean): Instrument => ({
  ...linearIn(coin),
  ...onGrid(GRIDS.spot[coin]),
  name: nameOf({ kind: 'spot', base: coin, quote: 'USDC' }),
  ...feesOf('spot'),
  ...(isRouted && { isRouted }),
});

interface OptionListing {
  readonly expiresAt: Instant;
  readonly strike: number;
  readonly type: OptionType;
}

const inverseOption = (coin: Coin, { expiresAt, strike, type }: OptionListing): Instrument => ({
  ...inverseIn(coin),
  ...onGrid(GRIDS.inverseOption[coin]),
  tickSteps: OPTION_TICK_STEPS,
  name: nameOf({ kind: 'option', base: coin, expiresAt, strike, type }),
  ...feesOf('option'),
  quote: currency(coin),
  amountUnit: 'base',
  expiresAt,
  option: { strike: price(String(strike)), type },
});

/** The properties of a listed instrument; its currencies are among the listed ones. */
export type CoinInstrument = NamedInstrument & {
  readonly base: Coin;
  readonly quote?: 'USDC' | undefined;
};

export function instrumentOf(named: CoinInstrument, routedSpot = false): Instrument {
  switch (named.kind) {
    case 'perpetual':
      return named.quote === undefined ? inversePerpetual(named.base) : linearPerpetual(named.base);
    case 'spot':
      return spotPair(named.base, routedSpot);
    case 'future':
      return datedFuture(named.base, named.expiresAt);
    case 'option':
      return inverseOption(named.base, named);
  }
}
