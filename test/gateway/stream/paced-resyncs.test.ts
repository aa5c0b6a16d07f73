import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { watchNews } from '../../../src/gateway/client/stream-client.ts';
import { PacedResyncs } from '../../../src/gateway/stream/paced-resyncs.ts';
import { rng } from '../../../src/values/rng.ts';

interface Timer {
  readonly atMs: number;
  readonly call: () => void;
}

/** Paced resyncs with a clock controlled by the test. */
function paced(seed: string) {
  const delivered: { readonly item: number; readonly atMs: number }[] = [];
  const timers = new Set<Timer>();
  let nowMs = 0;
  const resyncs = new PacedResyncs<number>({
    deliver: (item) => delivered.push({ item, atMs: nowMs }),
    rng: rng(seed),
    nowMs: () => nowMs,
    after: (delayMs, call) => {
      const timer = { atMs: nowMs + delayMs, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const passTo = (untilMs: number): void => {
    for (;;) {
      const [next] = [...timers].sort((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      timers.delete(next);
      nowMs = next.atMs;
      next.call();
    }
    nowMs = untilMs;
  };
  return { resyncs, delivered, timers, passTo };
}

describe('repeated resyncs', () => {
  test('repeated resyncs are passed on at once, then with pauses that increase to half a minute', () => {
    const { resyncs, delivered, passTo } = paced('storm');
    for (let ms = 0; ms <= 600_000; ms += 20) {
      passTo(ms);
      resyncs.heard(ms);
    }
    expect(delivered[0]).toEqual({ item: 0, atMs: 0 });
    expect(delivered.length).toBeGreaterThan(10);
    expect(delivered.length).toBeLessThan(60);
    const gaps = delivered.slice(1).map(({ atMs }, n) => atMs - (delivered[n]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(30_000);
    expect(Math.max(...gaps.slice(0, 3))).toBeLessThan(Math.max(...gaps.slice(6)));
  });

  test('repeated resyncs are never lost: the last one is passed on within the longest pause', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 90_000 }), {
      minLength: 1,
      maxLength: 60,
      size: 'max',
    });
    fc.assert(
      fc.property(gaps, fc.string(), (course, seed) => {
        const { resyncs, delivered, passTo } = paced(seed);
        let atMs = 0;
        for (const [item, gapMs] of course.entries()) {
          atMs += gapMs;
          passTo(atMs);
          resyncs.heard(item);
        }
        passTo(atMs + 30_000);
        expect(delivered.at(-1)?.item).toBe(course.length - 1);
        expect(delivered[0]).toEqual({ item: 0, atMs: course[0] });
        // After a quiet minute the next one does not wait.
        const last = delivered.at(-1)?.atMs ?? 0;
        passTo(last + 90_000);
        resyncs.heard(-1);
        expect(delivered.at(-1)).toEqual({ item: -1, atMs: last + 90_000 });
      }),
      { numRuns: 200 },
    );
  });

  test('repeated resyncs are dropped when the connection ends, and no timer is left', () => {
    const { resyncs, delivered, timers, passTo } = paced('end');
    resyncs.heard(1);
    resyncs.heard(2);
    resyncs.stop();
    expect(timers.size).toBe(0);
    passTo(100_000);
    expect(delivered).toEqual([{ item: 1, atMs: 0 }]);
  });
});

test('a client of a gateway that sends only resyncs delivers few of them', async () => {
  const RESYNCS = 500;
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket) => {
    socket.on('message', () => {
      const data = [{ channel: 'trade-news', success: true, errorMsg: null, sequence: '1' }];
      socket.send(JSON.stringify({ id: 'news', op: 'subscribe', code: 0, data }));
      for (let n = 0; n < RESYNCS; n += 1) {
        socket.send(JSON.stringify({ op: 'resync', sequence: String(n), reason: 'forgotten' }));
      }
      socket.close(1012, 'restart');
    });
  });
  const { port } = server.address() as AddressInfo;
  const kinds: string[] = [];
  const key = { keyId: 'nobody', secret: 'c2VjcmV0' };
  for await (const item of watchNews({ baseUrl: `http://127.0.0.1:${port}`, ...key }, 'all')) {
    kinds.push(item.kind);
  }
  server.close();
  expect(kinds.at(-1)).toBe('ended');
  const told = kinds.filter((kind) => kind === 'resync').length;
  expect(told).toBeGreaterThan(0);
  expect(told).toBeLessThan(RESYNCS / 10);
});
