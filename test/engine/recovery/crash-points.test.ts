// The process dies at every await, before and after the call, and is restarted. However it dies, the portfolio ends
// with its exact total and no slice is placed twice.
import { describe, expect, test } from 'vitest';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { type Life, life } from '../../support/daemon/mortal.ts';
import { BY, form, legForm, type World, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote, spot } from '../../support/engine/markets.ts';
import type { Mishap } from '../../support/engine/script-venue.ts';

const PERP = perpetual();
const COIN = spot();

const FORM = form({
  twapTrade: { durationSec: 9, frequencySec: 3 },
  legs: [
    legForm({ quantity: quantity('300') }),
    legForm({
      instrument: COIN.name,
      instrumentType: 'spot',
      side: 'sell',
      quantity: quantity('0.03'),
      priceOptions: {
        priceType: 'dynamic',
        price: price('100000'),
        priceIn: 'USDC',
        dynamicPriceStrategy: 'mid',
        dynamicMs: 500,
      },
    }),
  ],
});

/** Moves the market so that the dynamic leg is repriced and finally trades. */
async function live(w: World): Promise<void> {
  for (let step = 0; step < 12; step += 1) {
    w.venue.show(quote(PERP, [99_999.5 + step, 100_000 + step]));
    const touched = step % 4 === 3;
    w.venue.show(quote(COIN, touched ? [100_010, 100_020] : [99_990 + step, 100_010 + step]));
    await w.run(1_000);
  }
  await w.run(60_000);
}

interface Run {
  readonly world: World;
  readonly portfolio: PortfolioId;
  readonly died: Life;
}

/** Submits with a key like a client that retries, dies at the given await, restarts, and runs to the end. */
async function story(
  dieAt: number,
  mishaps: readonly Mishap[],
  { dieAgainAt = 0, armMs = 0 } = {},
): Promise<Run> {
  const died = life(dieAt);
  const settings = { armMs };
  const first = world({ instruments: [PERP, COIN], life: died, settings });
  first.venue.mishaps.push(...mishaps);
  first.venue.show(quote(PERP, [99_999.5, 100_000]));
  first.venue.show(quote(COIN, [99_990, 100_010]));
  void first.engine.start().then(() => first.operations.submit(FORM, BY, 'story'));
  await first.run(100);
  for (let step = 0; step < 5 && !died.isDead; step += 1) {
    first.venue.show(quote(COIN, [99_991 + step, 100_011 + step]));
    await first.run(1_000);
  }
  died.isDead = true;
  const { clock, ledger, venue } = first;
  const parts = { clock, ledger, venue, instruments: [PERP, COIN], settings };
  let second = world({ ...parts, life: life(dieAgainAt) });
  void second.engine.start();
  await second.run(700);
  if (dieAgainAt > 0) {
    second = world({ ...parts, life: life(0) });
    void second.engine.start();
    await second.run(100);
  }
  const again = await second.operations.submit(FORM, BY, 'story');
  if (again.kind === 'refused') throw new Error(JSON.stringify(again.rejections));
  await live(second);
  return { world: second, portfolio: again.value.portfolio, died };
}

async function expectWhole({ world: w, portfolio, died }: Run): Promise<void> {
  const at = `died ${died.where ?? 'later'}`;
  const info = await w.operations.info(portfolio);
  expect(info, at).toMatchObject({ status: 'filled' });
  expect(
    info?.legs.map((leg) => leg.filled),
    at,
  ).toEqual(['300', '0.03']);
  expect([text(w.venue.filled(PERP.name)), text(w.venue.filled(COIN.name))], at).toEqual([
    '300',
    '0.03',
  ]);
  const labels = w.venue.kept.map((kept) => kept.order.label);
  expect(new Set(labels).size, `${at}: one order per child`).toBe(labels.length);
  expect(
    w.venue.kept.every((kept) => kept.order.state !== 'open'),
    at,
  ).toBe(true);
  const broken = w.observer.events.filter((event) => event.kind === 'assumption_broken');
  expect([...broken, ...w.observer.failures], at).toEqual([]);
}

describe('crashing at an await', () => {
  test('a run without a crash has enough awaits to make crashing at each of them worthwhile', async () => {
    const run = await story(0, []);
    await expectWhole(run);
    expect(run.died.count).toBeGreaterThan(60);
  });

  test.each([
    { name: 'a clean venue', mishaps: [] },
    { name: 'a clean venue, slices decided ahead', mishaps: [], armMs: 200 },
    { name: 'a lost reply', mishaps: ['lose_reply'] },
    {
      name: 'a lost request and a refusal',
      mishaps: ['lose_request', { code: 10041, later: true }],
    },
  ] satisfies { name: string; mishaps: Mishap[]; armMs?: number }[])(
    'a crash at any await, with $name, keeps the total exact and duplicates nothing',
    async ({ mishaps, armMs = 0 }) => {
      const { died: golden } = await story(0, mishaps, { armMs });
      for (let at = 1; at <= golden.count; at += 1) {
        await expectWhole(await story(at, mishaps, { armMs }));
      }
    },
  );

  test('a second crash during recovery keeps the total exact and duplicates nothing', async () => {
    const { died: golden } = await story(0, []);
    for (let at = 3; at <= golden.count; at += 7) {
      for (let again = 1; again <= 12; again += 1) {
        await expectWhole(await story(at, [], { dieAgainAt: again }));
      }
    }
  }, 480_000);
});
