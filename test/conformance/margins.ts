// Contract of every MarginReads, tested through the venue port alone: what an order needs, and what open orders need.
import { afterEach, describe, expect, it } from 'vitest';
import type { Ticker } from '../../src/ports/market-reads.ts';
import type { MarginReads } from '../../src/ports/trading-desk.ts';
import { isPositive, minus, text } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { orderId } from '../../src/values/ids.ts';
import { VenueAct, type VenueStage, value } from './venue-act.ts';

const bandOf = ({ minPrice, maxPrice }: Ticker) => [minPrice, maxPrice].map(String);

class MarginAct extends VenueAct {
  get margins(): MarginReads {
    return must(this.stage.venue.margins, 'the venue says what orders need');
  }

  async prospective() {
    const { account, instrument } = this.stage;
    return { account, instrument, quantity: this.size(10), price: await this.resting('buy') };
  }

  async availableFunds() {
    const { settlement } = this.terms;
    return value(await this.desk.summary(this.account, settlement)).availableFunds;
  }
}

export function marginConformance(open: () => Promise<VenueStage>): void {
  const acts: MarginAct[] = [];
  const begin = async (): Promise<MarginAct> => {
    const act = new MarginAct(await open());
    acts.push(act);
    await act.stage.pass(0);
    return act;
  };
  afterEach(async () => {
    for (const { stage } of acts.splice(0)) await stage.close();
  });

  it('an open order takes from the available funds what it was said to need', async () => {
    const act = await begin();
    const asked = await act.prospective();
    const { buy } = value(await act.margins.needs(asked));
    const before = await act.availableFunds();
    const { order } = await act.entered({ ...asked, side: 'buy' });
    expect(order.state).toBe('open');
    const [margin] = value(await act.margins.ofOrders(act.account, [order.orderId]));
    expect(margin).toEqual({
      orderId: order.orderId,
      margin: buy.margin,
      currency: act.terms.settlement,
    });
    expect(isPositive(buy.margin)).toBe(true);
    const taken = minus(before, await act.availableFunds());
    // A summary rounds to the currency.
    expect(taken.toNumber()).toBeCloseTo(buy.margin.toNumber(), 7);
  });

  it('a taker pays a fee of the price and size, inside the price band', async () => {
    const act = await begin();
    // The band may move between two queries, and a ticker may be older than the answer.
    const asked = await act.prospective();
    const [before, needs, after] = await act.read(
      async () => {
        const found = await act.ticker();
        const needed = value(await act.margins.needs(asked));
        return [found, needed, await act.ticker()] as const;
      },
      ([one, needed, other]) =>
        [bandOf(one), [needed.minPrice, needed.maxPrice]].every(
          (band) => band.join() === bandOf(other).join(),
        ),
    );
    expect(bandOf(before)).toEqual(bandOf(after));
    expect(isPositive(needs.buy.takerFee)).toBe(true);
    expect(text(needs.buy.takerFee)).toBe(text(needs.sell.takerFee));
    expect([needs.minPrice, needs.maxPrice]).toEqual([after.minPrice, after.maxPrice]);
  });

  it('an amount that an order could not have is refused with its parameter', async () => {
    const act = await begin();
    const asked = { ...(await act.prospective()), quantity: act.terms.amountStep.div(3) as never };
    expect(await act.margins.needs(asked)).toMatchObject({
      kind: 'refused',
      code: -32602,
      details: { param: 'quantity' },
    });
  });

  describe('orders that are not open', () => {
    it('orders that are closed or unknown are left out', async () => {
      const act = await begin();
      const { order } = await act.entered({ ...(await act.prospective()), side: 'buy' });
      await act.desk.cancel({ account: act.account, of: { orderId: order.orderId } });
      const ids = [order.orderId, orderId('404')];
      expect(value(await act.margins.ofOrders(act.account, ids))).toEqual([]);
    });
  });
}
