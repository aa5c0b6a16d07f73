// What the controls have counted for an account holds on when another daemon begins to own it.
import { describe, expect, test } from 'vitest';
import type { ControlLimits } from '../../../src/core/risk/gate/control-limits.ts';
import { must } from '../../../src/values/assert.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { type EngineDeployment, OF_A } from '../../support/engine/engine-deployment.ts';
import { BY } from '../../support/engine/engine-world.ts';
import { quote } from '../../support/engine/markets.ts';
import { PERP, pair, SECOND, submitted, twentySlices } from './two-owners.ts';

const REFUSALS_MAX = 6;
const REPEATS: ControlLimits = {
  version: '1-test',
  repeats: { executionsMax: 9, rejectsMax: REFUSALS_MAX },
};
const DRIFT: ControlLimits = {
  version: '1-test',
  drift: { windowMs: 60_000, bps: 10, optionBps: 10 },
};

const kindsOf = async (d: EngineDeployment, id: PortfolioId) =>
  must(await d.ledger.load(id), 'it is stored').events.map(({ kind }) => kind);

const count = (kinds: readonly string[], kind: string): number =>
  kinds.filter((one) => one === kind).length;

describe('PT-6: orders refused in a row', () => {
  test.each(['kill', 'shutDown'] as const)(
    'PT-6: those refused before a hand-over count after it (%s)',
    async (end) => {
      const { d, a, b } = await pair({ limits: REPEATS });
      d.venue.mishap = (method) => (method === 'place' ? { code: 10_009, later: true } : undefined);
      const { portfolio } = await submitted(a, twentySlices(OF_A));
      for (let refused = 0; refused < 2; ) {
        await d.run(10);
        refused = count(await kindsOf(d, portfolio), 'child_rejected');
      }
      await d[end](a);
      await d.run(10 * SECOND);
      const kinds = await kindsOf(d, portfolio);
      expect(count(kinds, 'child_rejected')).toBe(REFUSALS_MAX);
      expect(kinds.indexOf('paused')).toBe(kinds.lastIndexOf('child_rejected') + 1);
      expect(b.world.engine.peek(portfolio)?.paused).toMatchObject({ by: 'control' });
      expect(b.refusals).toMatchObject([{ control: 'repeated_execution', portfolio }]);
      expect(a.refusals).toEqual([]);
    },
  );
});

describe('PT-2: price drift', () => {
  /** A portfolio whose owner dies when it has just traded far away from where it began. */
  async function drifted() {
    const { d, a, b } = await pair({ limits: DRIFT });
    const { portfolio } = await submitted(a, twentySlices(OF_A));
    await d.run(3 * SECOND);
    d.venue.subscribe((news) => {
      if (news.kind === 'trade') d.kill(a);
    });
    d.venue.show(quote(PERP, [109_999.5, 110_000]));
    await d.run(8 * SECOND);
    return { d, a, b, portfolio };
  }

  test('PT-2: a portfolio whose fills had drifted when its owner died is paused by the next owner before it trades again', async () => {
    const { d, b, portfolio } = await drifted();
    expect(b.world.engine.peek(portfolio)?.paused).toMatchObject({ by: 'control' });
    expect(b.refusals).toMatchObject([{ control: 'price_drift', portfolio }]);
    expect(d.placed()).toEqual({ a: 5 });
  });

  test('PT-2: a portfolio that was resumed since its fills had drifted is not paused for them by the next owner', async () => {
    const { d, b, portfolio } = await drifted();
    d.venue.isDown = true;
    await b.operations.resume(portfolio, BY);
    const c = await d.started('c');
    d.kill(b);
    await d.run(4 * SECOND);
    expect(c.world.engine.peek(portfolio)?.paused).toBeUndefined();
    expect(c.refusals).toEqual([]);
  });

  test('PT-2: a daemon that hears of fills of an account that it does not own pauses nothing for them', async () => {
    const { d, a, b } = await pair({ limits: DRIFT });
    const { portfolio } = await submitted(a, twentySlices(OF_A));
    await d.run(3 * SECOND);
    d.venue.show(quote(PERP, [109_999.5, 110_000]));
    await d.run(8 * SECOND);
    expect(a.refusals).toMatchObject([{ control: 'price_drift', portfolio }]);
    expect(b.refusals).toEqual([]);
    expect([...b.committed]).toEqual([]);
  });
});
