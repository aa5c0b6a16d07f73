// Combos of the paper venue over time: their market, a restart, and the expiry of a leg.
import { describe, expect, it } from 'vitest';
import type { Combo } from '../../../src/ports/combo-desk.ts';
import { isMore, price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { later, MINUTE_MS, SECOND_MS } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { value } from '../../conformance/venue-act.ts';
import { ungated } from '../../support/engine/venue-records.ts';
import { ACCOUNT, anOrder, BTC, MemoryStore, type PaperStage, paperStage } from './paper-stage.ts';

async function futureSpread({ venue }: PaperStage): Promise<Combo> {
  const futures = venue
    .instruments()
    .filter(({ kind, base }) => kind === 'future' && base === 'BTC');
  const [nearest] = futures.toSorted((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0));
  const far = must(nearest, 'a future').name;
  const trades = [
    { instrument: far, side: 'buy', quantity: quantity('10') },
    { instrument: BTC, side: 'sell', quantity: quantity('10') },
  ] as const;
  return value(await venue.combos.create({ account: ACCOUNT, trades }));
}

describe('the market of a combo', () => {
  it('gives the same quotes for the same seed, and is refilled after a trade', async () => {
    const seen = async (): Promise<string[]> => {
      const stage = paperStage();
      const { instrument } = await futureSpread(stage);
      stage.venue.watch(instrument.name);
      const quotes: string[] = [];
      for (let second = 0; second < 5; second += 1) {
        await stage.pass(SECOND_MS);
        const { bid, ask } = must(stage.venue.quote(instrument.name), 'a quote');
        const shown = [bid, ask].map((level) => must(level, 'two sides'));
        quotes.push(shown.map((level) => `${text(level.price)} x ${text(level.quantity)}`).join());
      }
      const before = must(stage.venue.quote(instrument.name)?.ask, 'an ask');
      const order = anOrder(stage.venue, { ...before, instrument: instrument.name });
      const { trades } = value(await ungated(stage.venue).place(order));
      expect(trades).not.toEqual([]);
      await stage.pass(5 * SECOND_MS);
      expect(stage.venue.quote(instrument.name)?.ask).toBeDefined();
      return quotes;
    };
    const first = await seen();
    expect(new Set(first).size).toBeGreaterThan(1);
    expect(await seen()).toEqual(first);
  });

  it('fills a resting order when the market comes to it', async () => {
    const stage = paperStage();
    const { instrument } = await futureSpread(stage);
    stage.venue.watch(instrument.name);
    await stage.pass(SECOND_MS);
    const { bid, ask } = must(stage.venue.quote(instrument.name), 'a quote');
    const [below, above] = [must(bid, 'a bid').price, must(ask, 'an ask').price];
    expect(isMore(above, below)).toBe(true);
    const terms = { instrument: instrument.name, quantity: quantity('10'), price: below };
    const { order } = value(await ungated(stage.venue).place(anOrder(stage.venue, terms)));
    expect(order.state).toBe('open');
    let now = order;
    for (let minute = 0; minute < 60 && now.state === 'open'; minute += 1) {
      await stage.pass(MINUTE_MS);
      now = value(await stage.venue.order(ACCOUNT, order.orderId));
    }
    expect(now).toMatchObject({ state: 'filled', averagePrice: below });
  });
});

describe('a restart', () => {
  it('brings combos, their orders and their market back', async () => {
    const store = new MemoryStore();
    const first = paperStage({ journal: { store } });
    const combo = await futureSpread(first);
    const { name } = combo.instrument;
    const away = { instrument: name, quantity: quantity('10'), price: price('-500') };
    const { order } = value(await ungated(first.venue).place(anOrder(first.venue, away)));
    await first.pass(SECOND_MS);
    const second = paperStage({ journal: { store } }, first.clock);
    expect(await second.venue.combos.combos()).toEqual([combo]);
    expect(value(await second.venue.openOrders({ account: ACCOUNT }))).toMatchObject([
      { orderId: order.orderId, instrument: name, price: price('-500') },
    ]);
    await second.pass(SECOND_MS);
    expect(second.venue.quote(name)?.bid).toBeDefined();
    expect(await futureSpread(second)).toEqual(combo);
  });
});

describe('the expiry of a leg', () => {
  it('ends the combo: its orders are cancelled and its book is gone', async () => {
    const store = new MemoryStore();
    const first = paperStage({ journal: { store } });
    const { instrument } = await futureSpread(first);
    const expiry = must(instrument.expiresAt, 'an expiry');
    const away = { instrument: instrument.name, quantity: quantity('10'), price: price('-500') };
    const placed = anOrder(first.venue, { ...away, validUntil: expiry });
    const { order } = value(await ungated(first.venue).place(placed));
    await first.venue.close();
    const stage = paperStage({ journal: { store } }, new VirtualClock(later(expiry, SECOND_MS)));
    expect(value(await stage.venue.order(ACCOUNT, order.orderId))).toMatchObject({
      state: 'cancelled',
      cancelReason: undefined,
    });
    expect(await stage.venue.combos.combos()).toMatchObject([{ state: 'inactive' }]);
    expect(stage.venue.instrument(instrument.name)).toBeUndefined();
    expect(stage.venue.instruments().map(({ name }) => name)).not.toContain(instrument.name);
    const expired = stage.venue.market.listed({ expired: true }).map(({ name }) => name);
    expect(expired).toContain(instrument.name);
  });
});
