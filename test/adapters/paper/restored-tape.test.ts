// The public tape after a restart: the users' trades of the journal are on it again.
import { expect, it } from 'vitest';
import type { Worked } from '../../../src/ports/trading-desk.ts';
import { must } from '../../../src/values/assert.ts';
import { later } from '../../../src/values/instant.ts';
import { value } from '../../conformance/venue-act.ts';
import { ungated } from '../../support/engine/venue-records.ts';
import { ACCOUNT, anOrder, BTC, MemoryStore, NOON, paperStage } from './paper-stage.ts';

it('a trade of a user is on the public tape after a restart, once and as it was', async () => {
  const store = new MemoryStore();
  const before = paperStage({ journal: { store } });
  const leave = before.venue.market.follow(BTC, () => undefined);
  await before.pass(5_000);
  await before.venue.attach(ACCOUNT);
  const { ask } = must(before.venue.quote(BTC), 'a quote');
  const order = anOrder(before.venue, { price: must(ask, 'an offer').price });
  const reply = await ungated(before.venue).place(order);
  expect(reply.kind).toBe('done');
  const query = { instruments: [BTC], count: 1_000, order: 'desc', fromSeq: 0 } as const;
  const tape = must(await before.venue.market.history('tape', query), 'a tape').trades;
  const own = reply.kind === 'done' ? reply.value.trades.map(({ tradeId }) => tradeId) : [];
  expect(own.length).toBeGreaterThan(0);
  leave();
  await before.venue.close();

  const after = paperStage({ journal: { store } }, before.clock);
  const again = must(await after.venue.market.history('tape', query), 'a tape').trades;
  expect(again).toEqual(tape.filter(({ tradeId }) => own.includes(tradeId)));
  await after.venue.close();
});

it('a combo is on the tape again with its legs, which do not count in the candles of their own books', async () => {
  const store = new MemoryStore();
  const before = paperStage({ journal: { store } });
  const { venue } = before;
  const future = must(
    venue.instruments().find(({ kind, base }) => kind === 'future' && base === 'BTC'),
    'a future',
  ).name;
  const trades = [
    { instrument: future, side: 'buy' },
    { instrument: BTC, side: 'sell' },
  ] as const;
  const combo = value(await venue.combos.create({ account: ACCOUNT, trades })).instrument.name;
  venue.watch(combo);
  await before.pass(5_000);
  const price = must(venue.quote(combo)?.ask, 'an offer').price;
  const placed = await ungated(venue).place(anOrder(venue, { instrument: combo, price }));
  const [{ tradeId, legs = [] }] = value(placed).trades as [Worked['trades'][0]];
  const query = { instruments: [combo], count: 10, order: 'desc' } as const;
  const tape = must(await venue.market.history('tape', query), 'a tape').trades;
  expect(tape).toMatchObject([{ tradeId, legs: [{ comboId: combo }, { comboId: combo }] }]);
  const span = { from: NOON, until: later(NOON, 60_000), everyMs: 60_000 };
  const chart = { ...span, instrument: combo };
  const candles = must(await venue.market.history('candles', chart), 'candles');
  expect(candles).toHaveLength(1);
  await venue.close();

  const after = paperStage({ journal: { store } }, before.clock);
  const { market } = after.venue;
  expect(must(await market.history('tape', query), 'a tape').trades).toEqual(tape);
  expect(await market.history('candles', chart)).toEqual(candles);
  const ofLeg = { ...query, instruments: [future], count: 1_000, fromSeq: 0 };
  const leg = must(await market.history('tape', ofLeg), 'a tape').trades;
  expect(leg.filter(({ comboId }) => comboId === combo)).toMatchObject([
    { tradeId: legs[0]?.tradeId, comboTradeId: tradeId },
  ]);
  await after.venue.close();
});
