// A shard that is given up and taken again while a portfolio of it is in memory: its next slice is woken in time.
import { expect, test } from 'vitest';
import { ALL_SHARDS } from '../../../src/core/ownership/shards.ts';
import { type ShardListener, SOLE_OWNER } from '../../../src/engine/ownership/ownership.ts';
import { form, legForm, submitted, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

test('a portfolio that stays in memory while its shard is given up and taken again is due as before', async () => {
  const [losses, gains]: ShardListener[][] = [[], []];
  const done = (): Promise<void> => Promise.resolve();
  const w = world({
    ownership: {
      ...SOLE_OWNER,
      start: done,
      drain: done,
      leave: done,
      stop: () => undefined,
      shards: () => ALL_SHARDS,
      onGain: (listener) => gains?.push(listener),
      onLoss: (listener) => losses?.push(listener),
    },
  });
  w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
  await w.engine.start();
  const portfolio = await submitted(
    w,
    form({ twapTrade: { durationSec: 600, frequencySec: 120 }, legs: [legForm()] }),
  );
  await w.run(3_300);
  for (const listener of [...(losses ?? []), ...(gains ?? [])]) void listener(ALL_SHARDS);
  await w.run(700_000);
  expect((await w.operations.info(portfolio))?.status).toBe('filled');
  expect(w.observer.rescues).toEqual([]);
  expect(w.observer.lateMs.filter((late) => late > 0)).toEqual([]);
});
