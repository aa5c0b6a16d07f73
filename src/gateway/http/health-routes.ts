// Liveness, readiness and metrics. Open to any client that can reach the port, since they reveal nothing about
// orders or keys; metrics of single portfolios require the local machine or the metrics token.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type MetricsAccess, seesPortfolios, withoutPortfolios } from '../auth/metrics-access.ts';
import { RETRY_SEC } from '../wire/fault-answer.ts';

export interface Health {
  /** False when the process should be restarted. */
  live(): boolean;
  /** Conditions an operator should know about that do not affect readiness; absent: none. */
  warnings?(): readonly string[];
}

export interface HealthRoutes {
  readonly health: Health;
  /** Why trading is not possible; empty when it is. */
  readonly notReady: () => Promise<readonly string[]>;
  /** The exposition text of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Who may read metrics of single portfolios; absent: the local machine. */
  readonly metricsAccess?: MetricsAccess | undefined;
  readonly isDraining: () => boolean;
}

/** Scrapes within this time share one text. */
const SCRAPE_MS = 250;

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function serveHealth(app: FastifyInstance, routes: HealthRoutes): void {
  const { health, notReady, isDraining } = routes;
  const metrics = sharedText(routes.metrics, SCRAPE_MS);
  const aggregate = sharedText(async () => withoutPortfolios(await metrics()), SCRAPE_MS);
  app.get('/healthz', { schema: { summary: 'Liveness of the process' } }, (_request, reply) => {
    const live = health.live();
    return answered(reply, live).send({ live });
  });
  app.get('/readyz', { schema: { summary: 'Readiness to trade' } }, async (_request, reply) => {
    const reasons = isDraining() ? ['shutting down'] : await notReady();
    const ready = reasons.length === 0;
    const warnings = health.warnings?.() ?? [];
    return answered(reply, ready).send({
      ready,
      reasons,
      ...(warnings.length > 0 && { warnings }),
    });
  });
  app.get('/metrics', { schema: { summary: 'Metrics' } }, async (request, reply) => {
    const isWhole = seesPortfolios(asked(request), routes.metricsAccess);
    return reply.type(METRICS_TYPE).send(await (isWhole ? metrics() : aggregate()));
  });
}

const asked = ({ from, raw }: FastifyRequest) => ({ from, headers: raw.headers });

const answered = (reply: FastifyReply, isWell: boolean): FastifyReply =>
  isWell ? reply.code(200) : reply.code(503).header('retry-after', String(RETRY_SEC));

/** Runs `make` at most once at a time; its text is served for `forMs` from the moment it was started. */
export function sharedText(
  make: () => Promise<string>,
  forMs: number,
  nowMs: () => number = () => performance.now(),
): () => Promise<string> {
  let made: { readonly text: Promise<string>; readonly atMs: number } | undefined;
  let isMaking = false;
  return () => {
    if (made !== undefined && (isMaking || nowMs() - made.atMs < forMs)) return made.text;
    isMaking = true;
    const text = make().finally(() => {
      isMaking = false;
    });
    made = { text, atMs: nowMs() };
    // Unexamined: every caller gets the same promise, and so its error.
    text.catch(() => {
      made = undefined;
    });
    return text;
  };
}
