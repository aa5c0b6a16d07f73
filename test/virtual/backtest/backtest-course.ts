// Runs one backtest in a separate process and prints its trace hash.
import { price, quantity } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
import { backtest } from '../../../src/virtual/backtest/run-backtest.ts';
import { form, legForm, settle } from '../../support/engine/engine-world.ts';
import { DAY, inBatches, recordedSpot, SYMBOL, walk } from '../recorded-rows.ts';

const outcome = await backtest({
  form: form({
    twapTrade: { durationSec: 600, frequencySec: 20 },
    legs: [
      legForm({
        instrument: SYMBOL,
        instrumentType: 'spot',
        quantity: quantity('6'),
        priceOptions: {
          priceType: 'dynamic',
          dynamicPriceStrategy: 'mid',
          dynamicMs: 1_000,
          price: price('100'),
          priceIn: 'USD',
        },
      }),
    ],
  }),
  instruments: [recordedSpot()],
  rows: inBatches(walk('course', 660)),
  startAt: DAY,
  dataTo: later(DAY, 86_400_000),
  rowsUntil: later(DAY, 86_400_000),
  holeMs: 10_000,
  latency: { minMs: 0, maxMs: 0, seed: '' },
  settle,
});
console.log(outcome.kind === 'done' ? outcome.traceHash : JSON.stringify(outcome.rejections));
