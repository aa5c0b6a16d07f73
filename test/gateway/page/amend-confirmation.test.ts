// What the page may amend with the session alone, and what needs a fresh code.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AmendForm } from '../../../src/core/portfolio/admission/admit-amend.ts';
import type { Amended } from '../../../src/engine/interface/change-operations.ts';
import { enlarges } from '../../../src/gateway/page/enlarging-amend.ts';
import { GatewayUnderTest, perpetualBody, STRANGER, TAKER } from '../gateway-under-test.ts';
import { browserRequest, enter, withSession } from './browser-request.ts';

let gateway: GatewayUnderTest;
let portfolioId: number;
let session: Record<string, string>;
beforeEach(async () => {
  gateway = await GatewayUnderTest.start();
  const { json } = await gateway.submit(perpetualBody());
  portfolioId = json.value.portfolioId;
  session = withSession(await enter(gateway.url, await codeOf('open')));
});
afterEach(() => gateway.close());

async function codeOf(purpose: 'open' | 'confirm', by = TAKER): Promise<string> {
  const path = '/tt/broker/openapi/trading/page-code';
  return (await gateway.request(path, { body: { purpose }, by })).json.value.code;
}

const amend = (changes: object, headers: Record<string, string> = {}) =>
  browserRequest(`${gateway.url}/page/api/amend`, {
    body: { portfolioId, ...changes },
    headers: { ...session, ...headers },
  });

const total = (quantity: string) => ({ legs: [{ leg: 0, quantity, filledSeen: '0' }] });

test('a smaller total and another end need nothing but the session', async () => {
  expect((await amend(total('9000'))).json.succ).toBe(true);
  expect((await amend({ durationSec: 1_200 })).json.succ).toBe(true);
});

test('a larger total is shown to everybody and made only with a fresh code of the same key', async () => {
  expect((await amend({ ...total('12000'), preview: true })).json.value.applied).toBe(false);
  const refused = await amend(total('12000'));
  expect([refused.status, refused.json.errors[0].field]).toEqual([403, 'code']);
  const foreign = await codeOf('confirm', STRANGER);
  expect((await amend(total('12000'), { 'x-twapd-code': foreign })).status).toBe(403);
  const code = await codeOf('confirm');
  expect((await amend(total('12000'), { 'x-twapd-code': code })).json.value.applied).toBe(true);
  expect((await amend(total('13000'), { 'x-twapd-code': code })).status).toBe(403);
  expect(gateway.operations.amends.filter(({ isPreview }) => !isPreview)).toHaveLength(1);
});

test('an amendment that would be refused is refused as by the operation, and spends no code', async () => {
  const code = await codeOf('confirm');
  const late = { legs: [{ leg: 0, quantity: '12000', filledSeen: '5' }] };
  const answer = await amend(late, { 'x-twapd-code': code });
  expect(answer.json).toMatchObject({ succ: false, code: 40903 });
  expect((await amend(total('12000'), { 'x-twapd-code': code })).json.succ).toBe(true);
});

const LIMITS = { maxCatchUp: 3, collar: '0.01', bandBps: 50 };
const of = (limits: object): Amended =>
  ({ legs: [], limitsBefore: LIMITS, limits: { ...LIMITS, ...limits } }) as unknown as Amended;

test.each([
  ['nothing', {}, false],
  ['a tighter limit', { bandBps: 20 }, false],
  ['a limit that was off', { slippageMaxBps: 20 }, false],
  ['a looser limit', { bandBps: 60 }, true],
  ['a looser limit that is written as text', { collar: '0.1' }, true],
  ['a removed limit', { bandBps: undefined }, true],
])('%s counts as trading more: %j is %s', (_name, limits, expected) => {
  expect(enlarges({ legs: [] }, of(limits))).toBe(expected);
});

test('other prices count as trading more', () => {
  const legs = [{ leg: 0, priceOptions: { priceType: 'MARKET' } }];
  expect(enlarges({ legs } as unknown as AmendForm, of({}))).toBe(true);
});

test('the report opens by a link with the cookie alone, for the accounts of the session, and only on this host', async () => {
  const { cookie = '' } = session;
  const url = `${gateway.url}/page/report?portfolioId=${portfolioId}`;
  const { status, text, headers } = await browserRequest(url, { headers: { cookie } });
  expect([status, headers['x-frame-options']]).toEqual([200, 'DENY']);
  expect(text).toContain(`Execution costs of portfolio ${portfolioId}`);
  expect((await browserRequest(url)).status).toBe(401);
  expect((await browserRequest(url, { headers: { cookie, host: 'evil.test' } })).status).toBe(421);
  const theirs = await gateway.submit(perpetualBody({ accountId: 10002 }), { by: STRANGER });
  const foreign = `${gateway.url}/page/report?portfolioId=${theirs.json.value.portfolioId}`;
  const answer = await browserRequest(foreign, { headers: { cookie } });
  expect(answer.json.code).toBe(40401);
});
