// The sums over portfolios are counted as they change, and give what a walk over all of them would.
import { expect, test } from 'vitest';
import { PortfolioTally } from '../../../src/adapters/telemetry/observer/portfolio-tally.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import type { StateChange } from '../../../src/ports/observer.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { accountId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { balanceForm } from '../../support/engine/balance-run.ts';
import {
  BY,
  form,
  legForm,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { NOON, option, perpetual, quote } from '../../support/engine/markets.ts';

const DUMMY = accountId('20001');
const RESTING = legForm({
  priceOptions: { priceType: 'limit', price: price('99000'), priceIn: 'USD' },
});

async function started(): Promise<World> {
  const w = world({ dummies: [DUMMY] });
  show(w);
  await w.engine.start();
  return w;
}

const show = (w: World): void => w.venue.show(quote(perpetual(), [99_999.5, 100_000]));

const round = (value: number): number => Math.round(value * 1e9) / 1e9;

/** Everything that the gauges show of it. */
async function shownBy(tally: PortfolioTally, w: World) {
  const { portfolios, children, legs, traded } = tally;
  const cancellingSince = () => NOON;
  const { unhedged, ...progress } = await tally.progress({ now: w.clock.now(), cancellingSince });
  const own = tally.own(w.engine.turns.states(), 100);
  const rounded: Record<string, number | undefined> = {};
  // The order in which floats are added is another.
  for (const [what, value] of Object.entries(progress)) rounded[what] = value && round(value);
  return structuredClone({
    portfolios,
    children,
    legs,
    traded,
    unhedged,
    progress: rounded,
    own: own.map(({ state, ...rest }) => ({ id: state.id, ...rest })),
  });
}

const shareAt = (w: World) => ({ now: w.clock.now(), cancellingSince: () => NOON });

function newTally(w: World): { readonly tally: PortfolioTally; readonly end: () => void } {
  const tally = new PortfolioTally(() => shareAt(w));
  return { tally, end: w.engine.turns.follow((change) => tally.changed(change)) };
}

test('The sums that turns and time have changed are those of a new walk over all portfolios.', async () => {
  const w = await started();
  const { tally } = newTally(w);
  const hedged = [legForm(), legForm({ quantity: quantity('300'), hedge: true })];
  await submitted(w, form({ startAt: later(NOON, 86_400_000) }));
  await submitted(w, form({ startAt: later(NOON, 25_000) }));
  await submitted(w, form({ legs: hedged, dummyAccounts: [DUMMY] }));
  await submitted(w, balanceForm([legForm(), legForm()]));
  const resting = await submitted(w, form({ legs: [RESTING, legForm()] }));
  let distinct = new Set<string>();
  for (let sec = 0; sec < 150; sec += 1) {
    if (sec !== 47) show(w);
    if (sec === 30) w.venue.mishaps.push('lose_reply');
    if (sec === 35) await w.operations.cancel(resting, BY);
    await w.run(1_000);
    const seen = await shownBy(tally, w);
    const { tally: again, end } = newTally(w);
    expect(seen).toEqual(await shownBy(again, w));
    end();
    distinct = distinct.add(JSON.stringify([seen.portfolios, seen.children, seen.progress]));
  }
  expect(distinct.size).toBeGreaterThan(10);
  expect(tally.portfolios).toEqual({ pending: 1, active: 0, cancelling: 0 });
  expect(tally.legs).toBe(1);
});

test('A scrape computes nothing for portfolios that wait, nor for those that nothing has changed.', async () => {
  const w = await started();
  for (let i = 0; i < 50; i += 1) {
    await submitted(w, form({ startAt: later(NOON, 86_400_000) }));
    await submitted(w, form({ twapTrade: { durationSec: 7_200, frequencySec: 600 } }));
  }
  await w.run(10_000);
  let reads = 0;
  const tally = new PortfolioTally(() => shareAt(w));
  const counted = (state: PortfolioState): PortfolioState =>
    Object.defineProperty({ ...state }, 'legs', {
      get: () => {
        reads += 1;
        return state.legs;
      },
    });
  const follow = ({ before, after }: StateChange): void =>
    tally.changed({ before, after: after && counted(after) });
  w.engine.turns.follow(follow);
  const readsOf = async (): Promise<number> => {
    reads = 0;
    await tally.progress({ now: w.clock.now(), cancellingSince: () => NOON });
    return reads;
  };
  const forOne = (await readsOf()) / 50;
  expect(forOne).toBeGreaterThan(0);
  expect(await readsOf()).toBe(0);
  await w.run(10_000);
  expect(await readsOf()).toBe(0);
  // The engine has stopped, so that only the schedule moves on.
  w.engine.stop();
  await w.run(600_000);
  expect(await readsOf()).toBe(50 * forOne);
});

test('A portfolio that has not started in time counts as behind its schedule.', async () => {
  const w = await started();
  const { tally } = newTally(w);
  await submitted(w, form({ startAt: later(NOON, 30_000) }));
  w.engine.stop();
  await w.run(29_000);
  expect((await shownBy(tally, w)).progress).toMatchObject({ scheduled: 0, shortfallMax: 0 });
  await w.run(22_000);
  const { portfolios, progress } = await shownBy(tally, w);
  expect(portfolios.pending).toBe(1);
  expect(progress['scheduled']).toBeCloseTo(0.5);
  expect(progress['shortfallMax']).toBeCloseTo(1 / 3);
});

test('What hedges lack is summed by instrument until it is filled.', async () => {
  const call = option();
  const w = world({ instruments: [perpetual(), call] });
  const { tally, end } = newTally(w);
  w.venue.show(quote(call, [0.0335, 0.035]));
  await w.engine.start();
  const options = { instrument: call.name, instrumentType: 'option', quantity: quantity('10') };
  const hedge = { side: 'sell', quantity: quantity('100000'), hedge: true } as const;
  const legs = [legForm({ ...options, instrumentType: 'option' }), legForm(hedge)];
  const twapTrade = { durationSec: 60, frequencySec: 60 };
  // 100,000 USD for 10 options, of which the first portfolio buys 10 and the second 4.
  await submitted(w, form({ twapTrade, legs }));
  const fewer = legForm({ ...options, instrumentType: 'option', quantity: quantity('4') });
  await submitted(
    w,
    form({ twapTrade, legs: [fewer, legForm({ ...hedge, quantity: quantity('40000') })] }),
  );
  await w.run(2_000);
  const lacking = async () => [...(await tally.progress(shareAt(w))).unhedged];
  expect(await lacking()).toEqual([[perpetual().name, 140_000]]);
  show(w);
  await w.run(5_000);
  expect(await lacking()).toEqual([]);
  end();
});
