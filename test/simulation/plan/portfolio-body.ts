// Converts a form to the body of a submit: the core's names become those of the interface.
import type { ExecutionForm } from '../../../src/core/terms/execution.ts';
import type {
  BalanceForm,
  LegForm,
  PortfolioForm,
  PricingForm,
} from '../../../src/core/terms/form.ts';
import { text } from '../../../src/values/amounts.ts';

export const portfolioBody = (form: PortfolioForm): object => ({
  accountId: form.accountId,
  portfolioType: form.portfolioType,
  customizedNote: form.customizedNote,
  strategy: form.strategy,
  twapTrade: form.twapTrade,
  balanceTrade: form.balanceTrade && balanceBody(form.balanceTrade),
  legs: form.legs.map(legBody),
  sendToDummyAccountIds: form.dummyAccounts,
  dummyAccountScales: form.mirrorScales?.map(({ account, scale }) => ({
    accountId: account,
    scale: text(scale),
  })),
  execution: executionBody(form.execution),
});

const balanceBody = ({ totalEndAction, ...same }: BalanceForm): object => ({
  ...same,
  totalEndAction: totalEndAction === 'cancel_remaining' ? 1 : 2,
});

const KINDS = {
  option: 'OPTION',
  perpetual: 'PERPETUAL',
  future: 'DELIVERY_FUTURES',
  spot: 'SPOT',
  future_combo: 'FUTURE_COMBO',
  option_combo: 'OPTION_COMBO',
} as const;
const TIMES = { gtc: 1, ioc: 2, fok: 3, gtd: 4 } as const;

const legBody = (leg: LegForm): object => ({
  instrument: leg.instrument,
  instrumentType: KINDS[leg.instrumentType],
  side: leg.side === 'buy' ? 1 : 2,
  quantity: text(leg.quantity),
  priceOptions: pricingBody(leg.priceOptions),
  timeInForce: leg.timeInForce && TIMES[leg.timeInForce],
  postOnly: leg.postOnly,
  reduceOnly: leg.reduceOnly,
  hidden: leg.hidden,
  hedge: leg.hedge,
  priority: leg.priority,
});

const pricingBody = (pricing: PricingForm): object => ({
  priceType: pricing.priceType.toUpperCase(),
  price: pricing.price && text(pricing.price),
  priceIn: pricing.priceIn,
  dynamicPriceStrategy: pricing.dynamicPriceStrategy?.toUpperCase(),
  dynamicPriceOffset: pricing.dynamicPriceOffset && text(pricing.dynamicPriceOffset),
  dynamicMs: pricing.dynamicMs,
  worst: pricing.worst && text(pricing.worst),
});

function executionBody({ would, extendMs, rfq, downtime, ...same }: ExecutionForm): object {
  return {
    ...same,
    collar: same.collar && text(same.collar),
    downtime: downtime === 'catch_up' ? 'catchUp' : downtime,
    wouldPrices: would?.map(({ leg, price, share }) => ({ leg, price: text(price), share })),
    extendSec: extendMs === undefined ? undefined : extendMs / 1_000,
    rfq: rfq && rfqBody(rfq),
  };
}

const rfqBody = (rfq: NonNullable<ExecutionForm['rfq']>): object => ({
  limitBps: rfq.limitBps,
  reference: rfq.reference,
  limitPrice: rfq.limitPrice && text(rfq.limitPrice),
  collectSec: rfq.collectMs === undefined ? undefined : rfq.collectMs / 1_000,
  waitSec: rfq.waitMs === undefined ? undefined : rfq.waitMs / 1_000,
  allOrNone: rfq.wholeOnly,
  makers: rfq.makers,
  disclosed: rfq.disclosed,
  fallback: rfq.fallback,
});
