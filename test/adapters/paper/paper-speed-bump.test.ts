// The speed bump behind the venue port: answers come after the release, nothing is published before, a cancelled order may
// still fill, and a restart in between loses nothing. Instants are computed: the bump is 10 ms, the latency 60.
import { expect, test } from 'vitest';
import type { Reply, VenueNotice, Worked } from '../../../src/ports/trading-desk.ts';
import { equals, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { value } from '../../conformance/venue-act.ts';
import {
  ACCOUNT,
  anOrder,
  BTC,
  MemoryStore,
  type PaperStage,
  paperStage,
  type StageOptions,
  type StageOrder,
  settle,
} from './paper-stage.ts';

const LINEAR = instrumentName('BTC_USDC-PERPETUAL');
const BUMP_MS = 10;
const bumped = (options: StageOptions = {}, clock?: PaperStage['clock']): PaperStage =>
  paperStage({ rules: { speedBumpMs: BUMP_MS }, ...options }, clock);

/** An order that takes the best offer. */
function taking({ venue }: PaperStage, instrument = LINEAR): StageOrder {
  venue.watch(instrument);
  const ask = must(venue.quote(instrument)?.ask, 'an offer');
  const size = quantity(instrument === LINEAR ? '0.001' : '10');
  return anOrder(venue, { instrument, price: ask.price, quantity: size });
}

interface Answered {
  at: number;
  reply?: Reply<Worked>;
}

/** Places the order and notes when it is answered, after how many milliseconds. */
function placed({ clock, venue }: PaperStage, order: StageOrder): Answered {
  const from = clock.now();
  const answered: Answered = { at: Number.NaN };
  void venue.place(order).then((reply) => {
    answered.at = clock.now() - from;
    answered.reply = reply;
  });
  return answered;
}

const workedIn = ({ reply }: Answered): Worked => value(must(reply, 'it is answered'));

test('an order that would match is answered after its bump, with its trades, and then published', async () => {
  const stage = bumped();
  await stage.venue.attach(ACCOUNT);
  const order = taking(stage);
  const heard: string[] = [];
  const answered = placed(stage, order);
  stage.venue.subscribe((notice: VenueNotice) => {
    if (notice.kind === 'account') return;
    heard.push(`${notice.kind} ${answered.reply === undefined ? 'before' : 'after'}`);
  });
  await stage.pass(BUMP_MS - 1);
  expect([answered.reply, heard]).toEqual([undefined, []]);
  await stage.pass(1);
  expect(answered.at).toBe(BUMP_MS);
  const { order: filled, trades } = workedIn(answered);
  expect(filled).toMatchObject({ state: 'filled' });
  expect(filled).not.toHaveProperty('isSpeedBumped');
  expect(trades.map(({ orderId }) => orderId)).toEqual([filled.orderId]);
  await stage.pass(1);
  expect(heard.toSorted()).toEqual(['order after', 'trade after']);
});

test('the bump comes after the way to the exchange and before the way back', async () => {
  const stage = bumped({ latencyMs: 60 });
  const answered = placed(stage, taking(stage));
  await stage.pass(69);
  expect(answered.reply).toBeUndefined();
  await stage.pass(1);
  expect(answered.at).toBe(30 + BUMP_MS + 30);
  expect(workedIn(answered).order.state).toBe('filled');
});

test('an order of the exempt perpetual is answered at once', async () => {
  const stage = bumped();
  const answered = placed(stage, taking(stage, BTC));
  await settle();
  expect([answered.at, workedIn(answered).order.state]).toEqual([0, 'filled']);
});

test('a waiting order is listed as open and in its bump, refuses edits as later, and may fill after its cancel', async () => {
  const stage = bumped();
  const { venue } = stage;
  const order = taking(stage);
  const answered = placed(stage, order);
  await stage.pass(1);
  const [open] = value(await venue.openOrders({ account: ACCOUNT }));
  expect(open).toMatchObject({ label: order.label, state: 'open', isSpeedBumped: true });
  const of = { label: order.label, instrument: LINEAR };
  expect(await venue.edit({ account: ACCOUNT, of, price: order.price })).toMatchObject({
    kind: 'refused',
    code: 11030,
    message: 'other_reject speed_bumped',
    class: 'later',
  });
  expect(value(await venue.cancel({ account: ACCOUNT, of })).state).toBe('open');
  expect(await venue.cancel({ account: ACCOUNT, of })).toMatchObject({ code: 11044 });
  expect(value(await venue.cancelAll({ account: ACCOUNT }))).toBe(0);
  expect(answered.reply).toBeUndefined();
  await stage.pass(BUMP_MS);
  expect(workedIn(answered).order.state).toBe('filled');
  expect(value(await venue.openOrders({ account: ACCOUNT }))).toEqual([]);
});

test('an edit that would match is answered after its bump with the trades of the edit alone', async () => {
  const stage = bumped();
  const { venue, clock } = stage;
  const order = taking(stage);
  const far = { ...order, price: must(venue.quote(LINEAR)?.bid, 'a bid').price };
  const entered = value(await venue.place(far)).order;
  const from = clock.now();
  const of = { orderId: entered.orderId };
  let at = 0;
  const edited = venue.edit({ account: ACCOUNT, of, price: order.price }).then((reply) => {
    at = clock.now() - from;
    return value(reply);
  });
  await stage.pass(BUMP_MS);
  const { order: after, trades } = await edited;
  expect(at).toBe(BUMP_MS);
  expect(after).toMatchObject({ orderId: entered.orderId, replaced: true });
  const traded = trades.reduce((sum, trade) => sum + Number(text(trade.quantity)), 0);
  expect(equals(after.filledQuantity, quantity(String(traded)))).toBe(true);
});

test('a restart during the bump loses nothing: the order is open, and fills when its bump is over', async () => {
  const store = new MemoryStore();
  const first = bumped({ journal: { store, sync: 'write' } });
  const order = taking(first);
  const answered = placed(first, order);
  await first.pass(4);
  await first.venue.close();
  await settle();
  expect(answered.reply).toMatchObject({ kind: 'unknown' });
  const { clock } = first;
  const { venue, pass } = bumped({ journal: { store, sync: 'write' } }, clock);
  const query = { account: ACCOUNT, instrument: LINEAR, label: order.label };
  const [found] = value(await venue.reconcile(query)).orders;
  expect(found).toMatchObject({ state: 'open', isSpeedBumped: true });
  await pass(BUMP_MS - 5);
  expect(value(await venue.reconcile(query)).trades).toEqual([]);
  await pass(1);
  const { orders, trades } = value(await venue.reconcile(query));
  expect(orders).toMatchObject([{ orderId: found?.orderId, state: 'filled' }]);
  expect(trades).not.toEqual([]);
  expect(trades.every(({ at }) => at >= later(order.validUntil, BUMP_MS - 10_000))).toBe(true);
});

test('a venue that closes leaves no request unanswered', async () => {
  const stage = bumped();
  const answered = placed(stage, taking(stage));
  await settle();
  await stage.venue.close();
  await settle();
  expect(answered.reply).toMatchObject({ kind: 'unknown' });
});
