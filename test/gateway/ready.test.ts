// Documents, lists and metrics are generated once and shared by many clients.
import { afterEach, describe, expect, test } from 'vitest';
import { sharedText } from '../../src/gateway/http/health-routes.ts';
import { InstrumentLists } from '../../src/gateway/order-api/market/instrument-lists.ts';
import { instrumentView } from '../../src/gateway/order-api/market/instrument-view.ts';
import type { MarketReads } from '../../src/ports/market-reads.ts';
import { type Instant, instant } from '../../src/values/instant.ts';
import type { Instrument } from '../../src/values/instrument.ts';
import { VirtualClock } from '../../src/virtual/virtual-clock.ts';
import { NOON, paperVenue } from '../adapters/paper/paper-stage.ts';
import { GatewayUnderTest } from './gateway-under-test.ts';

let gateway: GatewayUnderTest | undefined;
afterEach(async () => await gateway?.close());

describe('documents and their static files', () => {
  test.each([
    '/openapi.json',
    '/asyncapi.json',
    '/docs/static/swagger-ui.css',
    '/docs/json',
    '/docs/',
  ])('%s is the same for all clients, and 304 for clients that have it', async (path) => {
    gateway = await GatewayUnderTest.start();
    const read = async (headers: Record<string, string> = {}) => {
      const response = await fetch(`${gateway?.url}${path}`, { headers });
      return { response, text: await response.text() };
    };
    const [first, second] = [await read(), await read()];
    expect(first.response.status).toBe(200);
    expect(first.text.length).toBeGreaterThan(100);
    expect(second.text).toBe(first.text);
    const etag = second.response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(first.response.headers.get('etag')).toBe(etag);
    for (const name of ['content-type', 'content-security-policy']) {
      expect(second.response.headers.get(name)).toBe(first.response.headers.get(name));
    }
    const known = await read({ 'If-None-Match': `"other", W/${etag}` });
    expect([known.response.status, known.text]).toEqual([304, '']);
    const other = await read({ 'If-None-Match': '"other"' });
    expect(other.response.status).toBe(200);
  });

  test('a query in the address does not affect what other clients get', async () => {
    gateway = await GatewayUnderTest.start();
    const odd = await (await fetch(`${gateway.url}/docs/?x`)).text();
    const plain = await (await fetch(`${gateway.url}/docs/`)).text();
    const again = await (await fetch(`${gateway.url}/docs/`)).text();
    expect(again).toBe(plain);
    expect(odd.length).toBeGreaterThan(0);
  });
});

describe('a shared text', () => {
  test('a shared text is generated once for all requests meanwhile and for a while afterwards', async () => {
    let nowMs = 0;
    let made = 0;
    const ready: (() => void)[] = [];
    const text = sharedText(
      () => new Promise((resolve) => ready.push(() => resolve(`text ${++made}`))),
      250,
      () => nowMs,
    );
    const first = [text(), text()];
    nowMs = 1_000;
    first.push(text());
    expect(ready).toHaveLength(1);
    ready[0]?.();
    expect(await Promise.all(first)).toEqual(['text 1', 'text 1', 'text 1']);
    nowMs = 1_001;
    const next = text();
    expect(ready).toHaveLength(2);
    ready[1]?.();
    expect(await next).toBe('text 2');
    nowMs = 1_250;
    expect(await text()).toBe('text 2');
    nowMs = 1_251;
    void text();
    expect(ready).toHaveLength(3);
  });

  test('a shared text is generated again after a failure', async () => {
    let tries = 0;
    const text = sharedText(
      () => Promise.reject(new Error(`try ${++tries}`)),
      250,
      () => 0,
    );
    await expect(text()).rejects.toThrow('try 1');
    await expect(text()).rejects.toThrow('try 2');
  });
});

describe('lists of instruments', () => {
  const venue = () => paperVenue(new VirtualClock(NOON), {});
  const marketOf = (listed: () => readonly Instrument[]): MarketReads =>
    ({ listed: () => listed() }) as unknown as MarketReads;
  const all = { currency: undefined, kinds: undefined, expired: false };
  const namesOf = (json: { toJSON(): unknown }) =>
    (json.toJSON() as { instrumentName: string }[]).map(({ instrumentName }) => instrumentName);

  async function scene() {
    const paper = venue();
    const instruments = paper.market.listed({ expired: false });
    await paper.close();
    return { instruments, lists: new InstrumentLists(instrumentView) };
  }

  test('lists of instruments share their bytes until the listing changes', async () => {
    const { instruments, lists } = await scene();
    let listed = instruments;
    const markets = [marketOf(() => listed)];
    const first = await lists.find(markets, all, NOON);
    expect(namesOf(first)).toEqual(instruments.map(({ name }) => name));
    listed = [...instruments];
    expect(await lists.find(markets, all, NOON)).toBe(first);
    listed = instruments.slice(1);
    const next = await lists.find(markets, all, NOON);
    expect(namesOf(next)).toEqual(instruments.slice(1).map(({ name }) => name));
  });

  test('lists of instruments are serialised again as soon as one of their instruments expires', async () => {
    const { instruments, lists } = await scene();
    const markets = [marketOf(() => instruments)];
    const expiries = instruments.flatMap(({ expiresAt }) => expiresAt ?? []);
    const earliest = Math.min(...expiries) as Instant;
    const activeAt = async (now: Instant) =>
      ((await lists.find(markets, all, now)).toJSON() as { isActive: boolean }[]).filter(
        ({ isActive }) => isActive,
      ).length;
    expect(await activeAt(NOON)).toBe(instruments.length);
    expect(await activeAt(instant(earliest - 1))).toBe(instruments.length);
    expect(await activeAt(earliest)).toBeLessThan(instruments.length);
  });

  test('lists of instruments are serialised in chunks, so that other work is not blocked', async () => {
    const { instruments, lists } = await scene();
    const found = lists.find([marketOf(() => instruments)], all, NOON);
    expect(found).toBeInstanceOf(Promise);
    let turns = 0;
    let isReady = false;
    void Promise.resolve(found).then(() => {
      isReady = true;
    });
    while (!isReady) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    expect(turns).toBeGreaterThanOrEqual(Math.floor(instruments.length / 100) - 1);
    const coin = { ...all, currency: 'BTC', kinds: ['option', 'future'] as const };
    expect(lists.find([marketOf(() => instruments)], coin, NOON)).not.toBeInstanceOf(Promise);
  });
});
