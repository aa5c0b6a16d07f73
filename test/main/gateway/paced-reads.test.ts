// Market reads shared by many clients: each is as current as one of its own, and an engine is asked only so often.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EngineApi } from '../../../src/engine/interface/engine-api.ts';
import { pacedReads } from '../../../src/main/gateway/paced-reads.ts';
import { instrumentName, venueName } from '../../../src/values/ids.ts';

const PAPER = venueName('paper');
const BTC = instrumentName('BTC-PERPETUAL');

/** A market whose answer is the moment at which it was read. */
class Stage {
  nowMs = 0;
  reads: number[] = [];
  readonly #timers: { atMs: number; then: () => void }[] = [];
  readonly market: EngineApi['market'];
  isForKey = false;

  constructor() {
    const ticker = () => {
      this.reads.push(this.nowMs);
      return Promise.resolve(this.nowMs);
    };
    this.market = pacedReads({
      market: { ticker } as unknown as EngineApi['market'],
      isForKey: () => this.isForKey,
      nowMs: () => this.nowMs,
      wait: (delayMs, then) => this.#timers.push({ atMs: this.nowMs + delayMs, then }),
    });
  }

  ticker(): Promise<number> {
    return this.market.ticker(PAPER, BTC) as unknown as Promise<number>;
  }

  async passTo(ms: number): Promise<void> {
    await settled();
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined || next.atMs > ms) break;
      this.#timers.splice(this.#timers.indexOf(next), 1);
      this.nowMs = next.atMs;
      next.then();
      await settled();
    }
    this.nowMs = ms;
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('paced market reads', () => {
  test('requests of one turn share a read', async () => {
    const stage = new Stage();
    await Promise.all(Array.from({ length: 100 }, () => stage.ticker()));
    expect(stage.reads).toEqual([0]);
  });

  test('no answer is older than its request, and reads of a market are at least 5 ms apart', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 12 }), {
      minLength: 1,
      maxLength: 60,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(gaps, async (pauses) => {
        const stage = new Stage();
        const asked: { readonly atMs: number; readonly answer: Promise<number> }[] = [];
        for (const pause of pauses) {
          await stage.passTo(stage.nowMs + pause);
          asked.push({ atMs: stage.nowMs, answer: stage.ticker() });
        }
        await stage.passTo(stage.nowMs + 20);
        for (const { atMs, answer } of asked) {
          const readMs = await answer;
          expect(readMs).toBeGreaterThanOrEqual(atMs);
          expect(readMs).toBeLessThanOrEqual(atMs + 5);
        }
        stage.reads.forEach((atMs, index) => {
          if (index > 0) expect(atMs - (stage.reads[index - 1] ?? 0)).toBeGreaterThanOrEqual(5);
        });
      }),
    );
  });

  test('a read for a key does not wait for that of a client without one', async () => {
    const stage = new Stage();
    const open = stage.ticker();
    stage.isForKey = true;
    const ofKey = stage.ticker();
    await stage.passTo(0);
    expect(stage.reads).toEqual([0, 0]);
    await Promise.all([open, ofKey]);
  });

  test('a read that fails is made again by the next request', async () => {
    let isAway = true;
    const market = pacedReads({
      market: {
        ticker: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve('here')),
      } as unknown as EngineApi['market'],
      isForKey: () => false,
      nowMs: () => 0,
      wait: (_delayMs, then) => void setImmediate(then),
    });
    await expect(market.ticker(PAPER, BTC)).rejects.toThrow('away');
    isAway = false;
    expect(await market.ticker(PAPER, BTC)).toBe('here');
  });
});
