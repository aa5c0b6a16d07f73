// What the page may do only once it is confirmed: whatever may trade more than before. A fresh one-time code confirms it, and
// with nothing but paper money also a press in the page. Stopping, and trading less, need nothing more than the session.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import type { EngineApi } from '../../engine/interface/engine-api.ts';
import { actor } from '../auth/key-store.ts';
import { forRequest } from '../http/request-scope.ts';
import { keyOf } from '../http/signed-request.ts';
import type { amendBodySchema } from '../portfolios/amend-schema.ts';
import type { holdBodySchema } from '../portfolios/change-methods.ts';
import { granted, ownPortfolio } from '../portfolios/portfolio-method.ts';
import { Refused } from '../wire/faults.ts';
import { enlarges } from './enlarging-amend.ts';
import type { PageAccess } from './page-access.ts';
import { PAGE_PATH } from './page-files.ts';
import { sessionOf } from './page-session-hooks.ts';

export interface ConfirmOptions {
  readonly engine: Pick<EngineApi, 'trading' | 'portfolios'>;
  readonly access: PageAccess;
}

/** Confirms one action. */
const CODE_HEADER = 'x-twapd-code';
/** Says that a person pressed the button that names the action; refused like no code where other than paper money is traded. */
const CLICK_HEADER = 'x-twapd-confirmed';
const CLICK = 'click';
const SWITCH_ROUTE = `${PAGE_PATH}/api/switch`;
const AMEND_ROUTE = `${PAGE_PATH}/api/amend`;
const RESUME_ROUTE = `${PAGE_PATH}/api/resume`;
const STRATEGY_ROUTE = `${PAGE_PATH}/api/strategy-switch`;
/** What sends new orders: a code confirms it for a while, because a trader enters many. */
const ENTRY_ROUTES: ReadonlySet<string> = new Set(
  [
    'submit',
    'private/buy',
    'private/sell',
    'private/edit',
    'block/rfqs/trade',
    'block/rfqs/create_quote',
    'block/rfqs/edit_quote',
  ].map((method) => `${PAGE_PATH}/api/${method}`),
);
const MMP_RESET_ROUTE = `${PAGE_PATH}/api/private/reset_mmp`;

export function confirmLoosening(scope: FastifyInstance, parts: ConfirmOptions): void {
  scope.addHook('preHandler', async (request) => {
    const isEntry = ENTRY_ROUTES.has(request.routeOptions.url ?? '');
    if (isEntry && parts.access.mayEnterOrders(sessionOf(request))) return;
    if (!isEntry && !(await isLoosening(request, parts.engine))) return;
    if (parts.access.confirmsByClick && request.headers[CLICK_HEADER] === CLICK) return;
    const code = request.headers[CODE_HEADER];
    const isGood =
      typeof code === 'string' && (await parts.access.confirm(sessionOf(request), code));
    if (isGood && isEntry) parts.access.allowEntry(sessionOf(request));
    if (isGood) return;
    const message = 'is missing or not good; accepted: a fresh one from `twapd open --code`';
    throw new Refused([reject('forbidden', 'code', message)]);
  });
}

async function isLoosening(
  request: FastifyRequest,
  { trading, portfolios }: ConfirmOptions['engine'],
): Promise<boolean> {
  if (request.method !== 'POST') return false;
  // The route, because an address can be written in several ways.
  switch (request.routeOptions.url) {
    case SWITCH_ROUTE: {
      const { scope: over, of = '', state } = request.body as Wish;
      if (state === 'halted') return false;
      const before = (await trading.switches()).find((one) => one.scope === over && one.of === of);
      return state !== 'reducing' || before?.state === 'halted';
    }
    case AMEND_ROUTE:
      return await isEnlarging(request, portfolios);
    case RESUME_ROUTE:
      return await isPausedByAnother(request, portfolios);
    case STRATEGY_ROUTE:
      return (request.body as Pick<Wish, 'state'>).state !== 'off';
    case MMP_RESET_ROUTE:
      return true;
    default:
      return false;
  }
}

interface Wish {
  readonly scope: string;
  readonly of?: string | undefined;
  readonly state: string;
}

/** @throws Refused if the amendment would be: by the time it was applied, it might not be any more. */
async function isEnlarging(
  request: FastifyRequest,
  portfolios: EngineApi['portfolios'],
): Promise<boolean> {
  const {
    portfolioId: portfolio,
    accountId: account,
    form,
    isPreview,
  } = request.body as z.output<typeof amendBodySchema>;
  if (isPreview) return false;
  const key = keyOf(request);
  const { uid, scopes } = key;
  return await forRequest({ method: 'portfolios/amend', uid, scopes }, async () => {
    await ownPortfolio(portfolios, key, portfolio);
    const asked = { portfolio, account, form, isPreview: true, by: actor(key) };
    return enlarges(form, granted(await portfolios.amend(asked)));
  });
}

/** What the same person paused, and only that, is resumed with the session alone. */
async function isPausedByAnother(
  request: FastifyRequest,
  portfolios: EngineApi['portfolios'],
): Promise<boolean> {
  const { portfolioId } = request.body as z.output<typeof holdBodySchema>;
  const key = keyOf(request);
  const { uid, scopes } = key;
  return await forRequest({ method: 'portfolios/resume', uid, scopes }, async () => {
    const { paused } = await ownPortfolio(portfolios, key, portfolioId);
    return paused !== undefined && paused.by !== uid;
  });
}
