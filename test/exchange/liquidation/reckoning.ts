// Margins of an account reckoned again, in floats, from its cash, its positions and the marks alone: the judge of liquidations.
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import type { Instrument } from '../../../src/values/instrument.ts';

/** Per instrument: its mark price and the price of the underlying. */
export type Marks = ReadonlyMap<string, { readonly mark: number; readonly underlying: number }>;

interface Held {
  readonly instrument: Instrument;
  /** Signed, in the amount unit. */
  readonly size: number;
  readonly basis: number;
}

/** Growth of both margins per coin of a perpetual or future. */
const GROWTH: Readonly<Record<string, number>> = { BTC: 0.00005, ETH: 0.000004 };

export function reckoned(
  exchange: Exchange,
  { account, currency }: { readonly account: AccountId; readonly currency: string },
  marks: Marks,
): { readonly shortfall: number; readonly sizes: ReadonlyMap<string, number> } {
  const cash = exchange.balances(account).find((one) => one.currency === currency);
  const held = exchange.positions(account).flatMap((one): Held[] => {
    const instrument = exchange.instrument(one.instrument);
    const size = toNumber(one.quantity);
    if (instrument?.settlement !== currency || size === 0) return [];
    return [{ instrument, size, basis: toNumber(one.basis ?? one.cost) }];
  });
  let shortfall = cash === undefined ? 0 : -toNumber(cash.amount);
  for (const one of held) shortfall += neededFor(one, marks);
  return { shortfall, sizes: new Map(held.map((one) => [one.instrument.name, one.size])) };
}

/** Maintenance margin less open profit. */
function neededFor({ instrument, size, basis }: Held, marks: Marks): number {
  const { mark, underlying } = marks.get(instrument.name) ?? { mark: 0, underlying: 0 };
  const held = Math.abs(size);
  if (instrument.kind === 'option') {
    if (size > 0) return 0;
    const worth = instrument.marginKind === 'inverse' ? 1 : underlying;
    const least =
      instrument.option?.type === 'put' ? Math.max(0.075 * worth, 0.075 * mark) : 0.075 * worth;
    return held * (least + mark);
  }
  const isInverse = instrument.amountUnit === 'usd';
  const coins = isInverse ? held / mark : held;
  const value = isInverse ? coins : held * mark;
  const gain = (isInverse ? basis - value : value - basis) * Math.sign(size);
  return value * (0.01 + (GROWTH[instrument.base] ?? 0) * coins) - gain;
}

/** The commission of a fill that liquidates. */
export function reckonedFee(
  instrument: Instrument,
  fill: { readonly price: number; readonly size: number; readonly underlying: number },
): number {
  const { price, size, underlying } = fill;
  if (instrument.kind === 'option') {
    return 0.0019 * size * (instrument.marginKind === 'inverse' ? 1 : underlying);
  }
  return 0.0075 * (instrument.amountUnit === 'usd' ? size / price : size * price);
}
