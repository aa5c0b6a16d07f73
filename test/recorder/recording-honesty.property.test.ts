// Whatever happens to the recorder, its venue and its store: a trade is recorded once, or a gap covers it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PublicTrade } from '../../src/ports/market-history.ts';
import { perpetual } from '../support/engine/markets.ts';
import { RecordStage, settle } from '../support/recording/record-stage.ts';

const BTC = perpetual().name;

type Act =
  | { readonly kind: 'trades'; readonly count: number }
  | { readonly kind: 'repeat' }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'kill' | 'stop' | 'outage' | 'reconnect' | 'stall' };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('trades'), count: fc.nat({ max: 8 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'repeat' }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.nat({ max: 9_000 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('kill', 'stop', 'outage', 'reconnect', 'stall'),
    }),
  },
) as fc.Arbitrary<Act>;

interface Made {
  readonly id: string;
  readonly atUs: number;
}

/** Keeps account of what the venue traded, published or not. */
class Run {
  readonly stage = new RecordStage();
  readonly made: Made[] = [];
  #last: Partial<PublicTrade> = {};
  #release: () => void = () => undefined;
  #isOut = false;

  begin(): Promise<unknown> {
    return this.stage.record({ pendingMax: 1_500 });
  }

  async perform(one: Act): Promise<void> {
    const { stage } = this;
    switch (one.kind) {
      case 'trades':
        for (let made = 0; made < one.count; made += 1) this.#trade();
        return;
      case 'repeat':
        if (this.made.length > 0 && !this.#isOut) {
          stage.market.trade(BTC, this.made.length, this.#last);
        }
        return;
      case 'pass':
        return await stage.pass(one.ms);
      case 'kill':
        this.#resume();
        stage.kill();
        return await this.#restart();
      case 'stop':
        this.#resume();
        await stage.recorder?.drain();
        return await this.#restart();
      case 'outage':
        stage.market.trouble = () => (this.#isOut ? 'out' : undefined);
        if (this.#isOut) this.#reconnect();
        else this.#isOut = true;
        return;
      case 'reconnect':
        stage.market.reconnect();
        return;
      case 'stall':
        this.#stall();
        return;
    }
  }

  async end(): Promise<void> {
    this.#resume();
    if (this.#isOut) this.#reconnect();
    await this.stage.pass(12_000);
    await this.stage.recorder?.drain();
    // The gap of an ordered end that was not over is written by the next start.
    await this.begin();
  }

  #trade(): void {
    const { market, clock } = this.stage;
    const seq = this.made.length + 1;
    this.made.push({ id: `t${seq}`, atUs: clock.now() * 1_000 });
    this.#last = { at: clock.now() };
    if (!this.#isOut) market.trade(BTC, seq, this.#last);
  }

  /** As every venue does after an interruption that may have been too short to be seen. */
  #reconnect(): void {
    this.#isOut = false;
    this.stage.market.reconnect();
  }

  /** A trade is made while nothing records. */
  async #restart(): Promise<void> {
    await this.stage.pass(700);
    this.#trade();
    await this.stage.pass(700);
    await this.begin();
  }

  /** The store takes its time from the next commit on. */
  #stall(): void {
    this.#resume();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.stage.store.gate = promise;
    this.#release = resolve;
  }

  #resume(): void {
    this.#release();
    this.stage.store.gate = Promise.resolve();
  }
}

/** Rows of one millisecond are stamped up to the next. */
const covers =
  (atUs: number) =>
  ({ from, to }: { readonly from: number; readonly to: number }): boolean =>
    from <= atUs + 1_000 && atUs <= to;

test('a trade is recorded once, or a gap of the recording covers it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40, size: 'max' }), async (acts) => {
      const run = new Run();
      await run.begin();
      for (const one of acts) await run.perform(one);
      await run.end();
      await settle();
      const ids = run.stage.rows('trades', BTC).map((row) => row['id'] ?? '');
      expect(ids.length).toBe(new Set(ids).size);
      const recorded = new Set(ids);
      const gaps = run.stage.gaps.filter(({ type }) => type === '*' || type === 'trades');
      const hidden = run.made.filter(
        ({ id, atUs }) => !recorded.has(id) && !gaps.some(covers(atUs)),
      );
      expect(hidden).toEqual([]);
      const times = run.stage.rows('trades', BTC).map((row) => Number(row['local_timestamp']));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }),
    { numRuns: 150 },
  );
});
