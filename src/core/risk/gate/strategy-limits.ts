// PT-12: limits on one portfolio of a strategy, regardless of its file.
import { isMore, type Money, plus, text, ZERO_MONEY } from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Quote } from '../../../values/quote.ts';
import type { PortfolioSpec } from '../../terms/spec.ts';
import type { StrategyLimits } from './control-limits.ts';
import type { GateFault } from './gate-order.ts';
import { knownUsd } from './seen-at-venue.ts';

export interface StrategyPortfolio {
  readonly spec: PortfolioSpec;
  readonly instruments: readonly Instrument[];
  readonly quote: (name: string) => Quote | undefined;
}

export function strategyFault(
  of: StrategyPortfolio,
  limits: StrategyLimits,
): GateFault | undefined {
  const { accountId, legs, durationMs, frequencyMs, balance } = of.spec;
  if (!limits.accounts.has('*') && !limits.accounts.has(accountId)) {
    const accepted = [...limits.accounts].join(', ');
    return {
      why: `strategies may not trade on account ${accountId}`,
      limit: accepted,
      input: accountId,
    };
  }
  const names = new Set(legs.map(({ instrument }) => instrument));
  if (names.size > limits.instrumentsMax)
    return over('instruments', limits.instrumentsMax, names.size);
  const perLeg = balance === undefined ? Math.ceil(durationMs / frequencyMs) : balance.parts;
  const slices = perLeg * legs.length;
  if (slices > limits.slicesMax) return over('slices', limits.slicesMax, slices);
  const usd = worth(of);
  if (!isMore(usd, limits.usdMax)) return undefined;
  const why = `is worth ${text(usd)} USD, more than ${text(limits.usdMax)}`;
  return { why, limit: text(limits.usdMax), input: text(usd) };
}

function worth({ spec, instruments, quote }: StrategyPortfolio): Money {
  let sum = ZERO_MONEY;
  for (const { instrument: name, quantity } of spec.legs) {
    const instrument = instruments.find((one) => one.name === name);
    if (instrument === undefined) continue;
    sum = plus(sum, knownUsd({ instrument, quantity, price: undefined }, quote(name)));
  }
  return sum;
}

const over = (what: string, max: number, count: number): GateFault => ({
  why: `has ${count} ${what}, more than ${max}`,
  limit: String(max),
  input: String(count),
});
