// Own impact on following rows, against a case whose every price is worked out on paper.
import { expect, test } from 'vitest';
import { OwnImpact } from '../../../src/exchange/market/own-impact.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import { backtest } from '../../../src/virtual/backtest/run-backtest.ts';
import { form, legForm, settle } from '../../support/engine/engine-world.ts';
import { book, DAY, inBatches, recordedSpot, SYMBOL } from '../recorded-rows.ts';

/** A market that stands still: 59990 to 60010 in ticks of 1, ten coins on each side. */
const still = (seconds: number): readonly RecordedEvent[] =>
  Array.from({ length: seconds }, (_, second) => book(second, [59_990, '10'], [60_010, '10']));

async function pricesOf(
  side: 'buy' | 'sell',
  impact?: { readonly coefficient: number; readonly halfLifeMs: number },
): Promise<readonly number[]> {
  const outcome = await backtest({
    form: form({
      twapTrade: { durationSec: 100, frequencySec: 20 },
      legs: [
        legForm({
          instrument: SYMBOL,
          instrumentType: 'spot',
          side,
          quantity: quantity('5'),
          priceOptions: { priceType: 'market' },
        }),
      ],
    }),
    instruments: [recordedSpot()],
    rows: inBatches(still(160)),
    impact,
    settle,
    startAt: DAY,
    dataTo: later(DAY, 159_000),
    rowsUntil: later(DAY, 159_000),
    holeMs: 10_000,
    latency: { minMs: 0, maxMs: 0, seed: '' },
  });
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  return outcome.events.flatMap((event) =>
    event.kind === 'fill_booked' ? [Number(event.price)] : [],
  );
}

test('without the option, own orders move nothing', async () => {
  expect(await pricesOf('buy')).toEqual([60_010, 60_010, 60_010, 60_010, 60_010]);
});

/*
 * One coin of ten every 20 s: a tenth of the touch, whose half-spread is 10 ticks. With a coefficient of 3 each fill moves prices
 * by 3 ticks, and half of that is left at the next one: 1.5, (1.5 + 3) / 2 = 2.25, 2.625, 2.8125 ticks, of which whole ones count.
 */
test('each purchase moves following rows up, and the move decays by half in each half-life', async () => {
  const prices = await pricesOf('buy', { coefficient: 3, halfLifeMs: 20_000 });
  expect(prices).toEqual([60_010, 60_011, 60_012, 60_012, 60_012]);
});

test('sales move them down by as much', async () => {
  const prices = await pricesOf('sell', { coefficient: 3, halfLifeMs: 20_000 });
  expect(prices).toEqual([59_990, 59_989, 59_988, 59_988, 59_988]);
});

test('a purchase and a sale of the same share at one moment leave the prices where they were', () => {
  const impact = new OwnImpact({ coefficient: 0.5, halfLifeMs: 1_000 });
  const taken = { at: DAY, lots: 70, touchLots: 10, spreadTicks: 40 };
  impact.note({ ...taken, side: 'buy' });
  expect(impact.ticksAt(DAY)).toBe(70);
  expect(impact.ticksAt(later(DAY, 1_000))).toBe(35);
  impact.note({ ...taken, side: 'sell' });
  expect(impact.ticksAt(DAY)).toBe(0);
});
