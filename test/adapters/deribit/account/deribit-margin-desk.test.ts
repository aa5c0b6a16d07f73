// What orders need, at a venue that leaves out members and refuses lists.
import { afterEach, expect, test } from 'vitest';
import { DeribitMarginDesk } from '../../../../src/adapters/deribit/account/deribit-margin-desk.ts';
import { price, quantity, text } from '../../../../src/values/amounts.ts';
import { instrumentName, orderId } from '../../../../src/values/ids.ts';
import { value } from '../../../conformance/rfq-act.ts';
import { connectToScript, DESK, type ScriptedSessions } from '../scripted-sessions.ts';
import type { Script } from '../scripted-venue.ts';

let stage: ScriptedSessions | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

async function at(script: Script) {
  stage = await connectToScript(script);
  return { ...stage, margins: new DeribitMarginDesk(stage.questions) };
}

const order = (id: string, changes: object = {}) => ({
  order_id: id,
  initial_margin: 0.00123,
  ...changes,
});

test('Needs without fees and with a band of 0 have no fees and no band.', async () => {
  const { margins, venue } = await at({
    'private/get_margins': { result: { buy: 1.2e-4, sell: 0.0002, min_price: 0, max_price: 9 } },
  });
  const asked = { instrument: instrumentName('BTC-PERPETUAL'), quantity: quantity('10.50') };
  const needs = value(await margins.needs({ ...asked, account: DESK, price: price('50000.5') }));
  expect([needs.buy.margin, needs.sell.margin, needs.buy.takerFee].map(text)).toEqual([
    '0.00012',
    '0.0002',
    '0',
  ]);
  expect([needs.minPrice, needs.maxPrice && text(needs.maxPrice)]).toEqual([undefined, '9']);
  expect(venue.callsOf('private/get_margins')[0]?.text).toContain(
    '"params":{"instrument_name":"BTC-PERPETUAL","amount":10.5,"price":50000.5}',
  );
});

test('Each side has its own margin and its own fees.', async () => {
  const figures = {
    buy: 0.0011,
    buy_taker_fee: 0.0012,
    buy_maker_fee: -0.0013,
    sell: 0.0021,
    sell_taker_fee: 0.0022,
    sell_maker_fee: -0.0023,
    min_price: 100.5,
    max_price: 200.5,
  };
  const { margins } = await at({ 'private/get_margins': { result: figures } });
  const asked = { instrument: instrumentName('BTC-PERPETUAL'), quantity: quantity('10') };
  const needs = value(await margins.needs({ ...asked, account: DESK, price: price('150') }));
  const shown = [needs.buy, needs.sell].map(({ margin, takerFee, makerFee }) =>
    [margin, takerFee, makerFee].map(text),
  );
  expect(shown).toEqual([
    ['0.0011', '0.0012', '-0.0013'],
    ['0.0021', '0.0022', '-0.0023'],
  ]);
  expect([needs.minPrice, needs.maxPrice].map((one) => one && text(one))).toEqual([
    '100.5',
    '200.5',
  ]);
});

test('Margins of orders are in the order that was requested, in the currency of the order.', async () => {
  const { margins } = await at({
    'private/get_order_margin_by_ids': {
      result: [
        order('ETH-2'),
        order('8000'),
        order('XRP_USDC-4'),
        order('stranger'),
        order('USDC-3', { initial_margin_currency: 'USDT' }),
      ],
    },
  });
  const ids = ['8000', 'ETH-2', '404', 'USDC-3', 'XRP_USDC-4'].map(orderId);
  const found = value(await margins.ofOrders(DESK, ids));
  expect(found.map((one) => [one.orderId, one.currency])).toEqual([
    ['8000', 'BTC'],
    ['ETH-2', 'ETH'],
    ['USDC-3', 'USDT'],
    ['XRP_USDC-4', 'USDC'],
  ]);
});

test('A list that is refused for one of its orders is requested order by order.', async () => {
  const { margins, venue } = await at({
    'private/get_order_margin_by_ids': ({ params }) => {
      const ids = params['ids'] as string[];
      return ids.includes('404')
        ? { error: { code: 10004, message: 'order_not_found' } }
        : { result: ids.map((id) => order(id)) };
    },
  });
  const found = value(await margins.ofOrders(DESK, ['1', '404', '2'].map(orderId)));
  expect(found.map((one) => one.orderId)).toEqual(['1', '2']);
  expect(value(await margins.ofOrders(DESK, []))).toEqual([]);
  expect(venue.callsOf('private/get_order_margin_by_ids')).toHaveLength(4);
});
