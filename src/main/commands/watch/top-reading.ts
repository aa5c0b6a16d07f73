// What `top` shows, read from the daemon at one moment: the portfolios of the key, and the metrics of the
// daemon and of each portfolio.

import type { Result } from '../../../gateway/client/client.ts';
import { sendHttp } from '../../../gateway/client/secure-http.ts';
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { MetricLines } from '../../../gateway/trading/metric-lines.ts';
import { DEPLOYMENT_FAMILIES, deploymentFigures } from '../../../gateway/trading/summary-method.ts';
import { type Daemon, rateLimitedSec, rateLimitedText } from '../daemon-client.ts';

export interface TopPortfolio {
  readonly record: PortfolioRecord;
  /** Lateness of its last slice. */
  readonly lateSec?: number | undefined;
  /** Cost against the mid price at arrival; positive values are a cost. */
  readonly costBps?: number | undefined;
}

export interface TopReading {
  readonly url: string;
  readonly ready: boolean;
  readonly reasons: readonly string[];
  readonly portfolios: readonly TopPortfolio[];
  /** All active portfolios; the daemon lists at most a hundred per account. */
  readonly total: number;
  readonly trading: string;
  /** Number of switches, below the deployment's, that are not active. */
  readonly held: number;
  readonly mmpFrozen: number;
  readonly mmpWaiting: number;
  readonly undecided: number;
  /** Delay of the event loop of the engine; without parts, of the daemon. */
  readonly loopP99Sec?: number | undefined;
  /** That of the gateway, where it is a process of its own. */
  readonly gatewayLoopP99Sec?: number | undefined;
  /** Share of slices sent later than 250 ms since the daemon started. */
  readonly lateShare?: number | undefined;
}

const NAMES = [
  'twapd_portfolio_lateness_seconds',
  'twapd_portfolio_slippage_bps',
  ...DEPLOYMENT_FAMILIES,
] as const;

const PAGE_SIZE = 100;
const TIMEOUT_MS = 5_000;

/** The daemon answers but limits the rate of requests. */
export class RateLimited extends Error {
  override readonly name = 'RateLimited';
  readonly retryAfterSec: number;

  constructor(retryAfterSec: number) {
    super(rateLimitedText(retryAfterSec));
    this.retryAfterSec = retryAfterSec;
  }
}

/** @throws the daemon's failure to answer, or {@link RateLimited}. */
export async function readTop({
  client,
  access,
  url,
  accounts,
  metricsToken,
}: Daemon): Promise<TopReading> {
  const [health, metrics, ...pages] = await Promise.all([
    client.health(),
    metricsOf(access, metricsToken),
    ...accounts.map((accountId) =>
      client.page({ accountId, portfolioTag: 'OPEN_ORDER', pageSize: PAGE_SIZE }),
    ),
  ]);
  const { ready, reasons } = valueOrThrow(health);
  const read = pages.map(valueOrThrow);
  const records = read.flatMap(({ values }) => values);
  records.sort((a, b) => Number(b.submitTimestamp) - Number(a.submitTimestamp));
  return {
    url,
    ready,
    reasons,
    total: read.reduce((sum, { totalCount }) => sum + totalCount, 0),
    portfolios: records.map((record) => ({
      record,
      lateSec: ofPortfolio(metrics, 'twapd_portfolio_lateness_seconds', record),
      costBps: ofPortfolio(metrics, 'twapd_portfolio_slippage_bps', record),
    })),
    ...standing(metrics),
  };
}

async function metricsOf(
  access: Daemon['access'],
  token: string | undefined,
): Promise<MetricLines> {
  const answer = await sendHttp(access, '/metrics', {
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (answer.status === 429) throw new RateLimited(Number(answer.headers.get('retry-after') ?? 1));
  return new MetricLines(await answer.text(), NAMES);
}

function valueOrThrow<T>(result: Result<T>): T {
  if (result.kind === 'done') return result.value;
  const limitedSec = rateLimitedSec(result);
  throw limitedSec === undefined ? new Error(result.message) : new RateLimited(limitedSec);
}

const ofPortfolio = (metrics: MetricLines, name: string, { portfolioId }: PortfolioRecord) =>
  metrics.sum(name, { portfolio: portfolioId });

function standing(metrics: MetricLines) {
  const { tradingState, switchesHeld, mmp, undecided, loopLagSec, slices } =
    deploymentFigures(metrics);
  return {
    trading: tradingState ?? 'unknown',
    held: switchesHeld,
    mmpFrozen: mmp.frozen,
    mmpWaiting: mmp.waiting,
    undecided: undecided.children,
    loopP99Sec: loopLagSec.engine ?? undefined,
    gatewayLoopP99Sec: loopLagSec.gateway ?? undefined,
    lateShare: slices.lateShare ?? undefined,
  };
}
