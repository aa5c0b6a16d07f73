// Rows that concern no order are passed over. The judge is the same run with every row shown to the exchange in its time: over
// random recordings, strategies and models both take the same course, to the last event.
import { describe, expect, test } from 'vitest';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { RecordedInstrument } from '../../../src/exchange/market/recorded-symbol.ts';
import { price, quantity, ratio } from '../../../src/values/amounts.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { instant, later } from '../../../src/values/instant.ts';
import { BlockBuilder } from '../../../src/values/recorded/block-builder.ts';
import type { RecordedBlock } from '../../../src/values/recorded/recorded-block.ts';
import type { RecordedEvent, RecordedLevel } from '../../../src/values/recorded-event.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import {
  type BacktestOptions,
  type BacktestOutcome,
  backtest,
} from '../../../src/virtual/backtest/run-backtest.ts';
import { cases } from '../../support/cases.ts';
import { balanceForm } from '../../support/engine/balance-run.ts';
import { form, legForm, settle } from '../../support/engine/engine-world.ts';
import { DAY, inBatches, recordedSpot, SYMBOL } from '../recorded-rows.ts';

type Done = Extract<BacktestOutcome, { kind: 'done' }>;

const OTHER = 'ETH-USD';
const other = (): RecordedInstrument => {
  const { instrument, ...same } = recordedSpot();
  return { ...same, instrument: { ...instrument, name: instrumentName(OTHER) } };
};
const SECONDS = 420;

/** Everything that a recording can have: depth, empty sides, prices without sizes, off the grid, trades without a side, marks, gaps. */
function anyRecording(seed: string): readonly RecordedEvent[] {
  const draw = rng(seed);
  const isWhole = draw.next() < 0.6;
  const [marks, sizeless] = [draw.next() < 0.4, draw.next() < 0.15];
  const stepMs = [1_000, 250, 900][draw.below(3)] ?? 1_000;
  const each = [SYMBOL, OTHER].map((symbol) =>
    rowsOf(symbol, draw, { isWhole, marks, sizeless, stepMs }),
  );
  return each.flat().sort((a, b) => a.atUs - b.atUs);
}

interface Traits {
  readonly isWhole: boolean;
  readonly marks: boolean;
  readonly sizeless: boolean;
  readonly stepMs: number;
}

function rowsOf(
  symbol: string,
  draw: Rng,
  { isWhole, marks, sizeless, stepMs }: Traits,
): readonly RecordedEvent[] {
  const rows: RecordedEvent[] = [];
  let mid = 60_000;
  const amount = (): string => `${draw.below(40)}.${draw.below(10)}`;
  const side = (from: number, sign: 1 | -1): RecordedLevel[] => {
    if (draw.next() < 0.02) return [];
    const depth = 1 + draw.below(3);
    return Array.from({ length: depth }, (_, level) => ({
      price: isWhole ? `${from + sign * level}` : `${from + sign * level}.${draw.below(10)}0`,
      amount: sizeless ? undefined : amount(),
    }));
  };
  for (let ms = 0; ms < SECONDS * 1_000; ms += stepMs) {
    if (draw.next() < 0.004) ms += draw.below(15_000);
    const offset = isWhole ? 0 : draw.below(stepMs);
    const atUs = (DAY + ms + offset) * 1_000 + (isWhole ? 0 : draw.below(1_000));
    const stamp = { symbol, atUs, at: instant(Math.ceil(atUs / 1_000)) };
    if (draw.next() < 0.5) mid += Math.round(draw.normal() * 2);
    const half = 1 + draw.below(3);
    const [bids, asks] = [side(mid - half, -1), side(mid + half, 1)];
    rows.push({ ...stamp, kind: 'book', bids, asks });
    if (marks && draw.next() < 0.3) {
      const index = draw.next() < 0.5 ? { index: `${mid + 2}` } : {};
      rows.push({ ...stamp, kind: 'ticker', mark: `${mid}.${draw.below(10)}5`, ...index });
    }
    if (draw.next() < 0.3) {
      const taker = ([undefined, 'buy', 'sell'] as const)[draw.below(3)];
      const at = mid + (taker === 'buy' ? half : taker === 'sell' ? -half : draw.below(3) - 1);
      rows.push({ ...stamp, kind: 'trade', side: taker, price: `${at}`, amount: amount() });
    }
  }
  return rows;
}

const STYLES = [
  { priceOptions: { priceType: 'market' } },
  { priceOptions: { priceType: 'limit', price: price('60002'), priceIn: 'USD' } },
  ...(['mid', 'bid', 'ask', 'mark'] as const).map((dynamicPriceStrategy) => ({
    priceOptions: {
      priceType: 'dynamic',
      dynamicPriceStrategy,
      dynamicMs: 1_000,
      price: price('60000'),
      priceIn: 'USD',
    },
  })),
] as readonly Parameters<typeof legForm>[0][];

const pick = <T>(draw: Rng, values: readonly T[]): T => values[draw.below(values.length)] as T;

function anyForm(draw: Rng): PortfolioForm {
  const leg = (instrument: string, side: 'buy' | 'sell', amount: string) =>
    legForm({
      instrument,
      instrumentType: 'spot',
      side,
      quantity: quantity(amount),
      ...pick(draw, STYLES),
      ...(draw.next() < 0.3 && { postOnly: true }),
    });
  const legs = [leg(SYMBOL, 'buy', pick(draw, ['6', '60', '300'])), leg(OTHER, 'sell', '9')];
  if (draw.next() < 0.2) return balanceForm(legs, {}, { collar: ratio('0.05') });
  const asked = form({
    twapTrade: { durationSec: 300, frequencySec: pick(draw, [10, 30, 60]) },
    legs: draw.next() < 0.5 ? legs : legs.slice(0, 1),
  });
  if (draw.next() < 0.7) return asked;
  return { ...asked, execution: { ...asked.execution, participationMax: 0.3 } };
}

function anyModels(draw: Rng): Partial<BacktestOptions> {
  const [minMs, maxMs] = pick(draw, [
    [0, 0],
    [5, 80],
    [40, 40],
  ] as const);
  return {
    latency: { minMs, maxMs, seed: String(draw.below(1_000)) },
    holeMs: pick(draw, [10_000, 3_000]),
    queue: pick(draw, ['arrival', 'arrival', 'pro_rata', 'behind'] as const),
    ...(draw.next() < 0.3 && { impact: { coefficient: 2, halfLifeMs: 5_000 } }),
    recordsCosts: draw.next() < 0.3,
  };
}

async function* inBlocks(
  rows: readonly RecordedEvent[],
  size: number,
): AsyncGenerator<RecordedBlock> {
  const builder = new BlockBuilder();
  for (const [index, row] of rows.entries()) {
    if (!builder.add(row)) throw new Error(`row ${index} does not fit into a block`);
    if ((index + 1) % size !== 0) continue;
    await Promise.resolve();
    yield builder.take();
  }
  yield builder.take();
}

async function run(
  change: Partial<BacktestOptions> & Pick<BacktestOptions, 'form' | 'rows'>,
): Promise<BacktestOutcome> {
  return await backtest({
    instruments: [recordedSpot(), other()],
    startAt: later(DAY, 20_000),
    dataTo: later(DAY, SECONDS * 1_000),
    rowsUntil: later(DAY, SECONDS * 1_000),
    holeMs: 10_000,
    latency: { minMs: 0, maxMs: 0, seed: '' },
    settle,
    ...change,
  });
}

const SEEDS = cases(10);

describe('rows that are passed over', () => {
  test('a backtest takes the same course as with every row in its time', async () => {
    const courses = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const draw = rng(`passed/${seed}`);
      const rows = anyRecording(`passed/rows/${seed}`);
      const asked = anyForm(draw);
      const models = anyModels(draw);
      const each = await run({
        ...models,
        form: asked,
        rows: inBatches(rows),
        showsEachRow: true,
      });
      const size = pick(draw, [5_000, 300, 17]);
      const passed = await run({ ...models, form: asked, rows: inBlocks(rows, size) });
      const [a, b] = [each, passed].map((outcome) => ({
        ...outcome,
        ...(outcome.kind === 'done' && { recorded: outcome.recorded?.stored }),
      }));
      expect(b, `seed ${seed}`).toEqual(a);
      if (each.kind === 'done') courses.add(each.traceHash);
    }
    // The courses differ from each other.
    expect(courses.size).toBeGreaterThan(SEEDS / 2);
  }, 1_200_000);

  test('the recorded market of a cost report is the same', async () => {
    const rows = anyRecording('costs');
    const asked = form({
      twapTrade: { durationSec: 300, frequencySec: 30 },
      legs: [legForm({ instrument: SYMBOL, instrumentType: 'spot', quantity: quantity('6') })],
    });
    const both: Done[] = [];
    for (const showsEachRow of [true, false]) {
      const batches = showsEachRow ? inBatches(rows) : inBlocks(rows, 300);
      const done = await run({ form: asked, rows: batches, showsEachRow, recordsCosts: true });
      if (done.kind === 'done') both.push(done);
    }
    const [each, passed] = both.map(({ recorded }) => recorded?.costs);
    expect(passed).toEqual(each);
    expect(both).toHaveLength(2);
  });
});
