// A portfolio as the form that would submit it: the rules of a submit judge an amended portfolio by it. Start, note and
// accounts are not part of its terms.
import type { Instrument } from '../../../values/instrument.ts';
import type { ExecutionForm } from '../../terms/execution.ts';
import type { BalanceForm, LegForm, PortfolioForm, PricingForm } from '../../terms/form.ts';
import type { BalanceSpec, LegPricing, LegSpec, PortfolioSpec } from '../../terms/spec.ts';
import { PART_OPTIONS } from './admit-balance.ts';

export function formOfSpec(
  spec: PortfolioSpec,
  instrumentOf: (leg: number) => Instrument,
): PortfolioForm {
  const { accountId, portfolioType, strategy, durationMs, frequencyMs, balance } = spec;
  return {
    accountId,
    portfolioType,
    strategy,
    customizedNote: '',
    dummyAccounts: [],
    ...(balance === undefined
      ? { twapTrade: { durationSec: durationMs / 1_000, frequencySec: frequencyMs / 1_000 } }
      : { balanceTrade: balanceFormOf(balance, spec) }),
    legs: spec.legs.map((leg, index) => legFormOf(leg, instrumentOf(index))),
    execution: executionFormOf(spec),
  };
}

const balanceFormOf = (
  { parts, eachLimitMs, totalLimitMs }: BalanceSpec,
  { execution: { endAction } }: PortfolioSpec,
): BalanceForm => ({
  parts,
  eachLimitMs,
  totalLimitMs,
  totalEndAction: endAction === 'market' ? 'fill_by_market' : 'cancel_remaining',
});

function executionFormOf({ execution, balance }: PortfolioSpec): ExecutionForm {
  const { quiet, randomise, ...same } = execution;
  if (balance === undefined) {
    const { size: randomSize, time: randomTime, seed } = randomise ?? {};
    return { ...same, randomSize, randomTime, seed, avoidWindows: quiet !== undefined };
  }
  const own = Object.entries(same).filter(([name]) => PART_OPTIONS.has(name));
  return { ...(Object.fromEntries(own) as ExecutionForm), partTimeout: balance.partTimeout };
}

const TIMES_IN_FORCE = {
  good_til_cancelled: 'gtc',
  immediate_or_cancel: 'ioc',
  fill_or_kill: 'fok',
  good_til_day: 'gtd',
} as const;

export function legFormOf(spec: LegSpec, instrument: Instrument): LegForm {
  const { kind, timeInForce, pricing, ...same } = spec;
  return {
    ...same,
    instrumentType: kind,
    timeInForce: timeInForce && TIMES_IN_FORCE[timeInForce],
    priceOptions: pricingFormOf(pricing, instrument),
  };
}

function pricingFormOf(pricing: LegPricing, { quote }: Instrument): PricingForm {
  const { worst } = pricing;
  if (pricing.type === 'market') return { priceType: 'market', worst };
  const priceIn = { currency: quote, usd: 'USD', iv: 'IV' }[pricing.unit];
  const { type: priceType, price: shown } = pricing;
  if (pricing.type === 'limit') return { priceType, price: shown, priceIn, worst };
  return {
    priceType,
    price: shown,
    priceIn,
    worst,
    dynamicPriceStrategy: pricing.reference,
    dynamicPriceOffset: pricing.offset,
    dynamicMs: pricing.everyMs,
  };
}
