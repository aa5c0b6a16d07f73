// The markets of combos on Deribit's wire: turnover, candles, tape, book and ticker, and a combo that gave way to another.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deribitError } from '../../../../src/gateway/deribit/call/deribit-error.ts';
import { MarketFamily } from '../../../../src/gateway/deribit/channels/market-family.ts';
import type { Combo } from '../../../../src/ports/combo-desk.ts';
import type { Worked } from '../../../../src/ports/trading-desk.ts';
import { quantity, toNumber } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/values/instant.ts';
import type { Instrument } from '../../../../src/values/instrument.ts';
import { ACCOUNT, anOrder, BTC } from '../../../adapters/paper/paper-stage.ts';
import { value } from '../../../conformance/venue-act.ts';
import { ungated } from '../../../support/engine/venue-records.ts';
import { DeribitMarketStage, type Json } from '../market/deribit-market-stage.ts';

let stage: DeribitMarketStage;
beforeEach(() => {
  stage = new DeribitMarketStage({ rules: { combosMax: 1 } });
});
afterEach(async () => await stage.close());

const listed = (kind: Instrument['kind']): Instrument[] =>
  stage.venue
    .instruments()
    .filter((one) => one.kind === kind && one.settlement === 'BTC')
    .toSorted((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0));

async function created(bought: Instrument, other: string, side: 'buy' | 'sell'): Promise<Combo> {
  const trades = [
    { instrument: bought.name, side: 'buy' },
    { instrument: other as typeof bought.name, side },
  ] as const;
  return value(await stage.venue.combos.create({ account: ACCOUNT, trades }));
}

/** The nearest future against the perpetual: its price is close to zero. */
const spread = (): Promise<Combo> => created(must(listed('future')[0], 'a future'), BTC, 'sell');

/** A call and a put of the same strike. */
async function straddle(): Promise<Combo> {
  const { mark } = must(await stage.venue.market.ticker(BTC), 'a ticker');
  const options = listed('option');
  const far = (one: Instrument): number =>
    Math.abs(toNumber(must(one.option, one.name).strike) - toNumber(must(mark, 'a mark')));
  const call = must(options.toSorted((a, b) => far(a) - far(b))[0], 'an option');
  return await created(
    call,
    call.name.replace(/-[CP]$/, call.name.endsWith('C') ? '-P' : '-C'),
    'buy',
  );
}

/** Taken from the market's offers. */
async function bought({ instrument }: Combo, size: string): Promise<Worked> {
  stage.venue.watch(instrument.name);
  await stage.pass(2 * SECOND_MS);
  const { ask } = must(stage.venue.quote(instrument.name), 'a quote');
  const terms = { price: must(ask, 'an offer').price, quantity: quantity(size) };
  const order = anOrder(stage.venue, { ...terms, instrument: instrument.name });
  const worked = value(await ungated(stage.venue).place(order));
  expect(worked.order.state).toBe('filled');
  return worked;
}

const volumes = async (): Promise<Json> => {
  const rows: Json[] = await stage.get('public/get_trade_volumes');
  return must(
    rows.find(({ currency }) => currency === 'BTC'),
    'a row',
  );
};

describe('the turnover of a combo', () => {
  it('the turnover of a straddle is that of a call and of a put', async () => {
    await bought(await straddle(), '0.2');
    expect(await volumes()).toMatchObject({ calls_volume: 0.2, puts_volume: 0.2 });
  });

  it('a calendar spread has its turnover in coins at the index, in candles too', async () => {
    const combo = await spread();
    const { trades } = await bought(combo, '50');
    const { instrument } = combo;
    const index = toNumber(must(trades[0]?.indexPrice, 'an index'));
    const chart = await stage.get('public/get_tradingview_chart_data', {
      instrument_name: instrument.name,
      resolution: '1',
      start_timestamp: stage.clock.now() - MINUTE_MS,
      end_timestamp: stage.clock.now(),
    });
    const volume = chart.volume.reduce((sum: number, one: number) => sum + one, 0);
    expect(volume).toBeCloseTo(50 / index, 7);
    const cost = chart.cost.reduce((sum: number, one: number) => sum + one, 0);
    expect(cost).toBe(50);
  });
});

describe('the market data of a combo', () => {
  it('tape, book and ticker show a trade, and the tape of a leg is tagged with the combo', async () => {
    const combo = await spread();
    const { trades } = await bought(combo, '50');
    const [{ tradeId, legs = [] }] = trades as [Worked['trades'][0]];
    const of = { instrument_name: combo.instrument.name };
    const tape = await stage.get('public/get_last_trades_by_instrument', of);
    const tags = { combo_id: combo.instrument.name, combo_trade_id: tradeId };
    expect(tape.trades).toMatchObject([
      { trade_id: tradeId, direction: 'buy', amount: 50, ...tags, legs: [tags, tags] },
    ]);
    const leg = { instrument_name: legs[0]?.instrument, count: 1_000 };
    const ofLeg = await stage.get('public/get_last_trades_by_instrument', leg);
    expect(ofLeg.trades.filter((one: Json) => one.combo_id !== undefined)).toMatchObject([
      { trade_id: legs[0]?.tradeId, ...tags },
    ]);
    const book = await stage.get('public/get_order_book', of);
    expect(book.bids[0][0]).toBeLessThan(book.asks[0][0]);
    expect(book).toMatchObject({ state: 'open', last_price: toNumber(must(trades[0], '').price) });
    expect(book.open_interest).toBe(0);
  });
});

describe('a combo that gave way to another', () => {
  it('a combo beyond the limit is refused with 13035 while the others are in use', async () => {
    await spread();
    const [option] = listed('option');
    const trades = [must(option, 'an option'), must(listed('option')[1], 'another')].map(
      ({ name: instrument }, at) => ({ instrument, side: at === 0 ? 'buy' : 'sell' }) as const,
    );
    const reply = await stage.venue.combos.create({ account: ACCOUNT, trades });
    if (reply.kind === 'done') throw new Error('it was created');
    expect(deribitError(reply)).toMatchObject({ code: 13035 });
  });

  it('a combo that takes no orders is inactive, and open again when it is requested again', async () => {
    const first = await spread();
    const of = { instrument_name: first.instrument.name };
    const states = async (): Promise<Json[]> => {
      // As the path of a call does with every instrument that it does not know.
      await stage.desks.findInstrument(first.instrument.name);
      const { state, is_active } = await stage.get('public/get_instrument', of);
      return [state, is_active, (await stage.get('public/ticker', of)).state];
    };
    expect(await states()).toEqual(['open', true, 'open']);
    const published: Json[] = [];
    // The directory publishes a new listing a moment later.
    await stage.pass(MINUTE_MS);
    const family = new MarketFamily({
      orders: stage.desks,
      now: () => stage.clock.now(),
      report: (error) => expect.unreachable(String(error)),
    });
    family.open('instrument.state.future_combo.any', {
      publish: (text) => published.push(JSON.parse(text)),
    });
    await stage.pass(HOUR_MS);
    await straddle();
    expect(await states()).toEqual(['inactive', false, 'inactive']);
    await stage.pass(MINUTE_MS);
    const ofFirst = () => published.filter((one) => one.instrument_name === of.instrument_name);
    await expect.poll(ofFirst).toMatchObject([{ ...of, state: 'inactive' }]);
    family.close();
    await stage.pass(HOUR_MS);
    await spread();
    expect(await states()).toEqual(['open', true, 'open']);
  });
});
