// Smart Balance on a synthetic recording: parts, the bound between the legs, and every kind of end.
import { describe, expect, test } from 'vitest';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { RecordedInstrument } from '../../../src/exchange/market/recorded-symbol.ts';
import { price, quantity, ratio } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import type { BacktestReport } from '../../../src/virtual/backtest/backtest-report.ts';
import {
  type BacktestOptions,
  type BacktestOutcome,
  backtest,
} from '../../../src/virtual/backtest/run-backtest.ts';
import { balanceForm } from '../../support/engine/balance-run.ts';
import { legForm, settle } from '../../support/engine/engine-world.ts';
import { book, DAY, inBatches, recordedSpot, SYMBOL, walk } from '../recorded-rows.ts';

type Done = Extract<BacktestOutcome, { kind: 'done' }>;

const OTHER = 'ETH-USD';
const other = (): RecordedInstrument => {
  const { instrument, ...same } = recordedSpot();
  return { ...same, instrument: { ...instrument, name: instrumentName(OTHER) } };
};
const of = (symbol: string, rows: readonly RecordedEvent[]): readonly RecordedEvent[] =>
  rows.map((row) => ({ ...row, symbol }));

const EXECUTION = { collar: ratio('0.05') };

type LegChange = Parameters<typeof legForm>[0];

const resting = {
  priceOptions: {
    priceType: 'dynamic' as const,
    dynamicPriceStrategy: 'mid' as const,
    dynamicMs: 1_000,
    price: price('100'),
    priceIn: 'USD',
  },
};

/** Buys 6 of one instrument and sells 3 of the other, in three parts. */
const pair = (
  cut: Partial<NonNullable<PortfolioForm['balanceTrade']>> = {},
  [first, second]: readonly [LegChange, LegChange] = [{}, {}],
): PortfolioForm =>
  balanceForm(
    [
      legForm({ instrument: SYMBOL, instrumentType: 'spot', quantity: quantity('6'), ...first }),
      legForm({
        instrument: OTHER,
        instrumentType: 'spot',
        quantity: quantity('3'),
        side: 'sell',
        ...second,
      }),
    ],
    cut,
    EXECUTION,
  );

/** Unchanged quotes, one per second. */
const still = (
  from: number,
  to: number,
  [bid, ask, size]: readonly [number, number, number] = [99, 101, 10],
): readonly RecordedEvent[] =>
  Array.from({ length: to - from }, (_, n) => {
    const amount = `${size + (n % 2) / 10}`;
    return book(from + n, [bid, amount], [ask, amount]);
  });

async function run(
  rows: readonly RecordedEvent[],
  form: PortfolioForm,
  change: Partial<BacktestOptions> = {},
): Promise<Done> {
  const outcome = await backtest({
    form,
    instruments: [recordedSpot(), other()],
    rows: inBatches([...rows].sort((a, b) => a.atUs - b.atUs)),
    startAt: DAY,
    dataTo: later(DAY, 600_000),
    rowsUntil: later(DAY, 86_400_000),
    holeMs: 10_000,
    latency: { minMs: 0, maxMs: 0, seed: '' },
    settle,
    ...change,
  });
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  return outcome;
}

const both = (rows: readonly RecordedEvent[]) => [...rows, ...of(OTHER, rows)];
const filled = ({ legs }: BacktestReport) => legs.map((leg) => leg.filled);
const balance = ({ report }: Done) => must(report.balance, 'a BALANCE report has parts');

describe('backtesting a portfolio with parts', () => {
  test('a backtest fills part after part and ends at once; its figures cover the time it took', async () => {
    const done = await run(both(still(0, 60)), pair());
    expect(done.report.status).toBe('filled');
    expect(filled(done.report)).toEqual(['6', '3']);
    expect(balance(done)).toMatchObject({ parts: 3, partsDone: 3, partsChased: 0 });
    // The first leg fills a part while the other has nothing: a third, which is the bound.
    expect(balance(done).imbalance[0]).toMatchObject({ ahead: '2', bound: '2' });
    expect(done.report.end).toBe(done.report.over);
    expect(Date.parse(done.report.over) - DAY).toBeLessThan(10_000);
    expect(done.report.legs[0]?.market.arrivalMid).toBe('100');
    expect(done.report.legs[0]?.market.books).toBeLessThan(60);
    expect(done.report.legs.map(({ schedule }) => schedule)).toEqual([null, null]);
    expect(done.isCutShort).toBe(false);
  });

  test('a backtest keeps its legs within the bound on a moving market and chases overdue parts', async () => {
    const rows = [...walk('one', 600), ...of(OTHER, walk('two', 600))];
    const asked = pair({ parts: 5, eachLimitMs: 20_000 }, [resting, resting]);
    const done = await run(rows, { ...asked, execution: EXECUTION });
    expect(filled(done.report)).toEqual(['6', '3']);
    const { imbalance, partsDone } = balance(done);
    expect(partsDone).toBe(5);
    for (const { ahead, bound } of imbalance)
      expect(Number(ahead)).toBeLessThanOrEqual(Number(bound));
    expect(imbalance.some(({ ahead }) => Number(ahead) > 0)).toBe(true);
    const again = await run(rows, { ...asked, execution: EXECUTION });
    expect(again.report).toEqual(done.report);
    expect(again.traceHash).toBe(done.traceHash);
  });

  test.each([
    { totalEndAction: 'cancel_remaining', status: 'cancelled', left: ['4', '1'] },
    { totalEndAction: 'fill_by_market', status: 'filled', left: ['0', '0'] },
  ] as const)(
    'a backtest that reaches its total limit runs its end action: $totalEndAction',
    async ({ totalEndAction, status, left }) => {
      // One part fills at once; from then on the first leg's market is beyond its limit.
      const limit = {
        priceOptions: { priceType: 'limit', price: price('101'), priceIn: 'USD' },
      } as const;
      const rows = [
        ...still(0, 1, [99, 101, 2]),
        ...still(1, 60, [109, 111, 10]),
        ...of(OTHER, still(0, 60)),
      ];
      const cut = { totalLimitMs: 30_000, totalEndAction };
      const done = await run(rows, pair(cut, [{ ...limit }, {}]));
      expect(done.report.status).toBe(status);
      expect(done.report.legs.map(({ residual }) => residual)).toEqual(left);
    },
  );

  test('a backtest without a time limit is cancelled at the end of the recording, within the bound', async () => {
    const rows = [...still(0, 5), ...of(OTHER, still(0, 5))];
    const done = await run(rows, pair({ parts: 3 }, [resting, resting]), {
      dataTo: later(DAY, 60_000),
    });
    expect(done.isCutShort).toBe(true);
    expect(done.report.status).toBe('cancelled');
    expect(balance(done).partsDone).toBeLessThan(3);
    for (const { ahead, bound } of balance(done).imbalance) {
      expect(Number(ahead)).toBeLessThanOrEqual(Number(bound));
    }
  });
});
