// A scripted market, a store in memory and a recorder between them, in virtual time.
import { InstrumentPatterns } from '../../../src/recorder/instrument-patterns.ts';
import {
  MarketRecorder,
  type MarketRecorderOptions,
} from '../../../src/recorder/market-recorder.ts';
import { type Instant, instant, later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { option, perpetual, spot } from '../engine/markets.ts';
import { MemoryRecordingStore } from './memory-recording-store.ts';
import { ScriptMarket } from './script-market.ts';

export const RECORD_NOON = instant(Date.UTC(2026, 10, 23, 12));
export const settle = (): Promise<void> => new Promise((done) => setImmediate(done));

export const recordedFile = (kind: string, symbol: string, day = '2026-11-23'): string =>
  `script_${kind}_${day}_${symbol}.csv.gz`;

export class RecordStage {
  readonly clock: VirtualClock;
  readonly market: ScriptMarket;
  store = new MemoryRecordingStore();
  recorder: MarketRecorder | undefined;
  readonly notices: string[] = [];
  readonly fatal: unknown[] = [];

  constructor(start: Instant = RECORD_NOON) {
    this.clock = new VirtualClock(start);
    this.market = new ScriptMarket([perpetual(), spot(), option()], () => this.clock.now());
  }

  async record(change: Partial<MarketRecorderOptions> = {}): Promise<MarketRecorder> {
    this.recorder = new MarketRecorder({
      venue: this.market,
      clock: this.clock,
      store: this.store,
      exchange: 'script',
      instruments: new InstrumentPatterns(['BTC-PERPETUAL']),
      kinds: ['trades', 'quotes'],
      everyMs: 100,
      tickerEveryMs: 1_000,
      onNotice: (text) => this.notices.push(text),
      onFatal: (error) => this.fatal.push(error),
      ...change,
    });
    await this.recorder.start();
    await settle();
    return this.recorder;
  }

  async pass(ms: number): Promise<void> {
    await this.clock.run(later(this.clock.now(), ms), settle);
  }

  /** The process ends without a word, and another one finds what was committed. */
  kill(): void {
    this.recorder?.stop();
    this.store = new MemoryRecordingStore(this.store);
  }

  get gaps() {
    return this.store.rows('gaps.csv').map((row) => ({
      symbol: row['symbol'],
      type: row['type'],
      reason: row['reason'],
      from: Number(row['from']),
      to: Number(row['to']),
      detail: row['detail'],
    }));
  }

  rows(kind: string, symbol: string, day?: string) {
    return this.store.rows(recordedFile(kind, symbol, day));
  }
}
