// Limits replaced while a gateway is serving apply to the next request, and to everything opened before.
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts';
import { LiveLimits } from '../../../src/gateway/limits/live-limits.ts';
import { GatewayUnderTest, PATH, TAKER } from '../gateway-under-test.ts';

const ONE = { perSecond: 0.01, burst: 1 };
const PAGE = `${PATH}/page?accountId=10001`;

let gateway: GatewayUnderTest | undefined;
afterEach(async () => await gateway?.close());

test('every part handed out before shows the new limits', () => {
  const live = new LiveLimits(DEFAULT_LIMITS);
  const { current, rates } = live;
  const { rid, address, stream } = current;
  const next = {
    ...DEFAULT_LIMITS,
    inFlightMax: 7,
    rates: { ...DEFAULT_LIMITS.rates, read: ONE },
    address: { ...DEFAULT_LIMITS.address, connectionsMax: 3 },
    stream: { ...DEFAULT_LIMITS.stream, connectionsPerKeyMax: 2 },
    rid: { ...DEFAULT_LIMITS.rid, rates: { ...DEFAULT_LIMITS.rid.rates, order: ONE } },
  };
  live.replace(next);
  expect(current).toEqual(next);
  expect([rid, address, stream]).toEqual([next.rid, next.address, next.stream]);
  expect(rates).toEqual({ ...next.rates, ...next.rid.rates });
  expect(DEFAULT_LIMITS.rates.read).not.toEqual(ONE);
});

test('a lowered or raised rate applies to the next request', async () => {
  gateway = await GatewayUnderTest.start();
  const request = async () =>
    (await gateway?.request(PAGE, { by: TAKER, stampedAtMs: gateway.nowMs }))?.status;
  expect(await request()).toBe(200);
  gateway.reload({ rates: { ...DEFAULT_LIMITS.rates, read: ONE } });
  const answers = [await request(), await request(), await request()];
  expect(answers.at(-1)).toBe(429);
  gateway.reload({ rates: { ...DEFAULT_LIMITS.rates, read: { perSecond: 1e6, burst: 9 } } });
  gateway.nowMs += 1_000;
  expect(await request()).toBe(200);
});
