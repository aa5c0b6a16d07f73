// Risk observations as log lines and metrics: controls, switches, market-maker protection, Block RFQs,
// audits.
import type { Logger } from 'pino';
import type { MmpLimit, RiskObserver } from '../../../ports/risk-observer.ts';
import { shownMs } from '../log/shown-ms.ts';
import { MMP_LIMITS } from '../metric-values.ts';
import type { BoundedNames } from '../metrics/bounded-names.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { RiskStanding } from './risk-standing.ts';

type Told<M extends keyof RiskObserver> = Parameters<RiskObserver[M]>[0];

export interface RiskLog {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Names chosen by callers; those beyond a bound are counted together. */
  readonly names: BoundedNames;
  /** Runs the observation; an exception is counted and logged, not rethrown. */
  readonly safely: (observe: () => void) => void;
}

export function riskLog({ log, metrics, names, safely }: RiskLog): RiskObserver {
  const standing = new RiskStanding(metrics);
  return {
    controlRefused: (refusal) =>
      safely(() => {
        const control = names.of('control', refusal.control);
        metrics.controlRefusals.inc({ control, stage: refusal.stage });
        log.info({ event: 'control_refused', ...refusal }, 'a control refused the request');
      }),
    controlOverridden: (override) =>
      safely(() =>
        log.warn({ event: 'control_overridden', ...override }, 'an order was let past a control'),
      ),
    switchSet: (set) =>
      safely(() => {
        standing.switchSet(set.scope, set.of, set.state);
        const level = set.state === 'active' ? 'info' : 'error';
        log[level]({ event: 'switch_set', ...set }, `trading is ${set.state}`);
      }),
    ordersSwept: (sweep) => safely(() => ordersSwept(sweep, log, metrics)),
    mmpTraded: (trade) =>
      safely(() => {
        for (const limit of MMP_LIMITS) {
          const share = trade.used[limit];
          if (share !== undefined) metrics.mmpUsed.observe({ kind: trade.kind, limit }, share);
        }
        log.debug({ event: 'mmp_traded', ...trade }, 'trade counted for protection');
      }),
    mmpSet: (set) =>
      safely(() => {
        standing.mmpSet(set, set.status);
        const isTrip = set.status !== 'ready' && set.by !== undefined;
        if (isTrip) metrics.mmpTrips.inc({ kind: set.kind, limit: set.by as MmpLimit });
        const level = set.status === 'ready' ? 'info' : 'warn';
        log[level]({ event: 'mmp_set', ...set }, `market-maker protection ${set.status}`);
      }),
    mmpSwept: (sweep) =>
      safely(() => {
        metrics.mmpSweep.observe({ kind: sweep.kind }, sweep.sentMs / 1_000);
        const sentMs = shownMs(sweep.sentMs);
        log.warn({ event: 'mmp_swept', ...sweep, sentMs }, 'orders of a tripped group cancelled');
      }),
    rfqAnswered: (answer) => safely(() => rfqAnswered(answer, log, metrics)),
    rfqEnded: (ended) =>
      safely(() => {
        metrics.rfqEnds.inc({ end: ended.end });
        metrics.rfqQuotes.inc(ended.quotes);
        log.info({ event: 'rfq_ended', ...ended }, `block RFQ ${ended.end}`);
      }),
    legsMeasured: ({ share, delta, ...of }) =>
      safely(() => {
        metrics.legImbalance.observe(share);
        if (delta !== undefined) metrics.legImbalanceDelta.observe(Math.abs(delta));
        log.debug({ event: 'legs_measured', ...of, share, delta }, 'legs measured');
      }),
    partEnded: (part) =>
      safely(() => {
        metrics.partImbalance.observe(part.imbalance);
        log.debug({ event: 'part_ended', ...part }, 'part of a balanced portfolio ended');
      }),
    auditRan: (run) =>
      safely(() => {
        const check = names.of('check', run.check);
        metrics.auditRuns.inc({ check });
        metrics.auditLast.setToCurrentTime({ check });
        log.debug({ event: 'audit_ran', ...run }, 'check of the auditor finished');
      }),
    tradeHandedOver: (trade) =>
      safely(() => {
        metrics.auditHandedOver.inc();
        log.warn(
          { event: 'trade_handed_over', ...trade },
          "no timely notice of a trade; it was read from the venue's trade list",
        );
      }),
    ledgerBehind: (behind) =>
      safely(() => {
        log.error(
          { event: 'ledger_behind', ...behind },
          'the ledger is older than what the venue has: the account is halted',
        );
      }),
    auditBreached: (breach) =>
      safely(() => {
        metrics.auditBreaches.inc({ invariant: names.of('invariant', breach.invariant) });
        log.error({ event: 'audit_breached', ...breach }, 'the auditor found an invariant broken');
      }),
  };
}

function ordersSwept(sweep: Told<'ordersSwept'>, log: Logger, metrics: Metrics): void {
  metrics.sweepSeconds.observe(sweep.sentMs / 1_000);
  if (sweep.provedMs !== undefined) metrics.sweepProof.observe(sweep.provedMs / 1_000);
  metrics.sweepLeft.inc(sweep.left);
  const level = sweep.left > 0 ? 'error' : 'warn';
  const sentMs = shownMs(sweep.sentMs);
  const provedMs = sweep.provedMs && shownMs(sweep.provedMs);
  log[level](
    { event: 'orders_swept', ...sweep, sentMs, provedMs },
    'orders cancelled because of a halt',
  );
}

const ANSWER_LEVELS = { done: 'info', refused: 'info', unknown: 'warn', blocked: 'info' } as const;

function rfqAnswered(answer: Told<'rfqAnswered'>, log: Logger, metrics: Metrics): void {
  const { method, outcome, elapsedMs } = answer;
  metrics.rfqRequests.inc({ method, outcome });
  if (elapsedMs !== undefined) metrics.rfqSeconds.observe({ method }, elapsedMs / 1_000);
  log[ANSWER_LEVELS[outcome]]({ event: 'rfq_answered', ...answer }, 'block RFQ request answered');
}
