// Opens the telemetry: metrics, the observer that counts and logs, and the gauges that are read at each
// scrape.
import { createHash } from 'node:crypto';
import { env as environment } from 'node:process';
import type { PostgresLedger } from '../../adapters/postgres/postgres-ledger.ts';
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import { LAG_RESOLUTION_MS } from '../../adapters/telemetry/metrics/event-loop-lag.ts';
import { createMetrics, type Metrics } from '../../adapters/telemetry/metrics/metrics.ts';
import { countStreamBreaks } from '../../adapters/telemetry/metrics/venue-gauges.ts';
import { Backlog } from '../../adapters/telemetry/observer/backlog.ts';
import { Gauges } from '../../adapters/telemetry/observer/gauges.ts';
import { LogAndCount } from '../../adapters/telemetry/observer/log-and-count.ts';
import { PortfolioMarks } from '../../adapters/telemetry/observer/portfolio-marks.ts';
import {
  type ProcessCounts,
  processCounts,
} from '../../adapters/telemetry/observer/process-counts.ts';
import { Slippage } from '../../adapters/telemetry/observer/slippage.ts';
import { openTraces } from '../../adapters/telemetry/traces/open-traces.ts';
import type { DiskWatch } from '../../engine/disk/disk-watch.ts';
import type { Engine } from '../../engine/engine.ts';
import type { MmpGuard } from '../../engine/mmp/mmp-guard.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { RateBudget } from '../../ports/rate-budget.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import { midpoint, toNumber } from '../../values/amounts.ts';
import type { AccountId, InstrumentName, VenueName } from '../../values/ids.ts';
import type { Config } from '../config/config.ts';
import { LEAD_MS } from '../config/engine-settings.ts';
import { type Needed, readiness } from '../lifecycle/readiness.ts';
import { VERSION } from '../version.ts';
import { NEWEST_BACKUP } from './newest-backup.ts';

export interface Telemetry {
  readonly metrics: Metrics;
  readonly observer: LogAndCount;
  readonly process: ProcessCounts;
  /** Called after a transaction of the ledger was written. */
  readonly groupWritten: (group: { readonly turns: number; readonly elapsedMs: number }) => void;
  /** Sends what is still pending. */
  close(): Promise<void>;
  /**
   * Reads the gauges from these from now on. Returns the text of GET /metrics and a function that stops the
   * reads.
   */
  watch(parts: Watched): { readonly exposition: () => Promise<string>; readonly close: () => void };
}

interface Watched extends Needed {
  readonly witness: { newestMs(): number };
  readonly disk: Pick<DiskWatch, 'reasonsNotReady' | 'spaces'>;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ledger: PostgresLedger;
  readonly mmp: MmpGuard;
  /** Counts messages sent; absent if nothing limits them. */
  readonly messages?: { budgets(): Iterable<VenueBudget> };
}

type VenueBudget = readonly [venue: VenueName, budget: RateBudget];

const SAMPLE_MS = 1_000;

/** @param also receives the same observations, after they were logged and counted */
export async function openTelemetry(config: Config, log: Log, also?: Observer): Promise<Telemetry> {
  const { deployment, runbookUrl } = config.service;
  const traces = await openTraces(environment, { version: VERSION, deployment });
  const metrics = createMetrics({
    version: VERSION,
    deployment,
    runbookUrl,
    venues: Object.keys(config.venues),
    configHash: createHash('sha256').update(JSON.stringify(config)).digest('hex').slice(0, 12),
  });
  metrics.queueLead.set(LEAD_MS / 1_000);
  const marks = new PortfolioMarks();
  let venues: VenueDirectory | undefined;
  const slippage = new Slippage(metrics, (account, name) => middleOf(venues, account, name));
  const process = processCounts(metrics);
  log.listen(process);
  const backlog = new Backlog(log);
  const followed = { slippage, marks, spans: traces?.spans, backlog, also };
  return {
    metrics,
    process,
    observer: new LogAndCount(log.logger, metrics, followed),
    close: async () => {
      backlog.drain();
      await traces?.close();
    },
    groupWritten: ({ turns, elapsedMs }) => {
      metrics.ledgerGroupTurns.observe(turns);
      metrics.ledgerGroupSeconds.observe(elapsedMs / 1_000);
    },
    watch: (parts) => {
      venues = parts.venues;
      const gauges = new Gauges(metrics, gaugeSources(config, parts, { marks, slippage }));
      const unsubscribe = countStreamBreaks(metrics, parts.venues);
      const sample = (): void => {
        backlog.drain();
        slippage.sample();
      };
      const sampling = setInterval(sample, SAMPLE_MS).unref();
      const close = (): void => {
        clearInterval(sampling);
        unsubscribe();
        gauges.close();
      };
      const exposition = (): Promise<string> => {
        backlog.drain();
        return gauges.exposition();
      };
      return { exposition, close };
    },
  };
}

function gaugeSources(
  config: Config,
  parts: Watched,
  followed: { readonly marks: PortfolioMarks; readonly slippage: Slippage },
): ConstructorParameters<typeof Gauges>[1] {
  const { clock, engine, ledger, queue, venues } = parts;
  return {
    ...followed,
    venues,
    now: () => clock.now(),
    portfolios: () => engine.turns.states(),
    follow: (listener) => engine.turns.follow(listener),
    portfoliosMax: config.metrics.portfoliosMax,
    loopLagResolutionMs: LAG_RESOLUTION_MS,
    queueDepth: () => queue.depth(),
    rateBudgets: () => [...venueBudgets(venues), ...(parts.messages?.budgets() ?? [])],
    onMistake: (error) => parts.observer.observe({ event: 'failed', where: 'scrape', error }),
    mmpWindows: () => parts.mmp.windows(),
    canaryAgeMs: () => queue.pulse().canaryAgeMs,
    notReady: () => readiness(parts),
    probeLedger: async () => {
      await ledger.getMetadata('starts');
      return ledger.readLoad;
    },
    spaces: () => parts.disk.spaces(),
    newestHeadMs: () => parts.witness.newestMs(),
    newestBackup: async () => {
      const at = await ledger.getMetadata(NEWEST_BACKUP);
      return at === undefined ? 0 : Date.parse(at);
    },
  };
}

const venueBudgets = (venues: VenueDirectory): readonly VenueBudget[] =>
  venues
    .all()
    .flatMap((one) => (one.rateBudgets?.() ?? []).map((left) => [one.name, left] as const));

/** The mid price; the mark price if one side is missing. */
function middleOf(
  venues: VenueDirectory | undefined,
  account: AccountId,
  instrument: InstrumentName,
): number | undefined {
  const quote = venues?.forAccount(account)?.quote(instrument);
  if (quote === undefined) return undefined;
  const { bid, ask, mark } = quote;
  const middle = bid && ask ? midpoint(bid.price, ask.price) : mark;
  return middle && toNumber(middle);
}
