// Whether the process lives, whether it is ready to trade, and its metrics. Open to whoever can reach
// the port: they tell nothing about orders or keys. Metrics of single portfolios are for this machine, and for whoever
// has the token for them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type MetricsAccess, seesPortfolios, withoutPortfolios } from '../auth/metrics-access.ts';
import { RETRY_SEC } from '../wire/fault-answer.ts';
import { sharedText } from './memoize.ts';

export interface Health {
  /** False when the process should be restarted. */
  live(): boolean;
  /** Why it is not ready; empty when it is. */
  ready(): readonly string[] | Promise<readonly string[]>;
  /** What an operator should know of and does not stand in the way; absent: nothing. */
  warnings?(): readonly string[];
}

export interface HealthRoutes {
  readonly health: Health;
  /** The exposition text of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Who sees metrics of single portfolios; absent: this machine. */
  readonly metricsAccess?: MetricsAccess | undefined;
  readonly isDraining: () => boolean;
}

/** Scrapes within this time get the same text. */
const SCRAPE_MS = 250;

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function serveHealth(app: FastifyInstance, routes: HealthRoutes): void {
  const { health, isDraining } = routes;
  const metrics = sharedText(routes.metrics, SCRAPE_MS);
  const aggregate = sharedText(async () => withoutPortfolios(await metrics()), SCRAPE_MS);
  app.get('/healthz', { schema: { summary: 'Whether the process lives' } }, (_request, reply) => {
    const live = health.live();
    return answered(reply, live).send({ live });
  });
  app.get('/readyz', { schema: { summary: 'Whether it can trade' } }, async (_request, reply) => {
    const reasons = isDraining() ? ['shutting down'] : await health.ready();
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
