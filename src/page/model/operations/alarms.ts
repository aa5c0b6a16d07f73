// What is wrong with the deployment at this moment, read from its summary by the limits of the alerts in
// config/prometheus/alerts.yml, worst first, each with the section of the runbook that says what to do.

import type { LimitRecord, SummaryRecord } from '../../../gateway/client/client.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { figure, percent } from '../formatting.ts';
import { CONTROL_NAMES, NEARLY_FULL, usedShare } from './limit-shares.ts';

export interface Alarm {
  /** Name of the alert, which is the heading of its section in docs/operations.md. */
  readonly alert: string;
  readonly text: string;
  /** Since when, Unix milliseconds; absent: not known. */
  readonly sinceMs?: number | undefined;
  readonly isUrgent: boolean;
}

const UNDECIDED_MS = 60_000;
const QUOTE_AGE_SEC = 5;
const CLOCK_SEC = 0.1;
const RATE_LEFT = 0.1;
const LOOP_LAG_SEC = 0.1;
const LATE_SHARE = 0.001;
const AUDIT_SILENT_MS = 60_000;

/** `limits`: those of the accounts of the session; empty while they are not known. */
export function alarmsOf(
  summary: SummaryRecord,
  limits: readonly LimitRecord[] = [],
): readonly Alarm[] {
  const found = [
    ...ofTrading(summary),
    ...ofOrders(summary),
    ...limits.flatMap(ofLimit),
    ...ofVenues(summary),
    ...ofProcess(summary),
  ];
  return found.toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
}

/** The link to the section of an alert; `undefined` where the deployment has not set the address of its runbook. */
export const runbookOf = ({ alert }: Alarm, { runbookUrl }: SummaryRecord): string | undefined =>
  runbookUrl !== null && /^https?:\/\//.test(runbookUrl)
    ? `${runbookUrl}#${alert.toLowerCase()}`
    : undefined;

function* ofTrading({
  ready,
  reasons,
  tradingState,
  switchesHeld,
}: SummaryRecord): Generator<Alarm> {
  if (!ready) {
    yield { alert: 'TwapdNotReady', text: `not ready: ${reasons.join('; ')}`, isUrgent: true };
  }
  if (tradingState === 'halted' || tradingState === 'reducing') {
    yield { alert: 'TwapdTradingHeld', text: `the deployment is ${tradingState}`, isUrgent: true };
  }
  if (switchesHeld > 0) {
    const text = `${counted(switchesHeld, 'narrower switch', 'narrower switches')} not active`;
    yield { alert: 'TwapdSwitchHeld', text, isUrgent: false };
  }
}

function* ofOrders(summary: SummaryRecord): Generator<Alarm> {
  const { undecided, mmp, slices, isOverloaded, timestamp } = summary;
  const sinceMs =
    undecided.oldestTimestamp === null ? undefined : Number(undecided.oldestTimestamp);
  if (sinceMs !== undefined && Number(timestamp) - sinceMs > UNDECIDED_MS) {
    const text = `${counted(undecided.children, 'order')} of unknown outcome`;
    yield { alert: 'TwapdUndecidedChildOld', text, sinceMs, isUrgent: true };
  }
  if (mmp.waiting > 0) {
    const text = `${counted(mmp.waiting, 'MMP group waits', 'MMP groups wait')} to be reset`;
    yield { alert: 'TwapdMmpWaiting', text, isUrgent: false };
  }
  if (isOverloaded) {
    yield {
      alert: 'TwapdOverloaded',
      text: 'new portfolios are refused: overloaded',
      isUrgent: true,
    };
  }
  if ((slices.lateShare ?? 0) > LATE_SHARE) {
    const text = `${percent(slices.lateShare ?? 0, 2)} of slices late since the start`;
    yield { alert: 'TwapdSlicesLate', text, isUrgent: false };
  }
}

function ofLimit(one: LimitRecord): readonly Alarm[] {
  const { accountId, control, instrumentName = '', limit, used } = one;
  const alert = 'TwapdControlsRefusing';
  const what = [accountId, CONTROL_NAMES[control], instrumentName].filter(Boolean).join(', ');
  const share = usedShare(one);
  if (share === undefined) {
    const why = limit === null ? 'no limit is set' : 'what is used is not known';
    return limit === null || used === null
      ? [{ alert, text: `${what}: ${why}, which blocks orders`, isUrgent: true }]
      : [];
  }
  if (share < NEARLY_FULL) return [];
  const text = `${what}: ${percent(share, 0)} of the limit used`;
  return [{ alert, text, isUrgent: share >= 1 }];
}

function* ofVenues({ venues }: SummaryRecord): Generator<Alarm> {
  for (const venue of venues) {
    const { exchange } = venue;
    if (!venue.isUp) {
      yield { alert: 'TwapdVenueDown', text: `${exchange} cannot be traded on`, isUrgent: true };
    }
    if (venue.quotesMissing > 0 || (venue.quoteAgeSecMax ?? 0) > QUOTE_AGE_SEC) {
      const text = `${exchange}: quotes are missing or old`;
      yield { alert: 'TwapdMarketDataStale', text, isUrgent: true };
    }
    if (Math.abs(venue.clockOffsetSec ?? 0) > CLOCK_SEC) {
      const text = `${exchange}: its clock is ${figure(venue.clockOffsetSec, 3)} s off`;
      yield { alert: 'TwapdClockOffset', text, isUrgent: false };
    }
    if ((venue.rateLeft ?? 1) < RATE_LEFT) {
      const text = `${exchange}: its rate limit is nearly spent`;
      yield { alert: 'TwapdVenueRateSpent', text, isUrgent: false };
    }
  }
}

function* ofProcess({ audit, loopLagSec, timestamp }: SummaryRecord): Generator<Alarm> {
  if (audit.breaches > 0) {
    const text = `${counted(audit.breaches, 'contradiction')} in the books since the start`;
    yield { alert: 'TwapdAuditBreach', text, isUrgent: true };
  }
  const lastMs = Number(audit.lastTimestamp ?? timestamp);
  if (Number(timestamp) - lastMs > AUDIT_SILENT_MS) {
    const text = 'the books have not been checked for a while';
    yield { alert: 'TwapdAuditSilent', text, sinceMs: lastMs, isUrgent: false };
  }
  if ((loopLagSec.engine ?? 0) > LOOP_LAG_SEC) {
    const text = `the engine is ${figure(loopLagSec.engine, 3)} s behind its timers`;
    yield { alert: 'TwapdEventLoopLag', text, isUrgent: false };
  }
}
