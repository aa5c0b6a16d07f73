// The terms of an instrument as they are recorded and as a replay reads them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readInstruments } from '../../src/adapters/recorded-market/instruments-file.ts';
import { seededMarket } from '../../src/exchange/market/market.ts';
import { InstrumentPatterns } from '../../src/recorder/instrument-patterns.ts';
import { INSTRUMENTS_HEADER, instrumentLine } from '../../src/recorder/instrument-rows.ts';
import { instant } from '../../src/values/instant.ts';
import { RecordingFolder } from '../adapters/recorded-market/recorded-market-files.ts';
import { option, perpetual, spot } from '../support/engine/markets.ts';
import { RecordStage } from '../support/recording/record-stage.ts';

let folder: RecordingFolder;
beforeAll(() => {
  folder = new RecordingFolder();
});
afterAll(() => folder.remove());

const NOW = instant(Date.UTC(2026, 10, 23, 12));

test.each([false, true])(
  'every instrument that the paper exchange lists is read back with the terms it was recorded with; routed spot: %s',
  async (routedSpot) => {
    const market = seededMarket({ seed: '1', startAt: NOW, regime: 'all-days', routedSpot });
    const listed = market.instruments(NOW);
    expect(listed.filter(({ isRouted }) => isRouted === true)).toHaveLength(routedSpot ? 2 : 0);
    const path = folder.write('instruments.csv', [
      INSTRUMENTS_HEADER,
      ...listed.map((instrument) => instrumentLine('deribit', instrument)),
    ]);
    const described = await readInstruments(path);
    expect(listed.filter(({ tickSteps }) => tickSteps.length > 0)).not.toEqual([]);
    for (const instrument of listed) {
      const read = described.get(`deribit ${instrument.name}`);
      expect(read).toEqual({ instrument, recordedStep: instrument.amountStep, notes: [] });
    }
  },
);

test('a recording that an earlier version began continues below a header of its own, which is written once', async () => {
  const stage = new RecordStage();
  const all = { instruments: new InstrumentPatterns(['*']) };
  await (await stage.record(all)).drain();
  const withoutSteps = stage.store
    .lines('instruments.csv')
    .map((line) => line.split(',').slice(0, -2).join(','));
  stage.store.texts.set('instruments.csv', `${withoutSteps.join('\n')}\n`);
  for (let session = 0; session < 2; session += 1) {
    stage.kill();
    await (await stage.record(all)).drain();
  }
  const lines = stage.store.lines('instruments.csv');
  expect(lines.slice(0, withoutSteps.length)).toEqual(withoutSteps);
  expect(lines.slice(withoutSteps.length)).toEqual([
    INSTRUMENTS_HEADER,
    ...[perpetual(), spot(), option()].map((each) => instrumentLine('script', each)),
  ]);
  const described = await readInstruments(folder.write('continued.csv', lines));
  expect(described.get(`script ${option().name}`)?.notes).toEqual([]);
});
