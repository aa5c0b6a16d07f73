// A report on costs whose every text is hostile.

import type { LegCosts, PortfolioReport } from '../../src/core/report/report-shapes.ts';
import { CostSummaries } from '../../src/core/report/summary/cost-summary.ts';
import type { CostSummary } from '../../src/core/report/summary/cost-summary-shapes.ts';

export function hostileReport(text: string): PortfolioReport {
  const amounts = {
    currency: text,
    total: text,
    delay: text,
    market: text,
    schedule: text,
    spread: text,
    unsplit: text,
    residual: text,
    fees: text,
    bps: 1,
    executionBps: 1,
    usd: 1,
    orderUsd: 1,
    rate: text,
    underlyingBps: 1,
  };
  const leg: LegCosts = {
    leg: 0,
    instrument: text,
    kind: text,
    side: 'buy',
    hedge: true,
    unit: text,
    tickSize: text,
    isInverse: true,
    asked: text,
    filled: text,
    residual: text,
    averagePrice: text,
    benchmarks: {
      decision: text,
      arrival: text,
      arrivalLateMs: 1,
      twap: text,
      twapCoverage: 1,
      activeTwap: text,
      vwap: text,
      final: text,
      holes: [{ from: text, to: text }],
    },
    slippage: { decisionBps: 1, arrivalBps: 1, twapBps: 1, vwapBps: null },
    participation: null,
    volume: text,
    shortfall: amounts,
    shortfallMissing: text,
    expected: { bps: 1, fee: text, feeCurrency: text },
    spread: {
      effectiveBps: 1,
      quotedBps: 1,
      ratio: 1,
      realisedBps: 1,
      fillsWithoutMid: 0,
      fillsWithLateMid: 0,
    },
    improvement: null,
    markouts: [
      {
        horizon: text,
        fills: 1,
        missing: 0,
        bps: 1,
        perUnit: 1,
        makerBps: 1,
        takerBps: null,
        standardError: null,
      },
    ],
    liquidity: { makerShare: 1, takerShare: 0, fees: [{ currency: text, amount: text }] },
    resting: {
      children: 1,
      posted: text,
      filled: text,
      fillRate: 1,
      adverseBps: 1,
      adverseShare: 1,
      unfilledBps: 1,
    },
    funding: { currency: text, paid: 1, usd: 1, coverage: 1 },
    schedule: { greatest: 1, at: text, mean: 1 },
    lateness: { slices: 1, decidedMs: null, answeredMs: null },
    option: [],
    course: [],
    volatility: [],
  };
  return {
    schema: 'twapd.tca/1',
    portfolio: text,
    account: text,
    strategy: text,
    type: 'TWAP',
    status: text,
    reason: text,
    submitted: text,
    start: text,
    end: text,
    over: text,
    until: text,
    isProvisional: true,
    legs: [leg, leg],
    package: {
      usd: 1,
      shortfall: { ...amounts, currency: 'USD' },
      participation: 1,
      slippage: { decisionUsd: 1, arrivalUsd: 1, twapUsd: 1, vwapUsd: null },
      option: [],
      imbalance: null,
      delta: null,
      hedges: [],
    },
    slices: [
      {
        leg: 0,
        slice: 0,
        due: text,
        lateMs: null,
        planned: text,
        asked: text,
        filled: text,
        children: 0,
        mid: text,
        reasons: [text],
        isSent: false,
        average: null,
        costBps: null,
      },
    ],
    children: [
      {
        leg: 0,
        slice: 0,
        label: text,
        attempt: 1,
        quantity: text,
        filled: text,
        timeInForce: text,
        decided: text,
        live: text,
        closed: text,
        outcome: 'open',
        prices: [{ at: text, price: text }],
        isBlock: false,
      },
    ],
    fills: [],
    notes: [text],
  };
}

export function hostileSummary(text: string): CostSummary {
  const summaries = new CostSummaries();
  summaries.add({ ...hostileReport(text), start: '2026-11-20T12:00:00.000Z' });
  const summary = summaries.summary({ active: 1, mirrors: 1, older: 1 });
  const worst = summary.worst.map((one) => ({ ...one, start: text }));
  const groups = summary.groups.map(({ by, rows }) => ({
    by,
    rows: rows.map((row) => ({ ...row, name: text })),
  }));
  return { ...summary, worst, groups, notes: [text] };
}
