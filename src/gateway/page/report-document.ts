// The report on a portfolio as a document of its own, opened by a link of the page. A browser that follows a link sends the
// cookie and nothing else; that is enough, because the answer changes nothing and a page of another origin cannot read it.
import type { FastifyInstance } from 'fastify';
import { reject } from '../../core/rejection.ts';
import type { PortfolioId } from '../../values/ids.ts';
import type { Authenticator } from '../auth/auth.ts';
import { admitted } from '../auth/require-account.ts';
import type { PageOrigins } from '../http/page-origins.ts';
import { forRequest } from '../http/request-scope.ts';
import { ownPortfolio, type PortfolioRoutes } from '../portfolios/portfolio-method.ts';
import { reportPage } from '../report/report-page.ts';
import { Refused } from '../wire/faults.ts';
import { portfolioIdField } from '../wire/field-kinds.ts';
import { record } from '../wire/fields.ts';
import type { PageAccess } from './page-access.ts';
import { cookieOf, signedOut } from './page-session-hooks.ts';

export interface ReportDocumentOptions {
  readonly access: PageAccess;
  readonly authenticator: Authenticator;
  readonly origins: PageOrigins;
  readonly routes: PortfolioRoutes;
}

const querySchema = record(
  { portfolioId: portfolioIdField('Which portfolio') },
  'Which portfolio to report on',
);

/** The document has a policy of its own, which allows its style and nothing else; no page may frame it. */
const HEADERS = {
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Requires the hooks of `guardPage`. */
export function serveReportPage(
  scope: FastifyInstance,
  { access, authenticator, origins, routes }: ReportDocumentOptions,
): void {
  scope.get('/report', { schema: { querystring: querySchema } }, async (request, reply) => {
    const visitor = access.visitor(request.raw, request.from);
    const open = await access.find(cookieOf(request.raw, origins), visitor);
    if (open === undefined) throw signedOut();
    const waitMs = authenticator.take(open.key, 'read', request.from);
    if (waitMs !== undefined) {
      throw new Refused(
        [reject('too_many_requests', '', 'too many read requests; slow down')],
        Math.ceil(waitMs / 1_000),
      );
    }
    const key = admitted({ kind: 'known', key: open.key }, 'read');
    const { portfolioId } = request.query as { readonly portfolioId: PortfolioId };
    const { uid, scopes } = key;
    const report = await forRequest({ method: 'page/report', uid, scopes }, async () => {
      await ownPortfolio(routes.operations, key, portfolioId);
      return await routes.reportOn?.(portfolioId);
    });
    if (report === undefined) {
      const message = 'no report can be made here; accepted: on a daemon that records markets';
      throw new Refused([reject('not_found', 'portfolioId', message)]);
    }
    return reply.headers(HEADERS).type('text/html; charset=utf-8').send(reportPage(report));
  });
}
