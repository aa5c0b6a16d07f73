// Recording a scripted market in virtual time: every interruption is shown, and nothing is recorded twice.
import { describe, expect, test } from 'vitest';
import { InstrumentPatterns } from '../../src/recorder/instrument-patterns.ts';
import { NothingToRecord } from '../../src/recorder/market-recorder.ts';
import { OtherRecording } from '../../src/recorder/recording-note.ts';
import { type Instant, instant, later } from '../../src/values/instant.ts';
import { option, perpetual, spot } from '../support/engine/markets.ts';
import {
  RECORD_NOON as NOON,
  RecordStage,
  recordedFile,
} from '../support/recording/record-stage.ts';

const BTC = perpetual().name;
const CALL = option().name;
const us = (at: Instant): number => at * 1_000;

describe('recording a market', () => {
  test('changes of the best prices, trades and tickers become rows in their files', async () => {
    const stage = new RecordStage();
    const recorder = await stage.record({
      instruments: new InstrumentPatterns(['*']),
      kinds: ['trades', 'quotes', 'book_snapshot_5', 'derivative_ticker', 'options_chain'],
    });
    await stage.pass(1_000);
    stage.market.move(BTC, '100.5', '101');
    stage.market.trade(BTC, 1);
    await stage.pass(1_000);
    await recorder.drain();
    expect(stage.rows('quotes', BTC).map((row) => row['bid_price'])).toEqual(['100', '100.5']);
    expect(stage.rows('book_snapshot_5', BTC).at(-1)).toMatchObject({
      'bids[0].price': '100.5',
      'bids[0].amount': '10',
      'asks[1].price': '',
    });
    expect(stage.rows('trades', BTC)).toMatchObject([{ id: 't1', price: '100.5', amount: '10' }]);
    expect(stage.rows('derivative_ticker', BTC)[0]).toMatchObject({ mark_price: '100.25' });
    expect(stage.rows('options_chain', 'OPTIONS')[0]).toMatchObject({
      symbol: CALL,
      type: 'call',
      strike_price: '100000',
      expiration: String(us(instant(Date.UTC(2026, 11, 25, 8)))),
    });
    expect(stage.rows('derivative_ticker', spot().name)).toEqual([]);
    const symbols = stage.store.rows('instruments.csv').map((row) => row['symbol']);
    expect(symbols).toEqual([BTC, spot().name, CALL]);
  });

  test('a market that does not move is confirmed every five seconds', async () => {
    const stage = new RecordStage();
    const recorder = await stage.record();
    await stage.pass(20_500);
    await recorder.drain();
    const times = stage.rows('quotes', BTC).map((row) => Number(row['local_timestamp']));
    const silences = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(times.length).toBe(5);
    expect(Math.max(...silences)).toBeLessThan(5_200_000);
  });

  test('arrivals rise from row to row across all files', async () => {
    const stage = new RecordStage();
    const recorder = await stage.record();
    await stage.pass(500);
    for (let seq = 1; seq <= 20; seq += 1) stage.market.trade(BTC, seq);
    await recorder.drain();
    const times = stage.rows('trades', BTC).map((row) => Number(row['local_timestamp']));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times).size).toBe(20);
  });

  test('rows after midnight begin the files of the next day', async () => {
    const stage = new RecordStage(instant(Date.UTC(2026, 10, 23, 23, 59, 58)));
    const recorder = await stage.record();
    stage.market.trade(BTC, 1);
    await stage.pass(6_000);
    stage.market.trade(BTC, 2);
    await stage.pass(6_000);
    expect([...stage.store.files]).not.toContain(recordedFile('trades', BTC));
    await recorder.drain();
    expect(stage.rows('trades', BTC).map((row) => row['id'])).toEqual(['t1']);
    expect(stage.rows('trades', BTC, '2026-11-24').map((row) => row['id'])).toEqual(['t2']);
  });

  test('an instrument listed later is recorded from then on, and one that is gone is left', async () => {
    const stage = new RecordStage();
    stage.market.instruments = [perpetual()];
    const recorder = await stage.record({ instruments: new InstrumentPatterns(['BTC*']) });
    stage.market.instruments = [option()];
    await stage.pass(61_000);
    expect([...stage.market.followed]).toEqual([CALL]);
    await stage.pass(5_000);
    await recorder.drain();
    expect(stage.rows('quotes', CALL).length).toBeGreaterThan(0);
  });

  test('more instruments than the venue lets a connection follow are refused', async () => {
    const instruments = new InstrumentPatterns(['*']);
    const started = new RecordStage().record({ instruments, instrumentsMax: 2 });
    await expect(started).rejects.toThrow('3 instruments are chosen; accepted: at most 2');
  });

  test.each([
    [['ETH-*'], ['trades']],
    [['BTC_USDC'], ['options_chain']],
  ] as const)('instruments %j with %j are refused, as none has it', async (names, kinds) => {
    const stage = new RecordStage();
    const instruments = new InstrumentPatterns(names);
    await expect(stage.record({ instruments, kinds: [...kinds] })).rejects.toThrow(NothingToRecord);
  });
});

describe('gaps of a recording', () => {
  test('the part of the first day before the start is a gap', async () => {
    const stage = new RecordStage();
    await stage.record();
    const midnight = us(instant(Date.UTC(2026, 10, 23)));
    expect(stage.gaps).toMatchObject([
      { symbol: '*', type: '*', reason: 'not_started', from: midnight, to: us(NOON) },
    ]);
  });

  test('after a kill the gap begins with the last commit, and repeated trades are recorded once', async () => {
    const stage = new RecordStage();
    await stage.record();
    stage.market.trade(BTC, 1);
    await stage.pass(5_500);
    const committedUntil = later(NOON, 5_000);
    stage.market.trade(BTC, 2);
    await stage.pass(1_000);
    stage.kill();
    await stage.pass(60_000);
    const recorder = await stage.record();
    const at = instant(NOON);
    stage.market.trade(BTC, 1, { at });
    stage.market.trade(BTC, 3);
    await recorder.drain();
    expect(stage.rows('trades', BTC).map((row) => row['id'])).toEqual(['t1', 't3']);
    expect(recorder.counts.doubles).toBe(1);
    const [, gap] = stage.gaps;
    expect(gap).toMatchObject({ symbol: '*', type: '*', reason: 'killed' });
    expect(gap?.from).toBeLessThanOrEqual(us(later(committedUntil, 100)));
    expect(gap?.from).toBeGreaterThanOrEqual(us(committedUntil));
    expect(gap?.to).toBe(us(later(NOON, 66_500)));
  });

  test('an ordered end loses nothing, and the time until the next start is a gap', async () => {
    const stage = new RecordStage();
    const first = await stage.record();
    await stage.pass(1_000);
    stage.market.trade(BTC, 1);
    await first.drain();
    const endedUs = us(stage.clock.now());
    await stage.pass(10_000);
    await stage.record();
    expect(stage.rows('trades', BTC)).toHaveLength(1);
    expect(stage.gaps[1]).toMatchObject({ reason: 'stopped', from: endedUs, to: endedUs + 1e7 });
  });

  test('an unreachable venue is one gap, from its last sign of life to its next answer', async () => {
    const stage = new RecordStage();
    const recorder = await stage.record();
    await stage.pass(3_000);
    const downAt = stage.clock.now();
    stage.market.trouble = () => 'no connection';
    await stage.pass(30_000);
    stage.market.trouble = () => undefined;
    await stage.pass(6_000);
    await recorder.drain();
    const outages = stage.gaps.filter(({ reason }) => reason !== 'not_started');
    expect(outages).toMatchObject([
      { symbol: '*', type: '*', reason: 'disconnected', detail: 'no connection' },
    ]);
    const [outage] = outages;
    expect(outage?.from).toBeLessThanOrEqual(us(downAt));
    expect(outage?.from).toBeGreaterThanOrEqual(us(later(downAt, -5_000)));
    expect(outage?.to).toBeGreaterThanOrEqual(us(later(downAt, 30_000)));
    expect(outage?.to).toBeLessThan(us(later(downAt, 31_000)));
    const rows = stage.rows('quotes', BTC).map((row) => Number(row['local_timestamp']));
    expect(rows.some((at) => at >= (outage?.to ?? 0))).toBe(true);
  });

  test('queries that fail a moment before the venue is known to be unreachable are part of the same gap', async () => {
    const stage = new RecordStage();
    const other = spot().name;
    const recorder = await stage.record({ instruments: new InstrumentPatterns([BTC, other]) });
    await stage.pass(1_000);
    stage.market.failing.add(BTC);
    stage.market.move(BTC, '99', '101');
    await stage.pass(1_500);
    stage.market.move(other, '99', '101');
    // The last query before the end fails only after it.
    const { promise, resolve } = Promise.withResolvers<void>();
    await stage.pass(500);
    stage.market.gate = promise;
    await stage.pass(1_500);
    stage.market.trouble = () => 'closed';
    await stage.pass(100);
    resolve();
    await stage.pass(2_000);
    stage.market.failing.clear();
    stage.market.trouble = () => undefined;
    await stage.pass(1_000);
    await recorder.drain();
    const [, ...gaps] = stage.gaps;
    expect(gaps.map(({ reason }) => reason)).toEqual(['disconnected']);
    expect(gaps[0]?.from).toBeLessThanOrEqual(us(later(NOON, 1_000)));
  });

  test('an unreachable venue that nothing has noticed yet is a gap also where the recording is ended then', async () => {
    const stage = new RecordStage();
    const recorder = await stage.record();
    await stage.pass(1_010);
    stage.market.trouble = () => 'closed';
    await recorder.drain();
    stage.market.trouble = () => undefined;
    await stage.record();
    expect(stage.gaps.map(({ reason }) => reason)).toEqual([
      'not_started',
      'disconnected',
      'stopped',
    ]);
  });

  test('a connection that was replaced between two looks is a gap', async () => {
    const stage = new RecordStage();
    const recorder = await stage.record();
    await stage.pass(1_000);
    stage.market.reconnect();
    await stage.pass(1_000);
    await recorder.drain();
    expect(stage.gaps.map(({ reason }) => reason)).toEqual(['not_started', 'disconnected']);
  });

  test('a kill during an outage does not hide its beginning', async () => {
    const stage = new RecordStage();
    await stage.record();
    await stage.pass(7_000);
    stage.market.trouble = () => 'no connection';
    await stage.pass(20_000);
    stage.kill();
    stage.market.trouble = () => undefined;
    await stage.record();
    const reasons = stage.gaps.map(({ reason }) => reason);
    expect(reasons).toEqual(['not_started', 'disconnected', 'killed']);
    expect(stage.gaps[1]?.from).toBeLessThanOrEqual(us(later(NOON, 7_000)));
    expect(stage.gaps[1]?.to).toBe(us(later(NOON, 27_000)));
  });

  test('an instrument whose queries fail has a gap of its own kinds until it answers', async () => {
    const stage = new RecordStage();
    const recorder = await stage.record({ kinds: ['trades', 'quotes', 'book_snapshot_5'] });
    await stage.pass(1_000);
    stage.market.failing.add(BTC);
    stage.market.move(BTC, '99', '101');
    await stage.pass(4_000);
    stage.market.failing.clear();
    await stage.pass(2_000);
    await recorder.drain();
    const own = stage.gaps.filter(({ symbol }) => symbol === BTC);
    expect(own.map(({ type, reason }) => `${type} ${reason}`)).toEqual([
      'quotes unanswered',
      'book_snapshot_5 unanswered',
    ]);
    expect(own[0]?.detail).toBe('no answer');
    expect((own[0]?.to ?? 0) - (own[0]?.from ?? 0)).toBeGreaterThan(4_000_000);
  });

  test('an instrument that is not answered for ten seconds has a gap, also while nothing fails', async () => {
    const stage = new RecordStage();
    const recorder = await stage.record();
    await stage.pass(1_000);
    stage.market.silent.add(BTC);
    stage.market.move(BTC, '99', '101');
    await stage.pass(12_000);
    await recorder.drain();
    expect(stage.gaps.map(({ reason }) => reason)).toEqual(['not_started', 'slow']);
  });

  test('trades that the venue counted and did not publish are a gap with their number', async () => {
    const stage = new RecordStage();
    const recorder = await stage.record();
    stage.market.trade(BTC, 7);
    await stage.pass(1_000);
    stage.market.trade(BTC, 11);
    await recorder.drain();
    const [, gap] = stage.gaps;
    expect(gap).toMatchObject({
      symbol: BTC,
      type: 'trades',
      reason: 'missed_trades',
      detail: '3 trades',
      from: us(NOON) + 1,
    });
  });

  test('a venue that counts its trades again repeats ids, and none of them is lost', async () => {
    const stage = new RecordStage();
    const recorder = await stage.record();
    stage.market.trade(BTC, 1);
    stage.market.trade(BTC, 2);
    await stage.pass(1_000);
    stage.market.trade(BTC, 1);
    await recorder.drain();
    expect(stage.rows('trades', BTC).map((row) => row['id'])).toEqual(['t1', 't2', 't1']);
    expect(stage.gaps).toHaveLength(1);
  });

  test('rows beyond the bound of memory are counted and a gap, and recording continues afterwards', async () => {
    const stage = new RecordStage();
    const recorder = await stage.record({ pendingMax: 2_000 });
    const { promise, resolve } = Promise.withResolvers<void>();
    stage.store.gate = promise;
    for (let seq = 1; seq <= 100; seq += 1) stage.market.trade(BTC, seq);
    const { lost } = recorder.counts;
    expect(lost).toBeGreaterThan(50);
    resolve();
    await stage.pass(6_000);
    stage.market.trade(BTC, 101);
    await recorder.drain();
    const gap = stage.gaps.find(({ reason }) => reason === 'overrun');
    expect(gap?.detail).toBe(`${lost} rows lost`);
    const ids = stage.rows('trades', BTC).map((row) => row['id']);
    expect(ids).toHaveLength(101 - lost);
    expect(ids.at(-1)).toBe('t101');
  });

  test('a clock that is set back leaves a gap until it has caught up', async () => {
    const stage = new RecordStage();
    const recorder = await stage.record();
    await stage.pass(2_000);
    stage.clock.stepWall(-60_000);
    stage.market.trade(BTC, 1);
    await stage.pass(65_000);
    stage.market.trade(BTC, 2);
    await recorder.drain();
    expect(stage.rows('trades', BTC).map((row) => row['id'])).toEqual(['t2']);
    const gap = stage.gaps.find(({ reason }) => reason === 'clock');
    expect(gap?.detail).toMatch(/^\d+ rows lost$/);
    const times = stage.rows('quotes', BTC).map((row) => Number(row['local_timestamp']));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('a store that cannot be written ends the recording with its error', async () => {
    const stage = new RecordStage();
    await stage.record();
    stage.store.isBroken = true;
    await stage.pass(6_000);
    expect(String(stage.fatal)).toContain('the store is broken');
    const { queries } = stage.market;
    await stage.pass(60_000);
    expect(stage.market.queries).toBe(queries);
    expect(stage.market.followed.size).toBe(0);
  });

  test.each([{ exchange: 'other' }, { venue: undefined }])(
    'a store with the recording of another venue is refused',
    async (change) => {
      const stage = new RecordStage();
      await stage.record();
      stage.kill();
      const note = stage.store.note as object;
      const texts = new Map<string, string>();
      if ('venue' in change) await stage.store.commit({ texts, note: { ...note, venue: 'x' } });
      const other = 'exchange' in change ? { exchange: change.exchange } : {};
      await expect(stage.record(other)).rejects.toThrow(OtherRecording);
    },
  );

  test('a note of another format is refused', async () => {
    const stage = new RecordStage();
    await stage.store.commit({ texts: new Map(), note: { format: 2 } });
    await expect(stage.record()).rejects.toThrow(OtherRecording);
  });
});
