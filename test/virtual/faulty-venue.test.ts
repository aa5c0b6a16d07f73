import { describe, expect, it } from 'vitest';
import type { VenueNotice } from '../../src/ports/trading-desk.ts';
import { must } from '../../src/values/assert.ts';
import { type Instant, later } from '../../src/values/instant.ts';
import { ACCOUNT, anOrder, BTC, NOON, paperStage, settle } from '../adapters/paper/paper-stage.ts';
import { MAKERS, RFQ_ACCOUNTS, TAKER } from '../adapters/paper/rfq-accounts.ts';
import { blockRfqConformance } from '../conformance/block-rfq.ts';
import { venueConformance } from '../conformance/venue.ts';
import type { FaultPlan } from '../doubles/faults/fault-plan.ts';
import { FaultyVenue } from '../doubles/faults/faulty-venue.ts';
import { pastTheGate, ungated } from '../support/engine/past-the-gate.ts';
import { keyOf } from '../support/engine/venue-records.ts';

const NO_FAULTS: FaultPlan = {
  seed: 'none',
  requests: { loseRequest: 0, refuse: { chance: 0, code: 10009 }, delay: { chance: 0, maxMs: 9 } },
  notices: { lose: 0, duplicate: { chance: 0, maxMs: 9 } },
  disconnects: [],
};

const ABSENT = { kind: 'done', value: { orders: [], trades: [] } };

function stage(plan: Omit<FaultPlan, 'seed'>) {
  const { clock, venue, pass } = paperStage();
  const faulty = new FaultyVenue(venue, clock, { seed: 'test', ...plan });
  const heard: VenueNotice[] = [];
  faulty.subscribe((notice) => heard.push(notice));
  faulty.watch(BTC);
  return { clock, venue, faulty, heard, pass };
}

/** The reply, and how long it took. */
async function timed<T>(at: ReturnType<typeof stage>, request: Promise<T>): Promise<[T, number]> {
  const from = at.clock.now();
  let answer: { readonly value: T; readonly tookMs: number } | undefined;
  void request.then((value) => {
    answer = { value, tookMs: at.clock.now() - from };
  });
  for (let round = 0; answer === undefined && round < 100; round += 1) await at.pass(50);
  if (answer === undefined) throw new Error('never answered');
  return [answer.value, answer.tookMs];
}

describe('FaultyVenue without faults', () => {
  venueConformance(() => {
    const { clock, venue, pass } = paperStage();
    const faulty = new FaultyVenue(venue, clock, NO_FAULTS);
    const close = (): Promise<void> => faulty.close();
    const now = (): Instant => clock.now();
    return Promise.resolve({ venue: faulty, account: ACCOUNT, instrument: BTC, now, pass, close });
  });
});

describe('faultyRfqDesk without faults', () => {
  blockRfqConformance(() => {
    const { clock, venue, pass } = paperStage({ accounts: RFQ_ACCOUNTS });
    const faulty = new FaultyVenue(venue, clock, NO_FAULTS);
    const rfqs = ungated(must(faulty.rfqs, 'the paper exchange has Block RFQs'));
    const who = { taker: TAKER, makers: MAKERS, perpetual: BTC };
    return Promise.resolve({ rfqs, venue: faulty, pass, close: () => faulty.close(), ...who });
  });
});

describe('requests on a faulty connection', () => {
  it('a lost request never reaches the venue, and its outcome is unknown after the time-out', async () => {
    const at = stage({ requests: { loseRequest: 1, timeoutMs: 500 } });
    const order = anOrder(at.venue);
    const [answer, tookMs] = await timed(at, at.faulty.place(pastTheGate(order)));
    expect(answer).toEqual({ kind: 'unknown', reason: 'no answer in time' });
    expect(tookMs).toBe(500);
    expect(await at.venue.reconcile(order)).toMatchObject(ABSENT);
  });

  it('a request whose reply is lost has taken effect', async () => {
    const at = stage({ requests: { loseAnswer: 1 } });
    const order = anOrder(at.venue);
    const [answer] = await timed(at, at.faulty.place(pastTheGate(order)));
    expect(answer).toMatchObject({ kind: 'unknown' });
    expect(await at.venue.reconcile(order)).toMatchObject({
      value: { orders: [{ state: 'open' }] },
    });
    const [question] = await timed(at, at.faulty.reconcile(order));
    expect(question).toMatchObject({ kind: 'unknown' });
    const [positions] = await timed(at, at.faulty.positions({ account: ACCOUNT }));
    expect(positions).toEqual({ kind: 'unknown', reason: 'no answer in time' });
  });

  it('a delayed request that arrives after its deadline is refused', async () => {
    const at = stage({ requests: { delay: { chance: 1, maxMs: 1_000 } } });
    const order = anOrder(at.venue, { validUntil: later(NOON, 1) });
    const [answer, tookMs] = await timed(at, at.faulty.place(pastTheGate(order)));
    expect(answer).toMatchObject({ kind: 'refused', code: 13888, class: 'later' });
    expect(tookMs).toBeGreaterThan(1);
    expect(tookMs).toBeLessThanOrEqual(2_000);
  });

  it.each([
    [10009, { kind: 'refused', code: 10009, class: 'final' }],
    [10041, { kind: 'refused', code: 10041, class: 'later' }],
    [11094, { kind: 'unknown' }],
  ] as const)('a request refused with %i by the plan has no effect', async (code, expected) => {
    const at = stage({ requests: { refuse: { chance: 1, code } } });
    const order = anOrder(at.venue);
    expect(await at.faulty.place(pastTheGate(order))).toMatchObject(expected);
    expect(await at.faulty.reconcile(order)).toMatchObject(ABSENT);
  });

  it('the same seed gives the same faults, and another seed gives others', async () => {
    const course = async (seed: string): Promise<string> => {
      const at = stage({ requests: { loseRequest: 0.3, loseAnswer: 0.3, timeoutMs: 5 } });
      const faulty = new FaultyVenue(at.venue, at.clock, {
        seed,
        requests: { loseRequest: 0.4, timeoutMs: 5 },
      });
      const kinds = [];
      for (let n = 0; n < 40; n += 1) {
        kinds.push((await timed(at, faulty.place(pastTheGate(anOrder(at.venue)))))[0].kind);
      }
      return kinds.join();
    };
    const [first, again, other] = [await course('a'), await course('a'), await course('b')];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(first).toContain('unknown');
    expect(first).toContain('done');
  });
});

describe('notices on a faulty connection', () => {
  const labels = (heard: readonly VenueNotice[]): readonly string[] =>
    heard.flatMap((notice) => (notice.kind === 'order' ? [notice.order.label] : []));

  async function afterOrders(plan: Omit<FaultPlan, 'seed'>, count: number) {
    const at = stage(plan);
    const sent: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const order = anOrder(at.venue);
      sent.push(order.label);
      await at.faulty.place(pastTheGate(order));
      await at.pass(10);
    }
    await at.pass(2_000);
    return { sent, got: labels(at.heard) };
  }

  it('notices can be lost', async () => {
    expect((await afterOrders({ notices: { lose: 1 } }, 3)).got).toEqual([]);
  });

  it('notices can be delivered twice', async () => {
    const spell = { chance: 1, maxMs: 100 };
    const { sent, got } = await afterOrders({ notices: { duplicate: spell } }, 5);
    expect([...got].sort()).toEqual([...sent, ...sent].sort());
  });

  it('notices can arrive out of order, without one missing', async () => {
    const spell = { chance: 0.5, maxMs: 500 };
    const { sent, got } = await afterOrders({ notices: { reorder: spell } }, 20);
    expect([...got].sort()).toEqual([...sent].sort());
    expect(got).not.toEqual(sent);
  });
});

describe('a lost connection', () => {
  const AWAY = { disconnects: [{ from: later(NOON, 1_000), forMs: 5_000 }] };

  it('a lost connection passes nothing, keeps the last quote, and notifies when it is restored', async () => {
    const at = stage(AWAY);
    const order = anOrder(at.venue);
    expect(await at.faulty.place(pastTheGate(order))).toMatchObject({ kind: 'done' });
    await at.pass(900);
    const before = at.faulty.quote(BTC);
    await at.pass(1_000);
    expect(await at.faulty.place(pastTheGate(anOrder(at.venue)))).toEqual({
      kind: 'unknown',
      reason: 'not connected',
    });
    expect(at.faulty.quote(BTC)).toEqual(before);
    at.heard.length = 0;
    await at.venue.cancel({ account: ACCOUNT, of: keyOf(order) });
    await at.pass(3_000);
    expect(at.heard).toEqual([]);
    await at.pass(1_200);
    expect(at.heard).toEqual([{ kind: 'reconnected', accounts: [ACCOUNT] }]);
    expect(at.faulty.quote(BTC)).not.toEqual(before);
    expect(await at.faulty.reconcile(order)).toMatchObject({
      value: { orders: [{ state: 'cancelled' }] },
    });
  });

  it('a lost connection drops requests in flight', async () => {
    const at = stage({ ...AWAY, requests: { delay: { chance: 1, maxMs: 1_000 }, timeoutMs: 50 } });
    await at.pass(999);
    const order = anOrder(at.venue);
    const [answer] = await timed(at, at.faulty.place(pastTheGate(order)));
    expect(answer).toMatchObject({ kind: 'unknown' });
  });
});

describe('the order methods on a faulty connection', () => {
  it('order methods and their notices have the same faults', async () => {
    const at = stage({ requests: { refuse: { chance: 1, code: 10009 } } });
    expect(await at.faulty.cancelAll({ account: ACCOUNT })).toMatchObject({ code: 10009 });
    expect(await at.faulty.openOrders({ account: ACCOUNT })).toMatchObject({ value: [] });
    const unclear = stage({ requests: { refuse: { chance: 1, code: 11094 } } });
    const cancelled = await unclear.faulty.cancelAll({ account: ACCOUNT });
    expect(cancelled).toMatchObject({ kind: 'unknown' });
    const lost = stage({ requests: { loseRequest: 1 }, notices: { lose: 1 } });
    const [answer] = await timed(lost, lost.faulty.openOrders({ account: ACCOUNT }));
    expect(answer).toMatchObject({ kind: 'unknown' });
    const news: unknown[] = [];
    lost.faulty.subscribe((one) => news.push(one));
    await lost.venue.place(pastTheGate(anOrder(lost.venue)));
    await settle();
    await lost.pass(100);
    expect(news).toEqual([]);
  });
});
