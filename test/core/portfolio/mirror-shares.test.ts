// A mirror that has copied something already: its share of each fill is the growth of three tenths of the mirrored
// sum, rounded to lots of ten, and every fill and amendment is copied once.
import { describe, expect, test } from 'vitest';
import type { MirroredFill } from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { mirroredAfter } from '../../../src/core/portfolio/record-mirror.ts';
import { termsOf } from '../../../src/core/terms/amend-terms.ts';
import { quantity, ratio, text } from '../../../src/values/amounts.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { emptyLayeredMap } from '../../../src/values/layered-map.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { form, legForm } from '../../support/engine/engine-world.ts';
import { NOON, perpetual } from '../../support/engine/markets.ts';

const fill = (number: number, size = '50'): MirroredFill => ({
  number,
  leg: 0,
  tradeId: `t${number}`,
  quantity: size,
  price: '100000',
  liquidity: 'maker',
  tradedAt: NOON,
});

function mirror(change: Partial<PortfolioState> = {}) {
  const desk = new CoreDesk(form({ legs: [legForm({ quantity: quantity('180') })] }), [
    perpetual(),
  ]);
  const spec = { ...desk.state.spec, mirrorOf: portfolioId('1'), scale: ratio('0.3') };
  desk.state = { ...desk.state, spec, ...change };
  let ms = 0;
  const follow = (fills: readonly MirroredFill[], amended?: number) => {
    ms += 1;
    const terms = { ...termsOf(desk.state.spec), durationMs: 7_200_000 };
    const what = amended === undefined ? {} : { amended: { number: amended, by: '8', terms } };
    return desk.run({ kind: 'mirror', now: later(NOON, ms), fills, ...what }).events;
  };
  const shares = (fills: readonly MirroredFill[]) =>
    follow(fills).flatMap((event) => (event.kind === 'fill_mirrored' ? [event.quantity] : []));
  return { desk, follow, shares };
}

describe('the share of a mirror', () => {
  test('it is the growth of the rounded sum, one fill after the other', () => {
    const { desk, shares } = mirror();
    // Sums of 50 to 300: 15, 30, 45, 60, 75 and 90, of which half a lot rounds up.
    expect(shares([fill(1), fill(2)])).toEqual(['20', '10']);
    expect([...shares([fill(3)]), ...shares([fill(4), fill(5)])]).toEqual(['20', '10', '20']);
    expect(shares([fill(6)])).toEqual(['10']);
    const [leg] = desk.state.legs;
    expect([leg?.filled, leg?.mirroredFrom].map((of) => of && text(of))).toEqual(['90', '300']);
  });

  test('a fill counts once, and one whose predecessor is missing waits for it', () => {
    const { shares } = mirror();
    expect(shares([fill(1), fill(2)])).toHaveLength(2);
    expect(shares([fill(2), fill(1)])).toEqual([]);
    expect(shares([fill(4)])).toEqual([]);
    expect(shares([fill(2), fill(3), fill(5), fill(4)])).toEqual(['20']);
  });

  test('where fills were copied without numbers, those that are known by their trade count once', () => {
    const trades = emptyLayeredMap<string, true>().with('t8', true);
    const { shares } = mirror({ mirrored: { count: 2, trades } });
    expect(shares([fill(8), fill(9)])).toEqual(['20']);
    expect(shares([fill(9), fill(8), fill(2)])).toEqual([]);
  });

  test.each([
    [[5, 6], 6],
    [[5, 4], 5],
    [[3], 4],
    [[6], undefined],
    [[5, 7], undefined],
  ])('of four fills that are copied, %j leaves %s', (numbers, expected) => {
    const after = mirroredAfter(
      { count: 4, trades: undefined },
      numbers.map((number) => fill(number)),
    );
    expect(after?.count).toBe(expected);
  });
});

test.each([
  [1, []],
  [2, []],
  [3, [3]],
])('a mirror that has followed two amendments follows number %i: %j', (number, expected) => {
  const { desk, follow } = mirror({ amendments: 2 });
  const amended = follow([], number).flatMap((one) => (one.kind === 'amended' ? [one.number] : []));
  expect(amended).toEqual(expected);
  expect(desk.state.spec.durationMs === 7_200_000).toBe(expected.length > 0);
});
