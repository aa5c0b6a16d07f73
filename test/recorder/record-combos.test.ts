// Combos in a recording: their books and trades at prices of zero and below, their legs alongside them, and the terms of both.
import { describe, expect, test } from 'vitest';
import { InstrumentPatterns } from '../../src/recorder/instrument-patterns.ts';
import { price } from '../../src/values/amounts.ts';
import { instrumentName } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';
import { perpetual } from '../support/engine/markets.ts';
import { RecordStage } from '../support/recording/record-stage.ts';

const near = perpetual();
const far = perpetual({
  name: instrumentName('BTC-25DEC26'),
  kind: 'future',
  expiresAt: instant(Date.UTC(2026, 11, 25, 8)),
});
const custom = perpetual({
  name: instrumentName('BTC-CC-25DEC26-1A2B3C4D'),
  kind: 'future_combo',
  expiresAt: far.expiresAt,
  legs: [
    { instrument: far.name, ratio: 1 },
    { instrument: near.name, ratio: -2 },
  ],
});

function stageOfCombo(): RecordStage {
  const stage = new RecordStage();
  stage.market.instruments = [near, far, custom];
  return stage;
}

const CHOSEN = {
  instruments: new InstrumentPatterns([custom.name]),
  kinds: ['trades', 'quotes', 'derivative_ticker'],
} as const;

describe('recording a combo', () => {
  test('its book and trades are recorded as they are, below zero too', async () => {
    const stage = stageOfCombo();
    stage.market.move(custom.name, '-2.5', '0');
    const recorder = await stage.record(CHOSEN);
    await stage.pass(1_000);
    stage.market.trade(custom.name, 1, { price: price('-2.5') });
    await recorder.drain();
    expect(stage.rows('quotes', custom.name)[0]).toMatchObject({
      bid_price: '-2.5',
      bid_amount: '10',
      ask_price: '0',
      ask_amount: '10',
    });
    expect(stage.rows('trades', custom.name)).toMatchObject([{ id: 't1', price: '-2.5' }]);
  });

  test('its legs are recorded with it, without being named', async () => {
    const stage = stageOfCombo();
    const recorder = await stage.record(CHOSEN);
    await stage.pass(1_000);
    await recorder.drain();
    for (const { name } of [near, far]) {
      expect(stage.rows('quotes', name).length, name).toBeGreaterThan(0);
      expect(stage.rows('derivative_ticker', name).length, name).toBeGreaterThan(0);
    }
    expect(stage.rows('derivative_ticker', custom.name)).toEqual([]);
  });

  test('the terms of all and the legs of the combo are written once, also when the recording continues', async () => {
    const stage = stageOfCombo();
    await (await stage.record(CHOSEN)).drain();
    stage.kill();
    await stage.pass(1_000);
    await (await stage.record(CHOSEN)).drain();
    expect(stage.store.rows('combos.csv')).toEqual([
      { exchange: 'script', symbol: custom.name, leg: far.name, ratio: '1' },
      { exchange: 'script', symbol: custom.name, leg: near.name, ratio: '-2' },
    ]);
    const terms = stage.store.rows('instruments.csv').map(({ symbol, kind }) => [symbol, kind]);
    expect(terms).toEqual([
      [near.name, 'perpetual'],
      [far.name, 'future'],
      [custom.name, 'future_combo'],
    ]);
  });

  test('a recording of single instruments has no file of combos', async () => {
    const stage = stageOfCombo();
    const recorder = await stage.record({ ...CHOSEN, instruments: new InstrumentPatterns(['*L']) });
    await recorder.drain();
    expect([...stage.store.files]).not.toContain('combos.csv');
  });
});
