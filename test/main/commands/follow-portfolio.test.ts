// How `watch` treats a daemon that resyncs, restarts or limits the rate: few requests, with back-off.
import { describe, expect, test } from 'vitest';
import type { Client, Result } from '../../../src/gateway/client/client.ts';
import type { StreamItem } from '../../../src/gateway/client/stream-client.ts';
import type { PortfolioRecord } from '../../../src/gateway/portfolios/record-schema.ts';
import { followPortfolio } from '../../../src/main/commands/watch/follow-portfolio.ts';
import { noticeOf } from '../../../src/main/commands/watch/top.ts';
import { RateLimited } from '../../../src/main/commands/watch/top-reading.ts';
import { topLines } from '../../../src/main/commands/watch/top-screen.ts';
import { record } from '../portfolio-records.ts';

type Read = Result<PortfolioRecord>;

const LIMITED: Read = {
  kind: 'refused',
  status: 429,
  code: 42901,
  message: 'slow down',
  errors: [],
  retryAfterSec: 7,
};
const AWAY: Read = { kind: 'unreachable', message: 'connect ECONNREFUSED' };
const LISTENING: StreamItem = { kind: 'listening', sequence: '1' };
const done = (changes: Partial<PortfolioRecord> = {}): Read => ({
  kind: 'done',
  value: record(changes),
});
const OVER = done({ portfolioStatus: 2, updateTimestamp: '9999999999999' });
const ended = (code: number, retryAfterSec?: number): StreamItem => ({
  kind: 'ended',
  code,
  reason: 'so it is',
  retryAfterSec,
});

/** A daemon that gives these replies in order, repeating the last one, and these connections. */
function followed(reads: readonly Read[], connections: readonly (readonly StreamItem[])[]) {
  const told = { reads: 0, connections: 0, silences: [] as string[], pausesMs: [] as number[] };
  let nowMs = 0;
  const client: Pick<Client, 'info' | 'watch'> = {
    info: () => {
      const answer = reads[Math.min(told.reads, reads.length - 1)] ?? AWAY;
      told.reads += 1;
      return Promise.resolve(answer);
    },
    watch: async function* () {
      const items = connections[Math.min(told.connections, connections.length - 1)] ?? [];
      told.connections += 1;
      yield* items;
    },
  };
  const follower = {
    onRecord: () => undefined,
    onSilence: (reason: string) => told.silences.push(reason),
    waitMs: 600_000,
  };
  const time = {
    nowMs: () => nowMs,
    pause: (ms: number) => {
      told.pausesMs.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
  };
  return { told, result: followPortfolio(client, '7', follower, time) };
}

describe('following a portfolio', () => {
  test('watch waits for Retry-After if the rate is limited, and reports it', async () => {
    const { told, result } = followed([done(), LIMITED, LIMITED, OVER], [[LISTENING]]);
    await result;
    expect(told.reads).toBe(4);
    expect(told.pausesMs.every((ms) => ms >= 7_000)).toBe(true);
    const [limited] = new Set(told.silences);
    expect(limited).toBe('rate limited by the daemon; retrying in 7 s');
    expect(new Set(told.silences).size).toBe(1);
  });

  test('watch does not end if its very first read is rate-limited', async () => {
    const { told, result } = followed([LIMITED, OVER], [[LISTENING]]);
    await result;
    expect(told.pausesMs).toHaveLength(1);
  });

  test('watch reports a connection refused for its rate as rate-limited, not as away', async () => {
    const connections = [[ended(429, 12)], [LISTENING]];
    const { told, result } = followed([done(), OVER], connections);
    await result;
    expect(told.silences).toEqual(['rate limited by the daemon; retrying in 12 s']);
    expect(told.pausesMs[0]).toBeGreaterThanOrEqual(12_000);
  });

  test('watch reconnects to an unreachable daemon with exponential back-off', async () => {
    const away = Array.from({ length: 12 }, () => [ended(1006)]);
    const { told, result } = followed([done(), OVER], [...away, [LISTENING]]);
    await result;
    expect(told.reads).toBe(2);
    expect(told.pausesMs).toHaveLength(12);
    expect(told.pausesMs[0]).toBeLessThanOrEqual(500);
    expect(Math.min(...told.pausesMs.slice(6))).toBeGreaterThanOrEqual(5_000);
    expect(Math.max(...told.pausesMs)).toBeLessThanOrEqual(10_000);
    expect(new Set(told.silences)).toEqual(new Set(['the daemon does not answer, waiting for it']));
  });

  test('watch reads the record once for each resync', async () => {
    const resync: StreamItem = { kind: 'resync', sequence: '5', reason: 'forgotten' };
    const { told, result } = followed(
      [done(), done(), done(), OVER],
      [[LISTENING, resync, resync]],
    );
    await result;
    expect(told.reads).toBe(4);
    expect(told.pausesMs).toEqual([]);
  });

  test('watch ends if the daemon stays away for too long, and immediately if it is refused', async () => {
    const gone = followed([done(), AWAY], [[ended(1006)]]);
    await expect(gone.result).rejects.toMatchObject({ ending: 'unreachable' });
    const unknown: Read = { ...LIMITED, status: 404, code: 40401 };
    const foreign = followed([done(), unknown], [[LISTENING]]);
    await expect(foreign.result).rejects.toMatchObject({ ending: 'refused' });
    expect(foreign.told.pausesMs).toEqual([]);
  });
});

test('top shows a rate-limiting daemon as rate limited, and an unreachable one as away', () => {
  const screen = { nowMs: 0, columns: 120, rows: 30 };
  const reading = {
    url: 'http://127.0.0.1:1',
    ready: true,
    reasons: [],
    portfolios: [],
    total: 0,
    trading: 'active',
    held: 0,
    mmpFrozen: 0,
    mmpWaiting: 0,
    undecided: 0,
  };
  const drawn = (trouble: Error) =>
    topLines(reading, { ...screen, ...noticeOf(trouble) }).join('\n');
  const limited = drawn(new RateLimited(3));
  expect(limited).toContain('rate limited by the daemon; retrying in 3 s');
  expect(limited).not.toContain('away');
  expect(drawn(new Error('no route'))).toContain('away');
});
