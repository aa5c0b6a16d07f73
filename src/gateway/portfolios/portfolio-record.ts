// Converts the engine's view of a portfolio to the record clients see: field names of the interface, status
// numbers, 64-bit values as text.

import type {
  BalanceSummary,
  LegSummary,
  PortfolioSummary,
} from '../../core/portfolio/summary/portfolio-summary.ts';
import { type Money, money, plus, text, ZERO_MONEY } from '../../values/amounts.ts';
import type { InstrumentKind } from '../../values/instrument.ts';
import type { LegRecord, PortfolioRecord } from './record-schema.ts';
import { residualRfqView } from './residual-rfq-view.ts';
import { statusNumber } from './status-number.ts';

/** Names of an account. */
export interface AccountNames {
  readonly name: string;
  /** Empty for an account that is not configured. */
  readonly exchange: string;
  /** It only mirrors others. */
  readonly isDummy?: boolean;
}

export interface AccountDirectory {
  describe(account: string): AccountNames;
}

const INSTRUMENT_TYPE_NAMES = {
  option: 'OPTION',
  perpetual: 'PERPETUAL',
  future: 'DELIVERY_FUTURES',
  spot: 'SPOT',
  future_combo: 'FUTURE_COMBO',
  option_combo: 'OPTION_COMBO',
} as const satisfies Record<InstrumentKind, string>;

const SECOND_MS = 1_000;

export function portfolioRecord(
  summary: PortfolioSummary,
  accounts: AccountDirectory,
): PortfolioRecord {
  const { name, exchange } = accounts.describe(summary.account);
  return {
    uid: summary.uid,
    nickname: summary.nickname,
    accountId: summary.account,
    accountName: name,
    exchange,
    portfolioId: summary.portfolio,
    submitTimestamp: String(summary.submittedAt),
    updateTimestamp: String(summary.updatedAt),
    portfolioStatus: statusNumber(summary.status),
    portfolioType: summary.portfolioType,
    ...(summary.balance === undefined
      ? { twapTrade: schedule(summary) }
      : { balanceTrade: balanceTrade(summary, summary.balance) }),
    ...(summary.strategy === undefined ? {} : { strategy: summary.strategy }),
    customizedNote: summary.note,
    lastEditedUid: summary.lastEditedUid,
    ...(summary.reason === undefined ? {} : { reason: summary.reason }),
    ...(summary.paused === undefined
      ? {}
      : { paused: { byUid: summary.paused.by, timestamp: String(summary.paused.at) } }),
    ...(summary.mirrorOf === undefined ? {} : { mirrorOf: summary.mirrorOf }),
    ...(summary.scale === undefined ? {} : { scale: summary.scale }),
    ...(summary.mirrored === undefined
      ? {}
      : { mirrors: summary.mirrored.map((mirror) => mirrorView(mirror, accounts)) }),
    mirrorPortfolioIds: [...summary.mirrors],
    ...(summary.rfq === undefined ? {} : { endRfq: residualRfqView(summary.rfq) }),
    legs: summary.legs.map((leg, index) => legRecord(summary.portfolio, leg, index)),
  };
}

function schedule(summary: PortfolioSummary): NonNullable<PortfolioRecord['twapTrade']> {
  return {
    startTimestamp: String(summary.startAt),
    endTimestamp: String(summary.endAt),
    durationSec: String(Math.ceil(summary.durationMs / SECOND_MS)),
    frequencySec: String(summary.frequencyMs / SECOND_MS),
    totalMs: String(summary.updatedAt - summary.submittedAt),
    endAction: summary.endAction,
    fees: totalFees(summary.legs),
  };
}

function balanceTrade(
  summary: PortfolioSummary,
  balance: BalanceSummary,
): NonNullable<PortfolioRecord['balanceTrade']> {
  const { parts, totalEndAction, partsDone, stage, partTimeout } = balance;
  return {
    parts,
    eachLimitMs: String(balance.eachLimitMs),
    totalLimitMs: String(balance.totalLimitMs),
    totalEndAction,
    totalMs: String(summary.updatedAt - summary.submittedAt),
    fees: totalFees(summary.legs),
    partsDone,
    ...(stage === undefined ? {} : { stage }),
    partTimeout,
  };
}

function legRecord(portfolio: string, leg: LegSummary, index: number): LegRecord {
  const pvCcy = leg.currencies.defaultPvCcy;
  return {
    legId: legId(portfolio, index),
    side: leg.side === 'buy' ? 1 : 2,
    instrument: leg.instrument,
    instrumentType: INSTRUMENT_TYPE_NAMES[leg.kind],
    legStatus: statusNumber(leg.status),
    placeQuantity: leg.quantity,
    quantityIn: leg.quantityIn,
    filledAvgPrice: leg.averagePrice,
    filledQuantity: leg.filled,
    remainingQuantity: leg.remaining,
    fee: leg.fees.find((fee) => fee.currency === pvCcy)?.amount ?? '0',
    ...leg.currencies,
    hedge: leg.hedge,
    fees: leg.fees.map(({ amount, currency }) => ({ fee: amount, currency })),
    outstandingQuantity: leg.outstanding,
    scheduledQuantity: leg.scheduled,
    slicesPlanned: leg.slices.planned,
    slicesPlaced: leg.slices.placed,
    slicesMissed: leg.slices.missed,
    nextSlice: leg.slices.next,
    reprices: leg.reprices,
    ...(leg.waiting === undefined ? {} : { waiting: leg.waiting }),
    ...(leg.refusal && { refusal: refusalView(leg.refusal) }),
    ...(leg.priority && { priority: true }),
    ...(leg.unhedged !== undefined && { unhedgedQuantity: leg.unhedged }),
    ...(leg.imbalance && {
      aheadQuantity: leg.imbalance.ahead,
      aheadBound: leg.imbalance.bound,
    }),
  };
}

const refusalView = ({ code, message, at }: NonNullable<LegSummary['refusal']>) => ({
  code,
  message,
  timestamp: String(at),
});

/** Digits only and below 2^63, for clients that store it in a long. */
const legId = (portfolio: string, index: number): string =>
  `${portfolio}${String(index + 1).padStart(2, '0')}`;

function totalFees(legs: readonly LegSummary[]): { fee: string; defaultPvCcy: string }[] {
  const totals = new Map<string, Money>();
  for (const { currency, amount } of legs.flatMap((leg) => leg.fees)) {
    totals.set(currency, plus(totals.get(currency) ?? ZERO_MONEY, money(amount)));
  }
  return [...totals].map(([currency, total]) => ({ fee: text(total), defaultPvCcy: currency }));
}

/** A mirror, as shown in the record of the portfolio it mirrors. */
interface Names {
  describe(account: string): { readonly name: string };
}

type MirrorRecord = NonNullable<PortfolioRecord['mirrors']>[number];

const mirrorView = (mirror: PortfolioSummary, accounts: Names): MirrorRecord => ({
  portfolioId: mirror.portfolio,
  accountId: mirror.account,
  accountName: accounts.describe(mirror.account).name,
  scale: mirror.scale ?? '1',
  portfolioStatus: statusNumber(mirror.status),
  ...(mirror.reason === undefined ? {} : { reason: mirror.reason }),
  legs: mirror.legs.map(({ quantity, filled, averagePrice, remaining }) => ({
    placeQuantity: quantity,
    filledQuantity: filled,
    filledAvgPrice: averagePrice,
    remainingQuantity: remaining,
  })),
});
