// The operations of portfolios, which programs call with signed requests.
import type { FastifyInstance } from 'fastify';
import type { Authenticator } from './auth/auth.ts';
import { SIGNED } from './docs/openapi.ts';
import { type AuditTrailOptions, writeAuditTrail } from './http/audit-trail.ts';
import { verifySignedRequests } from './http/signed-request.ts';
import { inTickBatch } from './http/tick-batch.ts';
import type { PortfolioRoutes } from './portfolios/portfolio-method.ts';
import { PORTFOLIO_PATH, servePortfolios } from './portfolios/portfolio-routes.ts';

export async function addPortfolios(
  app: FastifyInstance,
  portfolios: PortfolioRoutes,
  around: AuditTrailOptions & { readonly authenticator: Authenticator },
): Promise<void> {
  await app.register(
    (signed, _options, done) => {
      signed.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, security: [...SIGNED] };
      });
      const admission = inTickBatch();
      verifySignedRequests(signed, around.authenticator, admission);
      writeAuditTrail(signed, around);
      servePortfolios(signed, portfolios, inTickBatch(admission));
      done();
    },
    { prefix: PORTFOLIO_PATH },
  );
}
