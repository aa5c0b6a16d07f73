// Declares everything under `/trading`: switches, overrides, limits, keys, actions, strategies and the summary, signed and
// recorded like the portfolio operations.
import type { FastifyInstance } from 'fastify';
import type { EngineApi } from '../engine/interface/engine-api.ts';
import type { ActionPages } from '../ports/action-log.ts';
import type { SwitchRecords } from '../ports/switch-records.ts';
import type { KeyStore } from './auth/key-store.ts';
import { SIGNED } from './docs/openapi.ts';
import { type AuditTrailOptions, writeAuditTrail } from './http/audit-trail.ts';
import { sharedText } from './http/health-routes.ts';
import { type Verifying, verifySignedRequests } from './http/signed-request.ts';
import type { PageAccess } from './page/page-access.ts';
import { PAGE_METHODS } from './page/page-methods.ts';
import type { AccountDirectory } from './portfolios/portfolio-record.ts';
import { ACTION_METHODS } from './trading/action-methods.ts';
import { KEY_METHODS } from './trading/key-methods.ts';
import { LIMIT_METHODS } from './trading/limit-methods.ts';
import { OVERRIDE_METHODS } from './trading/override-methods.ts';
import { serveTrading, TRADING_PATH } from './trading/serve-trading.ts';
import { STRATEGY_METHODS } from './trading/strategy-methods.ts';
import { summary } from './trading/summary-method.ts';
import { SWITCH_METHODS } from './trading/switch-methods.ts';
import type { TradingMethod } from './trading/trading-method.ts';
import { type UnaccountedRoutes, unaccounted } from './trading/unaccounted-method.ts';
import { whoami } from './trading/whoami-method.ts';

export interface TradingRoutes extends AuditTrailOptions, UnaccountedRoutes {
  readonly engine: Pick<EngineApi, 'trading' | 'portfolios' | 'state' | 'strategies'>;
  readonly accounts: AccountDirectory;
  readonly keys: KeyStore;
  /** Absent: the audit trail cannot be read. */
  readonly actionPages?: ActionPages | undefined;
  readonly version: string;
  readonly switchRecords?: Pick<SwitchRecords, 'after'> | undefined;
  /** Where a page is served. */
  readonly page?: PageAccess | undefined;
  /** The text of the metrics. */
  readonly metrics: () => Promise<string>;
}

/** The summary reads the metrics no more often. */
const SUMMARY_MS = 1_000;

/** Every operation below the path of trading. */
export const TRADING_METHODS = [
  whoami,
  summary,
  ...SWITCH_METHODS,
  ...OVERRIDE_METHODS,
  ...LIMIT_METHODS,
  ...PAGE_METHODS,
  ...ACTION_METHODS,
  ...KEY_METHODS,
  ...STRATEGY_METHODS,
  unaccounted,
];

export async function addTrading(
  app: FastifyInstance,
  parts: TradingRoutes & Verifying,
): Promise<void> {
  await app.register(
    (signed, _options, done) => {
      signed.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, security: [...SIGNED] };
      });
      verifySignedRequests(signed, parts);
      writeAuditTrail(signed, parts);
      serveEveryTrading(signed, parts);
      done();
    },
    { prefix: TRADING_PATH },
  );
}

/** `names`: only these operations; absent: all. */
export function serveEveryTrading(
  scope: FastifyInstance,
  parts: TradingRoutes,
  names?: readonly string[],
): void {
  const { trading, portfolios: operations, state, strategies } = parts.engine;
  const notReady = () => state.reasonsNotReady();
  const metrics = sharedText(parts.metrics, SUMMARY_MS);
  const serve = <C>(methods: readonly TradingMethod<C>[], around: C): void => {
    const served = methods.filter(({ name }) => names === undefined || names.includes(name));
    serveTrading(scope, served, around);
  };
  serve([whoami], { ...parts, trading: TRADING_METHODS });
  serve([summary], { ...parts, metrics, notReady });
  serve(SWITCH_METHODS, { ...parts, trading, operations });
  serve(OVERRIDE_METHODS, { ...parts, trading });
  serve(LIMIT_METHODS, { ...parts, trading });
  serve(ACTION_METHODS, parts);
  serve([unaccounted], parts);
  serve(KEY_METHODS, parts);
  serve(STRATEGY_METHODS, { ...parts, strategies, operations });
  const { page } = parts;
  if (page !== undefined) serve(PAGE_METHODS, { ...parts, page });
}
