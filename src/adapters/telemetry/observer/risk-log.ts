// Occurrences of protection as log lines and metrics: controls, switches, market-maker protection, Block RFQs, balance,
// audits.
import type { Logger } from 'pino';
import type { Recorders } from '../../../ports/observer.ts';
import type { MmpLimit, RiskOccurrences } from '../../../ports/risk-observer.ts';
import { shownMs } from '../log/shown-ms.ts';
import { MMP_LIMITS } from '../metric-values.ts';
import type { BoundedNames } from '../metrics/bounded-names.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { RiskStanding } from './risk-standing.ts';

export interface RiskLog {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Names chosen by callers; those beyond a bound are counted together. */
  readonly names: BoundedNames;
}

export function riskRecorders(parts: RiskLog): Recorders<keyof RiskOccurrences> {
  const standing = new RiskStanding(parts.metrics);
  return {
    ...controlRecorders(parts, standing),
    ...protectionRecorders(parts, standing),
    ...rfqRecorders(parts),
    ...balanceRecorders(parts),
    ...auditRecorders(parts),
  };
}

function controlRecorders(
  { log, metrics, names }: RiskLog,
  standing: RiskStanding,
): Recorders<'control_refused' | 'control_overridden' | 'switch_set' | 'orders_swept'> {
  return {
    control_refused: (seen) => {
      const control = names.of('control', seen.control);
      metrics.controlRefusals.inc({ control, stage: seen.stage });
      log.info(seen, 'a control refused the request');
    },
    control_overridden: (seen) => log.warn(seen, 'an order was let past a control'),
    switch_set: (seen) => {
      standing.switchSet(seen.scope, seen.of, seen.state);
      const level = seen.state === 'active' ? 'info' : 'error';
      log[level](seen, `trading is ${seen.state}`);
    },
    orders_swept: (seen) => {
      metrics.sweepSeconds.observe(seen.sentMs / 1_000);
      if (seen.provedMs !== undefined) metrics.sweepProof.observe(seen.provedMs / 1_000);
      metrics.sweepLeft.inc(seen.left);
      const level = seen.left > 0 ? 'error' : 'warn';
      const sentMs = shownMs(seen.sentMs);
      const provedMs = seen.provedMs && shownMs(seen.provedMs);
      log[level]({ ...seen, sentMs, provedMs }, 'orders cancelled because of a halt');
    },
  };
}

function protectionRecorders(
  { log, metrics }: RiskLog,
  standing: RiskStanding,
): Recorders<'mmp_traded' | 'mmp_exceeded' | 'mmp_set' | 'mmp_swept'> {
  return {
    mmp_traded: (seen) => {
      for (const limit of MMP_LIMITS) {
        const share = seen.used[limit];
        if (share !== undefined) metrics.mmpUsed.observe({ kind: seen.kind, limit }, share);
      }
      log.debug(seen, 'trade counted for protection');
    },
    mmp_exceeded: (seen) => {
      const { kind, index, coins } = seen;
      metrics.mmpOvershoot.inc({ kind, index }, Number(coins));
      log.warn(seen, 'trade of a tripped group');
    },
    mmp_set: (seen) => {
      standing.mmpSet(seen, seen.status);
      const isTrip = seen.status !== 'ready' && seen.by !== undefined;
      if (isTrip) metrics.mmpTrips.inc({ kind: seen.kind, limit: seen.by as MmpLimit });
      const level = seen.status === 'ready' ? 'info' : 'warn';
      log[level](seen, `market-maker protection ${seen.status}`);
    },
    mmp_swept: (seen) => {
      metrics.mmpSweep.observe({ kind: seen.kind }, seen.sentMs / 1_000);
      const sentMs = shownMs(seen.sentMs);
      log.warn({ ...seen, sentMs }, 'orders of a tripped group cancelled');
    },
  };
}

const ANSWER_LEVELS = { done: 'info', refused: 'info', unknown: 'warn', blocked: 'info' } as const;

function rfqRecorders({ log, metrics }: RiskLog): Recorders<'rfq_answered' | 'rfq_ended'> {
  return {
    rfq_answered: (seen) => {
      const { method, outcome, elapsedMs } = seen;
      metrics.rfqRequests.inc({ method, outcome });
      if (elapsedMs !== undefined) metrics.rfqSeconds.observe({ method }, elapsedMs / 1_000);
      log[ANSWER_LEVELS[outcome]](seen, 'block RFQ request answered');
    },
    rfq_ended: (seen) => {
      metrics.rfqEnds.inc({ end: seen.end });
      metrics.rfqQuotes.inc(seen.quotes);
      log.info(seen, `block RFQ ${seen.end}`);
    },
  };
}

function balanceRecorders({ log, metrics }: RiskLog): Recorders<'legs_measured' | 'part_ended'> {
  return {
    legs_measured: (seen) => {
      metrics.legImbalance.observe(seen.share);
      if (seen.delta !== undefined) metrics.legImbalanceDelta.observe(Math.abs(seen.delta));
      log.debug(seen, 'legs measured');
    },
    part_ended: (seen) => {
      metrics.partImbalance.observe(seen.imbalance);
      log.debug(seen, 'part of a balanced portfolio ended');
    },
  };
}

function auditRecorders({
  log,
  metrics,
  names,
}: RiskLog): Recorders<'audit_ran' | 'trade_handed_over' | 'ledger_behind' | 'audit_breached'> {
  return {
    audit_ran: (seen) => {
      const check = names.of('check', seen.check);
      if (seen.unanswered > 0) {
        log.debug(seen, 'a venue did not answer the auditor');
        return;
      }
      metrics.auditRuns.inc({ check });
      metrics.auditLast.setToCurrentTime({ check });
      log.debug(seen, 'check of the auditor finished');
    },
    trade_handed_over: (seen) => {
      metrics.auditHandedOver.inc();
      log.warn(seen, "no timely notice of a trade; it was read from the venue's trade list");
    },
    ledger_behind: (seen) =>
      log.error(seen, 'the ledger is older than what the venue has: the account is halted'),
    audit_breached: (seen) => {
      metrics.auditBreaches.inc({ invariant: names.of('invariant', seen.invariant) });
      log.error(seen, 'the auditor found an invariant broken');
    },
  };
}
