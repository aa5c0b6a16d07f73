// Contract of every ComboDesk, tested through the venue port alone: a combo is created once, listed, quoted from its legs,
// traded like any instrument, and reported with its legs.
import { afterEach, describe, expect, it } from 'vitest';
import type { Combo, ComboDesk } from '../../src/ports/combo-desk.ts';
import {
  isMore,
  minus,
  notional,
  type Price,
  plus,
  price,
  quantity,
  ratio,
  scaled,
  steps,
  text,
  ZERO_MONEY,
} from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { childLabelOf, type InstrumentName } from '../../src/values/ids.ts';
import { type Instrument, passiveTick, signOf } from '../../src/values/instrument.ts';
import { VenueAct, type VenueStage, value } from './venue-act.ts';

class ComboAct extends VenueAct {
  get combos(): ComboDesk {
    return must(this.stage.venue.combos, 'the venue has combos');
  }

  /** Two calls of one expiry, strikes ascending. */
  get calls(): readonly [Instrument, Instrument] {
    const calls = (this.stage.venue.instruments() ?? [])
      .filter(({ option, base }) => option?.type === 'call' && base === this.terms.base)
      .toSorted((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0));
    const strike = (of: Instrument): number => Number(must(of.option, of.name).strike);
    const month = calls.filter(({ expiresAt }) => expiresAt === calls.at(-1)?.expiresAt);
    const sorted = month.toSorted((a, b) => strike(a) - strike(b));
    const middle = Math.floor(sorted.length / 2);
    return [must(sorted[middle], 'a call'), must(sorted[middle + 1], 'a higher call')];
  }

  async callSpread(): Promise<Combo> {
    const { account } = this.stage;
    const [low, high] = this.calls.map(({ name }) => name) as [InstrumentName, InstrumentName];
    const trades = [
      { instrument: low, side: 'buy', quantity: quantity('1') },
      { instrument: high, side: 'sell', quantity: quantity('1') },
    ] as const;
    return value(await this.combos.create({ account, trades }));
  }
}

const isSame = (one: Price | undefined, other: Price): boolean => one?.eq(other) ?? false;

/** Of one bought leg and twice a sold one. */
function ratioSpread([bought, sold]: readonly Price[]): Price {
  const twice = scaled(must(sold, 'a sold leg'), ratio('2'));
  return must(bought, 'a bought leg').minus(twice) as Price;
}

export function comboConformance(open: () => Promise<VenueStage>): void {
  const acts: ComboAct[] = [];
  const begin = async (): Promise<ComboAct> => {
    const act = new ComboAct(await open());
    acts.push(act);
    await act.stage.pass(0);
    return act;
  };
  afterEach(async () => {
    for (const { stage } of acts.splice(0)) await stage.close();
  });

  describe('creating combos', () => {
    it('the same legs are the same combo, from either side', async () => {
      const act = await begin();
      const combo = await act.callSpread();
      const [low, high] = act.calls;
      const { account } = act.stage;
      const mirrored = await act.combos.create({
        account,
        trades: [
          { instrument: high.name, side: 'buy' },
          { instrument: low.name, side: 'sell' },
        ],
      });
      expect(mirrored).toEqual({ kind: 'done', value: combo });
      expect(combo.instrument.legs).toEqual([
        { instrument: low.name, ratio: 1 },
        { instrument: high.name, ratio: -1 },
      ]);
      expect(combo.state).toBe('active');
      expect(await act.combos.combos()).toEqual([combo]);
    });

    it('a combo is listed among the instruments, with the expiry and the sizes of its legs', async () => {
      const act = await begin();
      const [low] = act.calls;
      const { instrument } = await act.callSpread();
      const { venue } = act.stage;
      expect(venue.instrument(instrument.name)).toEqual(instrument);
      expect(venue.instruments() ?? []).toContainEqual(instrument);
      expect(venue.market.listed({ expired: false })).toContainEqual(instrument);
      expect(instrument).toMatchObject({
        kind: 'option_combo',
        expiresAt: low.expiresAt,
        amountStep: low.amountStep,
        settlement: low.settlement,
      });
    });

    it('legs that are no structure are refused, with the parameter', async () => {
      const act = await begin();
      const [low] = act.calls;
      const { account } = act.stage;
      const reply = await act.combos.create({
        account,
        trades: [{ instrument: low.name, side: 'buy' }],
      });
      expect(reply).toMatchObject({ kind: 'refused', code: -32602, details: { param: 'trades' } });
      expect(await act.combos.combos()).toEqual([]);
    });
  });

  describe('the prices of legs', () => {
    it('legs get prices that add up to the price of the whole, and nothing is created', async () => {
      const act = await begin();
      const [low, high] = act.calls;
      const { account } = act.stage;
      const size = steps(low.amountStep, 20);
      const legs = [
        { instrument: low.name, side: 'buy', quantity: size },
        { instrument: high.name, side: 'sell', quantity: steps(size, 2) },
      ] as const;
      const marks = await Promise.all(
        legs.map(async ({ instrument }) =>
          must((await act.venue.market.ticker(instrument))?.mark, 'a mark price'),
        ),
      );
      const whole = passiveTick(low, 'buy', ratioSpread(marks));
      const found = value(await act.combos.legPrices({ account, legs, price: whole }));
      expect(text(found.quantity)).toBe(text(size));
      expect(found.legs.map((leg) => [leg.instrument, leg.side, text(leg.ratio)])).toEqual([
        [low.name, 'buy', '1'],
        [high.name, 'sell', '2'],
      ]);
      expect(text(ratioSpread(found.legs.map((leg) => leg.price)))).toBe(text(whole));
      expect(await act.combos.combos()).toEqual([]);
    });

    it('a price that no prices of the legs add up to is refused', async () => {
      const act = await begin();
      const { account } = act.stage;
      const [low, high] = act.calls;
      const legs = [
        { instrument: low.name, side: 'buy' },
        { instrument: high.name, side: 'sell' },
      ] as const;
      const reply = await act.combos.legPrices({ account, legs, price: price('-5') });
      expect(reply).toMatchObject({ kind: 'refused', code: 10023, details: { param: 'price' } });
    });
  });

  describe('the market of a combo', () => {
    it('a combo is quoted on both sides around the difference of its legs while it is watched', async () => {
      const act = await begin();
      const { venue } = act.stage;
      const { instrument } = await act.callSpread();
      const stop = venue.watch(instrument.name);
      for (const { name } of act.calls) venue.watch(name);
      const shown = async () => {
        const ticker = await act.venue.market.ticker(instrument.name);
        const [low, high] = act.calls.map(({ name }) => venue.quote(name)?.mark);
        const difference = low && high && text(low.minus(high) as never);
        return { quote: venue.quote(instrument.name), ticker, difference };
      };
      // A venue may publish its quotes one by one, and its market may move between two queries.
      const { quote, ticker, difference } = await act.read(shown, (one) => {
        const { mark, bid, ask } = one.quote ?? {};
        const isQuoted = mark !== undefined && bid !== undefined && ask !== undefined;
        return (
          isQuoted && text(mark) === one.difference && isSame(one.ticker?.bid?.price, bid.price)
        );
      });
      const mark = must(quote?.mark, 'a mark');
      expect(text(mark)).toBe(difference);
      const [bid, ask] = [must(quote?.bid, 'a bid').price, must(quote?.ask, 'an ask').price];
      expect(isMore(ask, bid)).toBe(true);
      expect(isMore(mark, ask) || isMore(bid, mark)).toBe(false);
      expect(ticker).toMatchObject({ bid: { price: bid } });
      stop();
      const quoted = () => Promise.resolve(venue.quote(instrument.name));
      expect(await act.read(quoted, (one) => one === undefined)).toBeUndefined();
    });
  });

  describe('trading a combo', () => {
    it('fills every leg at prices that add up, and reports the combo with its legs', async () => {
      const act = await begin();
      const { venue, account } = act.stage;
      const { instrument } = await act.callSpread();
      venue.watch(instrument.name);
      const quoted = () => Promise.resolve(venue.quote(instrument.name)?.ask);
      const ask = must(await act.read(quoted, (one) => one !== undefined), 'an ask').price;
      const terms = { instrument: instrument.name, quantity: instrument.minAmount };
      // Far above the ask, which may move before the order arrives.
      const at = passiveTick(instrument, 'buy', scaled(ask, ratio('1.2')));
      const placed = await act.entered({ ...terms, price: at });
      expect(placed.order).toMatchObject({ state: 'filled', instrument: instrument.name });
      const [trade] = placed.trades;
      const { legs = [], ...whole } = must(trade, 'a trade');
      const worth = legs.reduce((sum, leg) => {
        const part = notional(leg.price, leg.quantity);
        return leg.side === 'buy' ? plus(sum, part) : minus(sum, part);
      }, ZERO_MONEY);
      expect(text(worth)).toBe(text(notional(whole.price, whole.quantity)));
      const ofCombo = { comboId: instrument.name, comboTradeId: whole.tradeId };
      expect(legs).toMatchObject([ofCombo, ofCombo]);
      expect(whole).toMatchObject(ofCombo);
      const told = (): readonly string[] =>
        act.notices.flatMap((one) => (one.kind === 'trade' ? [one.trade.tradeId] : []));
      await act.heard(() => told().length > legs.length);
      const held = value(await venue.positions({ account }));
      expect(held.map((one) => [one.instrument, text(one.quantity)])).toEqual(
        legs.map((leg) => [leg.instrument, text(steps(leg.quantity, signOf(leg.side)))]),
      );
      const all = value(await venue.trades({ account, count: 10, sorting: 'asc' })).trades;
      expect(all.map(({ tradeId }) => tradeId)).toEqual(legs.map(({ tradeId }) => tradeId));
      const label = childLabelOf(placed.order.label);
      const found = value(await venue.reconcile({ account, instrument: instrument.name, label }));
      expect(found.trades.map(({ tradeId }) => tradeId)).toEqual([whole.tradeId]);
      expect(told()).toEqual([whole.tradeId, ...legs.map(({ tradeId }) => tradeId)]);
    });

    it('an order may have a price below zero, and can be cancelled', async () => {
      const act = await begin();
      const { account } = act.stage;
      const { instrument } = await act.callSpread();
      const terms = { instrument: instrument.name, quantity: instrument.minAmount };
      const { order } = await act.entered({ ...terms, price: price('-0.001') });
      expect(order).toMatchObject({ state: 'open', price: price('-0.001') });
      const kinds = ['option_combo'] as const;
      expect(value(await act.desk.openOrders({ account, kinds }))).toEqual([order]);
      expect(value(await act.desk.cancelAll({ account, kinds }))).toBe(1);
    });
  });
}
