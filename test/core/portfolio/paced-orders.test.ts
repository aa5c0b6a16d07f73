// What holds orders back for a while: a share of the volume (`participationMax`) and the message budget. Neither strands
// anything that could still trade: each alongside a pause, random sizes, a hedge and the end action.
import { describe, expect, test } from 'vitest';
import type { LegForm, PortfolioForm } from '../../../src/core/terms/form.ts';
import { quantity, text } from '../../../src/values/amounts.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { form, legForm } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const HEDGE = perpetual({ name: instrumentName('ETH-PERPETUAL') });

const hedgeLeg = legForm({
  instrument: HEDGE.name,
  side: 'sell',
  quantity: quantity('4000'),
  hedge: true,
});

/** Ten slices of 200 USD, one every ten seconds. */
function work(change: Partial<PortfolioForm> = {}, legs: readonly LegForm[] = []): CoreWork {
  const made = new CoreWork(
    form({
      twapTrade: { durationSec: 100, frequencySec: 10 },
      legs: [legForm({ quantity: quantity('2000') }), ...legs],
      ...change,
    }),
    [PERP, HEDGE],
  );
  made.show(quote(HEDGE, [99_990, 100_010]));
  return made;
}

const sizes = ({ placed }: CoreWork, leg = 0): number[] =>
  placed.filter((order) => order.leg === leg).map((order) => Number(order.quantity));
const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);

/** The venue's count of the volume from now on. */
const trade = (made: CoreWork, traded: string): void =>
  made.show(quote(PERP, [99_990, 100_010], { traded: quantity(traded) }));

/** 100 USD trade in each second, so a quarter allows 25 a second. */
function runWithVolume(made: CoreWork, fromMs: number, toMs: number): void {
  for (let ms = fromMs; ms <= toMs && !made.isOver; ms += 1_000) {
    trade(made, String(1_000_000 + ms / 10));
    made.until(ms);
  }
}

describe('a share of the volume', () => {
  const execution = { participationMax: 0.25, maxCatchUp: 50 };

  test('after a pause the backlog goes out within the share, none of it is lost, and the total is exact', () => {
    const made = work({ execution });
    trade(made, '1000000');
    made.at(0);
    made.apply({ kind: 'pause', by: '7' });
    runWithVolume(made, 1_000, 50_000);
    expect(made.placed).toEqual([]);
    made.apply({ kind: 'resume', by: '7' });
    runWithVolume(made, 51_000, 100_000);
    // Five slices are left for 2,000; a quarter of the 5,000 that had traded at the first of them allows 1,250.
    expect(sizes(made)).toEqual([400, 400, 400, 400, 400]);
    expect(made.desk.state.status).toBe('filled');
  });

  test('at every moment what was ordered is at most the share of what had traded, with random sizes too', () => {
    const made = work({ execution: { ...execution, randomSize: 0.9, seed: 'a' } });
    trade(made, '1000000');
    made.at(0);
    runWithVolume(made, 1_000, 130_000);
    let ordered = 0;
    for (const order of made.placed) {
      ordered += Number(order.quantity);
      expect(ordered, `at ${order.atMs} ms`).toBeLessThanOrEqual(0.25 * Math.ceil(order.atMs / 10));
    }
    expect(made.waits()).toContain('participation');
    expect(ordered).toBeGreaterThan(1_000);
  });

  test('a hedge is exempt: it follows each fill of the other leg, whatever trades in its own instrument', () => {
    const made = work({ execution }, [hedgeLeg]);
    trade(made, '1000000');
    made.at(0);
    runWithVolume(made, 1_000, 110_000);
    // Two of the hedge for one of the other.
    expect(sum(sizes(made, 1))).toBe(2 * sum(sizes(made)));
    expect(made.events('slice_waiting').filter(({ leg }) => leg === 1)).toEqual([]);
  });

  test('the end action stays within the share: what the volume does not allow is left, with the reason', () => {
    const made = work({ execution: { ...execution, endAction: 'market' } });
    trade(made, '1000000');
    made.at(0);
    // 4,000 trade in all: a quarter is 1,000 of the 2,000 wanted.
    runWithVolume(made, 1_000, 40_000);
    made.until(200_000);
    expect(sum(sizes(made))).toBe(1_000);
    expect(made.waits().at(-1)).toBe('participation');
    expect(made.events('cancelled')).toMatchObject([{ reason: 'time_limit' }]);
  });
});

describe('the message budget', () => {
  const [messagesShort, messagesFree] = [-1_000, 100];
  const give = (made: CoreWork, left: number, ms: number): void => {
    const room = { left, perSecond: 1 };
    made.desk.given = { messages: { at: later(NOON, ms), shared: [room], instruments: new Map() } };
  };
  const start = (change: Partial<PortfolioForm> = {}, legs: readonly LegForm[] = []): CoreWork => {
    const made = work({ ...change }, legs);
    made.show(quote(PERP, [99_990, 100_010]));
    return made;
  };

  test('a slice that waits for it orders once there is room, and after a pause the total is exact', () => {
    const made = start({ execution: { maxCatchUp: 50 } });
    made.at(0);
    made.apply({ kind: 'pause', by: '7' });
    made.until(35_000);
    give(made, messagesShort, 35_000);
    made.apply({ kind: 'resume', by: '7' });
    made.until(39_000);
    expect(sizes(made)).toEqual([200]);
    expect(made.waits()).toContain('message_budget');
    give(made, messagesFree, 39_500);
    made.until(200_000);
    expect(sum(sizes(made))).toBe(2_000);
    expect(made.desk.state.status).toBe('filled');
  });

  test('what random slices could not order for lack of it is caught up in later ones', () => {
    const made = start({ execution: { randomSize: 0.9, seed: 'a', maxCatchUp: 50 } });
    give(made, messagesShort, 0);
    made.at(0);
    made.until(25_000);
    expect(made.placed).toEqual([]);
    give(made, messagesFree, 25_000);
    made.until(200_000);
    expect(sum(sizes(made))).toBe(2_000);
  });

  test('a hedge waits for it and is then ordered in full', () => {
    const made = start({}, [hedgeLeg]);
    made.at(0);
    made.until(30_000);
    const [before, hedged] = [sum(sizes(made)), sum(sizes(made, 1))];
    expect(hedged).toBe(2 * before);
    give(made, messagesShort, 30_000);
    made.until(45_000);
    give(made, messagesFree, 45_000);
    made.until(200_000);
    expect(sum(sizes(made))).toBe(2_000);
    expect(sum(sizes(made, 1))).toBe(4_000);
    expect(made.desk.state.status).toBe('filled');
  });

  test('the end action orders what was left for lack of it', () => {
    const made = start({ execution: { endAction: 'market' } });
    give(made, messagesShort, 0);
    made.at(0);
    made.until(99_000);
    expect(made.placed).toEqual([]);
    give(made, messagesFree, 100_000);
    made.until(200_000);
    expect(made.placed.map((order) => text(order.quantity))).toEqual(['2000']);
    expect(made.desk.state.status).toBe('filled');
  });
});
