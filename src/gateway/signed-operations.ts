// The operations of portfolios, which programs call with signed requests.
import type { FastifyInstance } from 'fastify';
import { SIGNED } from './docs/openapi.ts';
import { type AuditTrailOptions, writeAuditTrail } from './http/audit-trail.ts';
import { type Verifying, verifySignedRequests } from './http/signed-request.ts';
import type { PortfolioRoutes } from './portfolios/portfolio-method.ts';
import { PORTFOLIO_PATH, servePortfolios } from './portfolios/portfolio-routes.ts';

export async function addPortfolios(
  app: FastifyInstance,
  portfolios: PortfolioRoutes,
  around: AuditTrailOptions & Verifying,
): Promise<void> {
  await app.register(
    (signed, _options, done) => {
      signed.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, security: [...SIGNED] };
      });
      verifySignedRequests(signed, around);
      writeAuditTrail(signed, around);
      servePortfolios(signed, portfolios, around.turns);
      done();
    },
    { prefix: PORTFOLIO_PATH },
  );
}
