// What the controls have counted for an account holds on when another daemon begins to own it.
import { describe, expect, test } from 'vitest';
import { shardOf } from '../../../src/core/ownership/shards.ts';
import type { ControlLimits, MessageLimits } from '../../../src/core/risk/gate/control-limits.ts';
import type { OverrideWish } from '../../../src/core/risk/gate/overrides.ts';
import type { Gate } from '../../../src/engine/risk/gate.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type PortfolioId, tradeId } from '../../../src/values/ids.ts';
import {
  type EngineDaemon,
  EngineDeployment,
  OF_A,
  OF_B,
} from '../../support/engine/engine-deployment.ts';
import { BY } from '../../support/engine/engine-world.ts';
import { quote } from '../../support/engine/markets.ts';
import type { Mishap } from '../../support/engine/script-venue.ts';
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

const refusing = (method: string): Mishap | undefined =>
  method === 'place' ? { code: 10_009, later: true } : undefined;

const limitsOnMessages = (messages: Partial<MessageLimits>): ControlLimits => ({
  version: '1-test',
  messages: { shareOfVenue: 1, perSecond: 1_000, burst: 1_000, cancelReserve: 0, ...messages },
});

const gateOf = ({ gate, name }: EngineDaemon): Gate => must(gate, () => `the gate of ${name}`).gate;

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
      expect(b.world.engine.turns.peek(portfolio)?.paused).toMatchObject({ by: 'control' });
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
    expect(b.world.engine.turns.peek(portfolio)?.paused).toMatchObject({ by: 'control' });
    expect(b.refusals).toMatchObject([{ control: 'price_drift', portfolio }]);
    expect(d.placed()).toEqual({ a: 5 });
  });

  test('PT-2: a portfolio that was resumed since its fills had drifted is not paused for them by the next owner', async () => {
    const { d, b, portfolio } = await drifted();
    d.venue.mishap = refusing;
    await b.operations.resume(portfolio, BY);
    const c = await d.started('c');
    d.kill(b);
    await d.run(4 * SECOND);
    expect(c.world.engine.turns.peek(portfolio)?.status).toBe('active');
    expect(c.world.engine.turns.peek(portfolio)?.paused).toBeUndefined();
    expect(c.refusals).toEqual([]);
  });

  test('PT-2: a daemon that hears of fills of an account that it does not own pauses nothing for them', async () => {
    const { d, a, b } = await pair({ limits: DRIFT });
    const { portfolio } = await submitted(a, twentySlices(OF_A));
    await d.run(3 * SECOND);
    const { order } = must(d.venue.kept[0], 'an order was sent');
    const trade = { ...order, account: OF_A, tradeId: tradeId('far'), price: price('110000') };
    must(b.gate, 'its gate').accounts.recordTrade(d.venue, { ...trade, at: d.clock.now() });
    await d.run(SECOND);
    expect(a.world.engine.turns.peek(portfolio)?.paused).toBeUndefined();
    expect(b.committed).toEqual(new Set());
    must(a.gate, 'its gate').accounts.recordTrade(d.venue, { ...trade, at: d.clock.now() });
    await d.run(SECOND);
    expect(a.world.engine.turns.peek(portfolio)?.paused).toMatchObject({ by: 'control' });
    expect(a.refusals).toMatchObject([{ control: 'price_drift', portfolio }]);
    expect(b.refusals).toEqual([]);
  });
});

describe('PT-5: message budgets that daemons share', () => {
  const rate = { perSecond: 0.002, burst: 4 };

  test('PT-5: a daemon that joins begins with an empty share, and the one that was there keeps its own', async () => {
    const { d, a, b } = await pair({
      limits: limitsOnMessages({ instrument: rate, process: rate }),
    });
    const of = { venue: d.venue, account: OF_A };
    expect(gateOf(a).waitMs(of)).toBe(0);
    expect(gateOf(b).waitMs(of)).toBeGreaterThan(900_000);
    const messages = limitsOnMessages({ instrument: rate });
    const { d: other, b: joined } = await pair({ limits: messages });
    const about = { venue: other.venue, account: OF_B, instrument: PERP.name };
    expect(gateOf(joined).waitMs(about)).toBeGreaterThan(900_000);
  });

  test('PT-5: a daemon begins with an empty share, too, where the other one was killed before it handed anything over', async () => {
    const d = new EngineDeployment({ limits: limitsOnMessages({ process: rate }) });
    const a = await d.started('a');
    const b = await d.startedAsKilled('b', a);
    expect(b.ownership.owns(shardOf(OF_A))).toBe(true);
    expect(gateOf(b).waitMs({ venue: d.venue, account: OF_A })).toBeGreaterThan(400_000);
  });
});

describe('PT-5: the message budget of an account', () => {
  const limits = limitsOnMessages({ perSecond: 1, burst: 20, cancelReserve: 0.2 });

  /** How long its next owner has to wait for an order, after the former one has sent what it might. */
  async function waitAfter(end: 'kill' | 'shutDown', messages: number): Promise<number> {
    const { d, a, b } = await pair({ limits });
    const of = { venue: d.venue, account: OF_A };
    for (let sent = 0; sent < messages; sent += 1) gateOf(a).count(of);
    await d[end](a);
    let waitedMs = 0;
    for (; !b.ownership.owns(shardOf(OF_A)) && waitedMs < 5_000; waitedMs += 10) await d.run(10);
    expect(b.ownership.owns(shardOf(OF_A))).toBe(true);
    return gateOf(b).waitMs(of) + waitedMs;
  }

  test('PT-5: the next owner continues with it as full as the former one left it', async () => {
    expect(await waitAfter('shutDown', 0)).toBeLessThan(100);
    const waitMs = await waitAfter('shutDown', 18);
    expect(waitMs).toBeGreaterThan(2_700);
    expect(waitMs).toBeLessThanOrEqual(3_000);
  });

  test('PT-5: where the former owner was killed, it counts as spent then', async () => {
    const waitMs = await waitAfter('kill', 0);
    expect(waitMs).toBeGreaterThan(4_700);
    expect(waitMs).toBeLessThanOrEqual(5_600);
  });

  test('PT-5: where the former owner was killed before the next one owned anything, it counts as spent then', async () => {
    const d = new EngineDeployment({ limits });
    const a = await d.started('a');
    const of = { venue: d.venue, account: OF_A };
    for (let sent = 0; sent < 16; sent += 1) gateOf(a).count(of);
    const b = await d.startedAsKilled('b', a);
    expect(b.ownership.owns(shardOf(OF_A))).toBe(true);
    expect(gateOf(b).waitMs(of)).toBeGreaterThan(3_000);
  });

  test('PT-5: a daemon that was never beside another one begins with a full one, also where an earlier one was killed', async () => {
    const d = new EngineDeployment({ limits });
    const a = await d.started('a');
    const of = { venue: d.venue, account: OF_A };
    for (let sent = 0; sent < 16; sent += 1) gateOf(a).count(of);
    d.kill(a);
    const b = await d.started('b');
    expect(b.ownership.owns(shardOf(OF_A))).toBe(true);
    expect(gateOf(b).waitMs(of)).toBe(0);
  });

  test('PT-5: it stays as it was while its owner does not change', async () => {
    const { d, a } = await pair({ limits });
    const of = { venue: d.venue, account: OF_A };
    const c = await d.started('c');
    await d.shutDown(c);
    await d.run(2 * SECOND);
    expect(gateOf(a).waitMs(of)).toBe(0);
  });
});

describe('PT-17: overrides', () => {
  const wish: OverrideWish = {
    control: 'order_value',
    account: OF_A,
    instrument: PERP.name,
    side: 'buy',
    quantity: quantity('10'),
    reason: 'asked for',
  };
  const inForce = (d: EngineDeployment, at: EngineDaemon) =>
    gateOf(at)
      .overrides.inForce(OF_A, d.clock.now())
      .map(({ id, quantity: most }) => [id, text(most)]);

  async function granted() {
    const { d, a, b } = await pair({ limits: REPEATS });
    for (const id of ['one', 'used']) {
      const at = d.clock.now();
      const asked = { id, by: 'key-1', at, lifeMs: 60_000 };
      const override = gateOf(a).overrides.request(wish, asked);
      gateOf(a).overrides.grant(id, 'key-2', at);
      if (id === 'used') gateOf(a).overrides.use(override, at);
    }
    return { d, a, b };
  }

  test('PT-17: an override goes with its account to the next owner, and lets one order past in all', async () => {
    const { d, a, b } = await granted();
    await d.shutDown(a);
    await d.run(2 * SECOND);
    expect(inForce(d, b)).toEqual([['one', '10']]);
    expect(inForce(d, a)).toEqual([]);
    expect(gateOf(b).overrides.all(d.clock.now())).toMatchObject([{ id: 'one' }, { id: 'used' }]);
    const c = await d.started('c');
    expect(c.ownership.owns(shardOf(OF_A)) ? inForce(d, c) : inForce(d, b)).toEqual([
      ['one', '10'],
    ]);
  });

  test('PT-17: an override whose keeper was killed is gone', async () => {
    const { d, a, b } = await granted();
    d.kill(a);
    await d.run(4 * SECOND);
    expect(b.ownership.owns(shardOf(OF_A))).toBe(true);
    expect(gateOf(b).overrides.all(d.clock.now())).toEqual([]);
  });
});
