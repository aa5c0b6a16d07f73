import { afterEach, describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/gateway/auth/signed-stamp.ts';
import { METHODS } from '../../src/gateway/order-api/method-table.ts';
import { TRADING_PATH } from '../../src/gateway/trading/serve-trading.ts';
import { NO_COUNTS } from '../../src/gateway/wire/gateway-counts-port.ts';
import { GatewayUnderTest, PATH, perpetualBody, TAKER } from './gateway-under-test.ts';

let gateway: GatewayUnderTest;
afterEach(() => gateway.close());

/** A gate at which operations wait until it is opened. */
function held(): { readonly until: Promise<void>; readonly letGo: () => void } {
  let letGo = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { until, letGo };
}

describe('health', () => {
  it('health distinguishes live from ready, with reasons', async () => {
    gateway = await GatewayUnderTest.start();
    expect(await gateway.request('/healthz', { by: null })).toMatchObject({
      status: 200,
      json: { live: true },
    });
    expect(await gateway.request('/readyz', { by: null })).toMatchObject({
      status: 200,
      json: { ready: true, reasons: [] },
    });
    gateway.notReady = ['recovering 3 portfolios'];
    expect(await gateway.request('/readyz', { by: null })).toMatchObject({
      status: 503,
      json: { ready: false, reasons: ['recovering 3 portfolios'] },
    });
  });

  it('the metrics are served in Prometheus format', async () => {
    gateway = await GatewayUnderTest.start();
    const { json, headers } = await gateway.request('/metrics', { by: null });
    expect(json).toBe('twapd_up 1\n');
    expect(headers.get('content-type')).toContain('text/plain; version=0.0.4');
  });
});

describe('the OpenAPI document', () => {
  it('the OpenAPI document is generated from the validating schemas', async () => {
    gateway = await GatewayUnderTest.start();
    const { json } = await gateway.request('/openapi.json', { by: null });
    expect(json.openapi).toMatch(/^3\.1/);
    expect(Object.keys(json.paths).sort()).toEqual(
      [
        '/healthz',
        '/metrics',
        '/readyz',
        ...[
          'amend',
          'cancel',
          'cancel-all',
          'counts',
          'course',
          'history',
          'info',
          'page',
          'pause',
          'plan',
          'report',
          'report-summary',
          'resume',
          'submit',
        ].map((name) => `${PATH}/${name}`),
        ...[
          'actions',
          'keys',
          'limits',
          'override',
          'override-grant',
          'overrides',
          'page-code',
          'page-session-end',
          'page-sessions',
          'strategies',
          'strategy-switch',
          'summary',
          'switch',
          'switch-history',
          'switches',
          'unaccounted',
          'whoami',
        ].map((name) => `${TRADING_PATH}/${name}`),
        ...[...METHODS.keys()].map((name) => `/api/${name}`),
      ].sort(),
    );
    const submit = json.paths[`${PATH}/submit`].post;
    const body = submit.requestBody.content['application/json'].schema;
    expect(body.properties.legs.maxItems).toBe(20);
    expect(body.required).toEqual(expect.arrayContaining(['accountId', 'legs', 'portfolioType']));
    expect(submit.security).toEqual([{ key: [], timestamp: [], nonce: [], signature: [] }]);
    const buy = json.paths['/api/private/buy'].post;
    const params = buy.requestBody.content['application/json'].schema.properties.params;
    expect(Object.keys(params.properties)).toContain('triggerFillCondition');
    expect(buy.security).toHaveLength(1);
    const page = json.paths[`${PATH}/page`].get;
    expect(page.parameters.map((one: { name: string }) => one.name)).toContain('hideFullyUnfilled');
  });

  it('the OpenAPI document is shown as a web page without external resources', async () => {
    gateway = await GatewayUnderTest.start();
    const page = await fetch(`${gateway.url}/docs/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    const sources = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, at]) => at,
    );
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) {
      const url = new URL(source ?? '', `${gateway.url}/docs/`);
      expect(url.origin).toBe(gateway.url);
      expect((await fetch(url)).status, url.pathname).toBe(200);
    }
  });
});

describe('closing', () => {
  it('closing the server completes requests in flight and refuses new ones', async () => {
    gateway = await GatewayUnderTest.start();
    const work = held();
    const submit = gateway.operations.submit.bind(gateway.operations);
    gateway.operations.submit = async (form, by, once) => {
      await work.until;
      return await submit(form, by, once);
    };
    const first = gateway.submit(perpetualBody());
    while (gateway.nonces.size === 0) await new Promise((resolve) => setImmediate(resolve));
    const closing = gateway.close();
    work.letGo();
    expect((await first).json.succ).toBe(true);
    await closing;
    await expect(gateway.request('/healthz', { by: null })).rejects.toThrow('fetch failed');
  });

  it('closing the server takes no longer than its limit', async () => {
    gateway = await GatewayUnderTest.start({ drainMs: 50 });
    const work = held();
    gateway.operations.info = async () => {
      await work.until;
      return undefined;
    };
    const hanging = expect(gateway.request(`${PATH}/info?portfolioId=1`)).rejects.toThrow();
    while (gateway.nonces.size === 0) await new Promise((resolve) => setImmediate(resolve));
    await gateway.close();
    await hanging;
    work.letGo();
  });
});

describe('too many requests at once', () => {
  it('too many requests at once are refused for now, while those in flight continue', async () => {
    gateway = await GatewayUnderTest.start({ inFlightMax: 1 });
    const work = held();
    gateway.operations.info = async () => {
      await work.until;
      return undefined;
    };
    const first = gateway.request(`${PATH}/info?portfolioId=1`);
    while (gateway.nonces.size === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await gateway.submit(perpetualBody());
    expect(second).toMatchObject({ status: 503, json: { succ: false, code: 50301 } });
    expect(second.headers.get('retry-after')).toBe('1');
    expect((await gateway.request('/healthz', { by: null })).status).toBe(200);
    work.letGo();
    expect((await first).json.code).toBe(40401);
    while ((await gateway.submit(perpetualBody())).status === 503) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
});

describe('requests that their client has dropped', () => {
  it.each([
    ['a portfolio operation', `${PATH}/info?portfolioId=1`],
    ['another route', '/metrics'],
  ])('%s stays in flight until it has ended, though its client is gone', async (_, target) => {
    const work = held();
    const seen = { begun: 0, closed: 0 };
    const wait = async (): Promise<void> => {
      seen.begun += 1;
      await work.until;
    };
    gateway = await GatewayUnderTest.start(
      { inFlightMax: 1 },
      {
        counts: {
          ...NO_COUNTS,
          ended: () => {
            seen.closed += 1;
          },
        },
        metrics: async () => {
          await wait();
          return '';
        },
      },
    );
    gateway.operations.info = async () => {
      await wait();
      return undefined;
    };
    const client = new AbortController();
    const dropped = fetch(gateway.url + target, {
      headers: signedHeaders({ ...TAKER, keyId: TAKER.id }, gateway.nowMs, {
        method: 'GET',
        target,
        body: Buffer.alloc(0),
      }),
      signal: client.signal,
    });
    await expect.poll(() => seen.begun).toBe(1);
    client.abort();
    await expect(dropped).rejects.toThrow('aborted');
    await expect.poll(() => seen.closed).toBe(1);
    expect(await gateway.submit(perpetualBody())).toMatchObject({ status: 503 });
    work.letGo();
    await expect.poll(async () => (await gateway.submit(perpetualBody())).status).toBe(200);
  });
});

describe('the counts', () => {
  it('the counts contain answers by route and refusals by kind, but no client text', async () => {
    const told: string[] = [];
    gateway = await GatewayUnderTest.start(
      {},
      {
        counts: {
          ...NO_COUNTS,
          answered: ({ route, method, code }) => told.push(`${method} ${route} ${code}`),
          refused: (kind) => told.push(kind),
        },
      },
    );
    await gateway.request('/made-up');
    await gateway.submit(perpetualBody({ legs: [{}] }));
    await gateway.request(`${PATH}/info?portfolioId=1`, { by: null });
    while (told.length < 5) await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([
      'GET undefined 404',
      'invalid_parameter',
      `POST ${PATH}/submit 200`,
      'signature',
      `GET ${PATH}/info 401`,
    ]);
  });
});
