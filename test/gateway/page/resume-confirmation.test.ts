// What the page may resume with the session alone, and what needs a fresh code.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../../src/values/assert.ts';
import { GatewayUnderTest, NOW_MS, perpetualBody, TAKER } from '../gateway-under-test.ts';
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

async function codeOf(purpose: 'open' | 'confirm'): Promise<string> {
  const path = '/tt/broker/openapi/trading/page-code';
  return (await gateway.request(path, { body: { purpose } })).json.value.code;
}

const resume = (headers: Record<string, string> = {}, id = portfolioId) =>
  browserRequest(`${gateway.url}/page/api/resume`, {
    body: { portfolioId: id },
    headers: { ...session, ...headers },
  });

function pausedBy(by: string | undefined): void {
  const { records } = gateway.operations;
  const [id, summary] = must([...records][0], 'it was submitted');
  records.set(id, { ...summary, paused: by === undefined ? by : { by, at: NOW_MS } });
}

test.each([TAKER.uid, undefined])(
  'what %s paused is resumed with the session alone by its holder',
  async (by) => {
    pausedBy(by);
    expect((await resume()).json.succ).toBe(true);
  },
);

test.each(['7999', 'PT-20'])(
  'what %s paused is resumed with a fresh code only, good once',
  async (by) => {
    pausedBy(by);
    const refused = await resume();
    expect([refused.status, refused.json.errors[0].field]).toEqual([403, 'code']);
    expect((await resume({ 'x-twapd-code': await codeOf('open') })).status).toBe(403);
    const code = await codeOf('confirm');
    expect((await resume({ 'x-twapd-code': code })).json.succ).toBe(true);
    pausedBy(by);
    expect((await resume({ 'x-twapd-code': code })).status).toBe(403);
  },
);

test('a code given to enter portfolios does not resume what another paused', async () => {
  const headers = { ...session, 'x-twapd-code': await codeOf('confirm') };
  const url = `${gateway.url}/page/api/submit`;
  const body = perpetualBody({ customizedNote: 'another' });
  expect((await browserRequest(url, { body, headers })).json.succ).toBe(true);
  pausedBy('7999');
  expect((await resume()).status).toBe(403);
});

test('a program resumes what another paused by its signature', async () => {
  pausedBy('7999');
  const path = '/tt/broker/openapi/portfolios/resume';
  expect((await gateway.request(path, { body: { portfolioId } })).json.succ).toBe(true);
});

test('a portfolio that is not of the session is not found, paused or not', async () => {
  expect((await resume({}, 1)).json).toMatchObject({ succ: false });
});
