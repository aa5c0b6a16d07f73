// The operation summary: how the deployment is, in figures that concern no single portfolio, read from the metrics of engine
// and gateway at most once a second, however many clients ask.
import { z } from 'zod';
import type { Instant } from '../../values/instant.ts';
import { MetricLines } from './metric-lines.ts';
import type { TradingMethod } from './trading-method.ts';

/** What the operation needs. */
export interface SummaryRoutes {
  /** The text of the metrics. */
  readonly metrics: () => Promise<string>;
  /** Why the deployment is not ready to trade; empty if it is. */
  readonly notReady: () => Promise<readonly string[]>;
  readonly now: () => Instant;
}

/** The metrics that {@link deploymentFigures} reads. */
export const DEPLOYMENT_FAMILIES = [
  'twapd_trading_switches',
  'twapd_overloaded',
  'twapd_slice_lateness_seconds_bucket',
  'twapd_slice_lateness_seconds_count',
  'twapd_unsettled_children',
  'twapd_undecided_child_oldest_timestamp_seconds',
  'twapd_mmp_groups',
  'twapd_event_loop_lag_seconds',
  'twapd_venue_up',
  'twapd_venue_clock_offset_seconds',
  'twapd_venue_quotes_missing',
  'twapd_venue_quote_age_seconds_max',
  'twapd_venue_rate_tokens',
  'twapd_venue_rate_burst',
  'twapd_audit_breaches_total',
  'twapd_audit_last_run_timestamp_seconds',
  'twapd_config_info',
] as const;

/** Slices sent later than this are late; a bucket of the histogram. */
const LATE_SEC = '0.25';

const count = (description: string) => z.int().describe(description);
const figure = (description: string) =>
  z.number().nullable().describe(`${description}; null: not known`);

const summarySchema = z
  .object({
    ready: z.boolean(),
    reasons: z.array(z.string()).describe('Why it is not ready to trade'),
    tradingState: z
      .enum(['active', 'reducing', 'halted'])
      .nullable()
      .describe('Switch of the deployment; null: not known'),
    switchesHeld: count('Switches of accounts, strategies and portfolios that are not active'),
    isOverloaded: z
      .boolean()
      .describe('New portfolios are refused because there is too much to do'),
    slices: z
      .object({
        sent: count('Slices sent'),
        lateShare: figure(`Share of them sent more than ${LATE_SEC} s after they were due`),
      })
      .describe('Since the engine started'),
    undecided: z
      .object({
        children: count('Child orders of unknown outcome, or with fills missing'),
        oldestTimestamp: z
          .string()
          .nullable()
          .describe(
            'When the oldest child without a known outcome was intended, Unix milliseconds',
          ),
      })
      .describe('Child orders whose outcome has to be found out'),
    mmp: z
      .object({ frozen: count('For a time'), waiting: count('Until they are reset') })
      .describe('Groups of market-maker protection that are not ready'),
    loopLagSec: z
      .object({
        engine: figure('Of the engine; without parts, of the daemon'),
        gateway: figure('Of the gateway'),
      })
      .describe('99th percentile of the delay of each event loop, seconds'),
    venues: z.array(
      z.object({
        exchange: z.string(),
        isUp: z.boolean().describe('Whether it can be traded on'),
        clockOffsetSec: figure("The venue's clock minus the daemon's, seconds"),
        quotesMissing: count('Instruments of active portfolios without any quote'),
        quoteAgeSecMax: figure('Age of the oldest quote in use, seconds'),
        rateLeft: figure(
          'Share of its rate limit that is left, of the kind of message with the least',
        ),
      }),
    ),
    audit: z
      .object({
        breaches: count('Contradictions between ledger, engine and venue found since the start'),
        lastTimestamp: z
          .string()
          .nullable()
          .describe('When a check last finished, Unix milliseconds; null: none has'),
      })
      .describe('Checks of the books against each other'),
    runbookUrl: z
      .string()
      .nullable()
      .describe('Address at which people read the runbook, service.runbookUrl; null: not set'),
    timestamp: z.string().describe("The daemon's clock, Unix milliseconds"),
  })
  .describe('State of the deployment');

export type SummaryRecord = z.infer<typeof summarySchema>;

export const summary: TradingMethod<SummaryRoutes> = {
  name: 'summary',
  verb: 'GET',
  lane: 'read',
  needs: 'oversee',
  summary:
    'Show how the deployment is: readiness, switches, lateness, undecided orders, protection, event loops, venues',
  value: summarySchema,
  run: async ({ metrics, notReady, now }): Promise<SummaryRecord> => {
    const [text, reasons] = await Promise.all([metrics(), notReady()]);
    return {
      ready: reasons.length === 0,
      reasons: [...reasons],
      ...deploymentFigures(new MetricLines(text, DEPLOYMENT_FAMILIES)),
      timestamp: String(now()),
    };
  },
};

type DeploymentFigures = Omit<SummaryRecord, 'ready' | 'reasons' | 'timestamp'>;

export function deploymentFigures(metrics: MetricLines): DeploymentFigures {
  const sum = (
    name: (typeof DEPLOYMENT_FAMILIES)[number],
    labels?: Readonly<Record<string, string>>,
  ): number => metrics.sum(name, labels) ?? 0;
  const sent = sum('twapd_slice_lateness_seconds_count');
  const inTime = sum('twapd_slice_lateness_seconds_bucket', { le: LATE_SEC });
  const unsettled = (state: string): number => sum('twapd_unsettled_children', { state });
  const oldestSec = sum('twapd_undecided_child_oldest_timestamp_seconds');
  return {
    ...switchesIn(metrics),
    isOverloaded: sum('twapd_overloaded') > 0,
    slices: { sent, lateShare: sent === 0 ? null : 1 - inTime / sent },
    undecided: {
      children: unsettled('unknown') + unsettled('fills_missing'),
      oldestTimestamp: oldestSec === 0 ? null : String(Math.round(oldestSec * 1_000)),
    },
    mmp: {
      frozen: sum('twapd_mmp_groups', { status: 'frozen' }),
      waiting: sum('twapd_mmp_groups', { status: 'waiting' }),
    },
    loopLagSec: loopsIn(metrics),
    venues: venuesIn(metrics),
    audit: {
      breaches: sum('twapd_audit_breaches_total'),
      lastTimestamp: lastAudit(metrics),
    },
    runbookUrl: runbookIn(metrics),
  };
}

function lastAudit(metrics: MetricLines): string | null {
  const lasts = metrics.of('twapd_audit_last_run_timestamp_seconds').map(({ value }) => value);
  const lastSec = Math.max(0, ...lasts);
  return lastSec === 0 ? null : String(Math.round(lastSec * 1_000));
}

function runbookIn(metrics: MetricLines): string | null {
  const [info] = metrics.of('twapd_config_info');
  const url = info?.labels['runbook_url'] ?? '';
  return url === '' ? null : url;
}

function switchesIn(metrics: MetricLines): Pick<SummaryRecord, 'tradingState' | 'switchesHeld'> {
  const set = metrics.of('twapd_trading_switches').filter(({ value }) => value > 0);
  const isOf = (state: string): boolean =>
    set.some(({ labels }) => labels['scope'] === 'deployment' && labels['state'] === state);
  const held = set.filter(
    ({ labels }) => labels['scope'] !== 'deployment' && labels['state'] !== 'active',
  );
  return {
    tradingState: (['halted', 'reducing', 'active'] as const).find(isOf) ?? null,
    switchesHeld: held.reduce((total, { value }) => total + value, 0),
  };
}

function loopsIn(metrics: MetricLines): SummaryRecord['loopLagSec'] {
  const all = metrics.of('twapd_event_loop_lag_seconds', { stat: 'p99' });
  const gateway = all.find(({ labels }) => labels['part'] === 'gateway');
  const engine = all.find((one) => one !== gateway);
  return { engine: engine?.value ?? null, gateway: gateway?.value ?? null };
}

function venuesIn(metrics: MetricLines): SummaryRecord['venues'] {
  return metrics.of('twapd_venue_up').map(({ labels, value }) => {
    const exchange = labels['venue'] ?? '';
    const of = { venue: exchange };
    return {
      exchange,
      isUp: value > 0,
      clockOffsetSec: metrics.sum('twapd_venue_clock_offset_seconds', of) ?? null,
      quotesMissing: metrics.sum('twapd_venue_quotes_missing', of) ?? 0,
      quoteAgeSecMax: metrics.sum('twapd_venue_quote_age_seconds_max', of) ?? null,
      rateLeft: rateLeft(metrics, exchange),
    };
  });
}

/** As the alert on a spent rate limit sees it. */
function rateLeft(metrics: MetricLines, venue: string): number | null {
  const shares = metrics.of('twapd_venue_rate_tokens', { venue }).flatMap(({ labels, value }) => {
    const bucket = labels['bucket'] ?? '';
    const burst = metrics.sum('twapd_venue_rate_burst', { venue, bucket }) ?? 0;
    return burst > 0 ? [value / burst] : [];
  });
  return shares.length === 0 ? null : Math.min(...shares);
}
