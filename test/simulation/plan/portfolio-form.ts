// Builds the form that a client of a run submits, from its plan.
import type { ExecutionForm } from '../../../src/core/terms/execution.ts';
import type { BalanceForm, LegForm, PortfolioForm } from '../../../src/core/terms/form.ts';
import { type Price, price, ratio, steps } from '../../../src/values/amounts.ts';
import { INSTRUMENTS, mid } from '../world/simulated-market.ts';
import type { BalancePlan, ClientPlan, InstrumentPick, LegPlan } from './plan.ts';
import { ACCOUNTS, DUMMY, MMP_GROUP } from './simulated-accounts.ts';

export function formOf(plan: ClientPlan): PortfolioForm {
  const { balance, hasShadow, shadowScale } = plan;
  return {
    accountId: ACCOUNTS[plan.account] ?? DUMMY,
    portfolioType: balance === undefined ? 'TWAP' : 'BALANCE',
    customizedNote: '',
    twapTrade:
      balance === undefined
        ? { durationSec: plan.durationSec, frequencySec: plan.frequencySec }
        : undefined,
    balanceTrade: balance && balanceTradeOf(balance),
    legs: plan.legs.map((leg, index) => ({
      ...withWorst(leg, plan.endAction === 'rfq'),
      priority: balance?.leader === index,
    })),
    dummyAccounts: hasShadow ? [DUMMY] : [],
    mirrorScales:
      hasShadow && shadowScale !== undefined ? [{ account: DUMMY, scale: ratio(shadowScale) }] : [],
    execution: {
      ...(balance === undefined ? executionOf(plan) : partExecutionOf(plan, balance)),
      ...(plan.isFlagged && { mmpGroup: MMP_GROUP }),
    },
  };
}

const balanceTradeOf = (balance: BalancePlan): BalanceForm => ({
  parts: balance.parts,
  eachLimitMs: balance.eachLimitMs,
  totalLimitMs: balance.totalLimitMs,
  totalEndAction: balance.fillsByMarket ? 'fill_by_market' : 'cancel_remaining',
});

const partExecutionOf = (
  { options: { bandBps } }: ClientPlan,
  { isChased }: BalancePlan,
): ExecutionForm => ({ bandBps, partTimeout: isChased ? 'chase' : 'keep' });

function executionOf(plan: ClientPlan): ExecutionForm {
  const { wouldTicks, ...options } = plan.options;
  const { phase, maxCatchUp, endAction } = plan;
  const [first] = plan.legs;
  if (wouldTicks === undefined || first === undefined || first.hedge) {
    return { phase, maxCatchUp, endAction, ...options };
  }
  const would = [{ leg: 0, price: priceAt(first.instrument, wouldTicks), share: 0.5 }];
  return { phase, maxCatchUp, endAction, ...options, would };
}

/** A price of the instrument, so many steps from where its market begins. */
export function priceAt(instrument: InstrumentPick, ticks: number): Price {
  const each = instrument === 'option' ? 5 : 1;
  return steps(INSTRUMENTS[instrument].tickSize, mid(instrument) + ticks * each);
}

interface Unit {
  readonly asked: Price;
  readonly priceIn: string;
  readonly offset: Price;
}

/** Near what the option is marked at when a run begins. */
const UNITS = {
  usd: { asked: 5_050, each: 20, priceIn: 'USD' },
  iv: { asked: 0.365, each: 0.002, priceIn: 'IV' },
} as const;

function unitOf({ unit, offsetTicks }: LegPlan): Unit | undefined {
  if (unit === undefined) return undefined;
  const { asked, each, priceIn } = UNITS[unit];
  const away = offsetTicks * each;
  return {
    asked: price((asked + away).toFixed(3)),
    priceIn,
    offset: price(away.toFixed(3)),
  };
}

/** A Block RFQ has a limit of its own instead. */
function withWorst(plan: LegPlan, endsAsRfq: boolean): LegForm {
  const leg = legOf(plan);
  const { instrument, side, worstTicks } = plan;
  if (worstTicks === undefined || endsAsRfq) return leg;
  const worst = priceAt(instrument, side === 'buy' ? worstTicks : -worstTicks);
  return { ...leg, priceOptions: { ...leg.priceOptions, worst } };
}

function legOf(plan: LegPlan): LegForm {
  const instrument = INSTRUMENTS[plan.instrument];
  const tick = instrument.tickSize;
  const at = priceAt(plan.instrument, plan.offsetTicks);
  const currencyOf = instrument.kind === 'option' ? 'BTC' : instrument.quote;
  const { asked, priceIn, offset } = unitOf(plan) ?? {
    asked: at,
    priceIn: currencyOf,
    offset: steps(tick, plan.offsetTicks),
  };
  const least = Math.round(instrument.minAmount.div(instrument.amountStep).toNumber());
  return {
    instrument: instrument.name,
    instrumentType: instrument.kind,
    side: plan.side,
    quantity: steps(instrument.amountStep, Math.max(least, plan.lots)),
    priceOptions:
      plan.pricing === 'market'
        ? { priceType: 'market' }
        : plan.pricing === 'limit'
          ? { priceType: 'limit', price: asked, priceIn }
          : {
              priceType: 'dynamic',
              price: asked,
              priceIn,
              dynamicPriceStrategy: plan.reference,
              dynamicPriceOffset: offset,
              dynamicMs: plan.everyMs,
            },
    priceSnapshot: [],
    timeInForce: plan.timeInForce,
    postOnly: plan.postOnly,
    reduceOnly: false,
    hidden: false,
    hedge: plan.hedge,
  };
}
