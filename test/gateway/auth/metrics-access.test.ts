import { afterEach, describe, expect, test } from 'vitest';
import { seesPortfolios, withoutPortfolios } from '../../../src/gateway/auth/metrics-access.ts';
import { GatewayUnderTest } from '../gateway-under-test.ts';

const TOKEN = 'a-token-of-its-own-0123456789';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const TEXT = `# HELP twapd_portfolio_lateness_seconds of single portfolios, portfolio="none"
# TYPE twapd_portfolio_lateness_seconds gauge
twapd_portfolio_lateness_seconds{portfolio="1"} 0.1
twapd_portfolio_filled_ratio{account="a,}\\"b",portfolio="1",leg="0"} 0.5
twapd_portfolios{status="active"} 3
twapd_told{what="portfolio=\\"1\\""} 4
twapd_up 1
`;

const gateways: GatewayUnderTest[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
});

describe('metrics of single portfolios', () => {
  test('metrics of single portfolios are removed line by line, and nothing else is', () => {
    const lines = withoutPortfolios(TEXT).split('\n');
    expect(lines).toEqual(TEXT.split('\n').filter((_, index) => index !== 2 && index !== 3));
  });

  test.each([
    ['127.0.0.1', {}, true],
    ['127.8.0.1', {}, true],
    ['::1', {}, true],
    ['10.0.0.7', {}, false],
    ['2001:db8::1', {}, false],
    ['', {}, false],
    ['127.0.0.1', { 'x-forwarded-for': '10.0.0.7' }, false],
    ['127.0.0.1', { forwarded: 'for=10.0.0.7' }, false],
    ['127.0.0.1', { via: '1.1 proxy' }, false],
    ['127.0.0.1', { 'x-real-ip': '10.0.0.7' }, false],
    ['127.0.0.1', { host: 'evil.test' }, false],
    ['127.0.0.1', { host: 'localhost.evil.test:8080' }, false],
    ['127.0.0.1', { host: 'LOCALHOST:9090' }, true],
    ['::1', { host: '[::1]:8080' }, true],
  ])(
    'without a configured token, a request from %s with %j may read metrics of single portfolios: %s',
    (from, others, sees) => {
      const headers = { host: '127.0.0.1:8080', ...others };
      expect(seesPortfolios({ from, headers })).toBe(sees);
      expect(seesPortfolios({ from, headers: { ...headers, ...bearer(TOKEN) } })).toBe(sees);
    },
  );

  test.each([
    [bearer(TOKEN), true],
    [bearer(`${TOKEN}x`), false],
    [bearer(''), false],
    [{ authorization: TOKEN }, false],
    [{ authorization: `Basic ${TOKEN}` }, false],
    [{}, false],
  ])(
    'with a configured token, a remote request with %j may read metrics of single portfolios: %s',
    (headers, sees) => {
      expect(seesPortfolios({ from: '10.0.0.7', headers }, { token: TOKEN })).toBe(sees);
    },
  );

  test('metrics of single portfolios are served to the local machine and to clients with the token only', async () => {
    const gateway = await GatewayUnderTest.start(
      {},
      {
        metrics: async () => TEXT,
        metricsAccess: { token: TOKEN },
        trustedProxies: ['127.0.0.0/8'],
      },
    );
    gateways.push(gateway);
    const shown = async (headers: Record<string, string>): Promise<boolean> => {
      const answer = await fetch(`${gateway.url}/metrics`, { headers });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
      ]);
      const text = await answer.text();
      expect(text).toContain('twapd_portfolios{status="active"} 3');
      return text.includes('{portfolio="1"}');
    };
    const elsewhere = { 'X-Forwarded-For': '192.0.2.7' };
    expect(await shown({})).toBe(true);
    expect(await shown(elsewhere)).toBe(false);
    expect(await shown({ ...elsewhere, Authorization: `Bearer ${TOKEN}` })).toBe(true);
    expect(await shown({ ...elsewhere, Authorization: 'Bearer guessed' })).toBe(false);
  });
});

describe('readiness', () => {
  test('readiness includes warnings for the operator without affecting the status', async () => {
    const warnings = () => ['plain HTTP on 0.0.0.0'];
    const health = { live: () => true, warnings };
    const gateway = await GatewayUnderTest.start({}, { health });
    gateways.push(gateway);
    const { status, json } = await gateway.request('/readyz', { by: null });
    expect([status, json]).toEqual([
      200,
      { ready: true, reasons: [], warnings: ['plain HTTP on 0.0.0.0'] },
    ]);
  });
});
