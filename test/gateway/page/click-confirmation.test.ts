// A press in the page in place of a code: accepted where nothing but paper money can be traded, and nowhere else.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../../src/values/assert.ts';
import { GatewayUnderTest, NOW_MS, perpetualBody } from '../gateway-under-test.ts';
import { browserRequest, enter, withSession } from './browser-request.ts';
import { pageOf } from './page-parts.ts';

const CLICK = { 'x-twapd-confirmed': 'click' };

let gateway: GatewayUnderTest;
let session: Record<string, string>;

async function codeOf(purpose: 'open' | 'confirm'): Promise<string> {
  const path = '/tt/broker/openapi/trading/page-code';
  return (await gateway.request(path, { body: { purpose } })).json.value.code;
}

const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  browserRequest(`${gateway.url}/page/api/${path}`, { body, headers: { ...session, ...headers } });

async function start(confirmsByClick: boolean, money: 'paper' | 'live'): Promise<void> {
  gateway = await GatewayUnderTest.start({}, { page: pageOf(money, confirmsByClick) });
  session = withSession(await enter(gateway.url, await codeOf('open')));
}
afterEach(() => gateway.close());

const activate = { scope: 'deployment', state: 'active', reason: 'all clear' };

/** Pauses the only portfolio as another person. */
function pausedByAnother(): void {
  const { records } = gateway.operations;
  const [id, summary] = must([...records][0], 'it was submitted');
  records.set(id, { ...summary, paused: { by: '7999', at: NOW_MS } });
}

describe('on paper money', () => {
  beforeEach(() => start(true, 'paper'));

  test('a press submits, activates and resumes, and the page reads that it does', async () => {
    const hello = await browserRequest(`${gateway.url}/page/hello`, { body: {}, headers: session });
    expect(hello.json.value.confirmsByClick).toBe(true);
    expect((await send('switch', activate, CLICK)).json.succ).toBe(true);
    const submitted = await send('submit', perpetualBody(), CLICK);
    expect(submitted.json.succ).toBe(true);
    pausedByAnother();
    const { portfolioId } = submitted.json.value;
    expect((await send('resume', { portfolioId }, CLICK)).json.succ).toBe(true);
  });

  test.each([{}, { 'x-twapd-confirmed': 'yes' }, { 'x-twapd-confirmed': '' }])(
    'a request with %o is not a press, and is refused for want of a code',
    async (headers) => {
      for (const [path, body] of [
        ['switch', activate],
        ['submit', perpetualBody()],
      ] as const) {
        const refused = await send(path, body, headers as Record<string, string>);
        expect([refused.status, refused.json.errors[0].field]).toEqual([403, 'code']);
      }
    },
  );

  test('a press confirms its own request only: the next one needs its own', async () => {
    expect((await send('submit', perpetualBody(), CLICK)).json.succ).toBe(true);
    expect((await send('submit', perpetualBody())).status).toBe(403);
  });

  test('a press without the second secret of the session is refused before it is looked at', async () => {
    const { cookie = '' } = session;
    session = { cookie };
    expect((await send('switch', activate, CLICK)).status).toBe(401);
  });

  test('a code is accepted as before', async () => {
    const code = { 'x-twapd-code': await codeOf('confirm') };
    expect((await send('switch', activate, code)).json.succ).toBe(true);
  });
});

describe('on other money', () => {
  test.each(['live', 'paper'] as const)(
    'with %s money at an address, a press is refused, and a fresh code accepted',
    async (money) => {
      await start(false, money);
      const hello = await browserRequest(`${gateway.url}/page/hello`, {
        body: {},
        headers: session,
      });
      expect(hello.json.value.confirmsByClick).toBe(false);
      for (const [path, body] of [
        ['switch', activate],
        ['submit', perpetualBody()],
      ] as const) {
        const refused = await send(path, body, CLICK);
        expect([refused.status, refused.json.errors[0].field]).toEqual([403, 'code']);
      }
      const code = { ...CLICK, 'x-twapd-code': await codeOf('confirm') };
      expect((await send('switch', activate, code)).json.succ).toBe(true);
    },
  );
});
