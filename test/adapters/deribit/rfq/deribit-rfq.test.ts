// What the paper exchange never does with Block RFQs, and a venue may: foreign words and members, missing ones, rights that
// are not granted, answers without records, lists that lag.

import { afterEach, expect, test } from 'vitest';
import type { NewQuote, NewRfq, RfqAccept } from '../../../../src/ports/block-rfq.ts';
import { parseExact } from '../../../../src/ports/deribit-wire/exact-json.ts';
import { Fields } from '../../../../src/ports/deribit-wire/message-fields.ts';
import { tradeIn } from '../../../../src/ports/deribit-wire/trade-rows.ts';
import { WireTally } from '../../../../src/ports/deribit-wire/wire-tally.ts';
import type { TradingDesk } from '../../../../src/ports/trading-desk.ts';
import { price, quantity, ratio, text } from '../../../../src/values/amounts.ts';
import { expectRefused, value } from '../../../conformance/rfq-act.ts';
import { until } from '../../until.ts';
import { DESK } from '../scripted-sessions.ts';
import type { Script } from '../scripted-venue.ts';
import {
  CALL,
  FILL,
  HEDGE,
  NOW,
  PERPETUAL,
  rfqJson,
  rfqsBy,
  tradeJson,
  USER_INFO,
} from './scripted-rfqs.ts';

type Stage = Awaited<ReturnType<typeof rfqsBy>>;
const stages: Stage[] = [];
afterEach(async () => {
  for (const { close } of stages.splice(0)) await close();
});

async function at(...[script, changes]: Parameters<typeof rfqsBy>): Promise<Stage> {
  const stage = await rfqsBy(script, changes);
  stages.push(stage);
  return stage;
}

const RFQ: NewRfq = {
  account: DESK,
  legs: [{ instrument: CALL.name, quantity: quantity('25'), side: 'buy' }],
  hedge: {
    instrument: PERPETUAL.name,
    quantity: quantity('50000'),
    side: 'sell',
    price: price('77500.5'),
  },
  makers: [],
  disclosed: false,
  label: 'mine',
  allocations: [
    { quantity: quantity('10.1'), userId: 7 },
    { quantity: quantity('14.9'), client: { clientId: 8, clientLinkId: 9 } },
  ],
};
const ACCEPT: RfqAccept = {
  account: DESK,
  rfqId: '4711',
  quantity: quantity('25'),
  side: 'buy',
  price: price('0.0553'),
  timeInForce: 'fill_or_kill',
};
const LEG = {
  instrument: CALL.name,
  ratio: ratio('1'),
  side: 'buy',
  price: price('0.05'),
} as const;
const QUOTE: NewQuote = {
  account: DESK,
  rfqId: '4711',
  quantity: quantity('25'),
  side: 'sell',
  legs: [LEG],
  executionInstruction: 'any_part_of',
  label: 'q',
};
const quoteJson = (id: number, changes: object = {}) => ({
  block_rfq_id: 4711,
  block_rfq_quote_id: id,
  creation_timestamp: NOW,
  direction: 'sell',
  quote_state: 'open',
  price: 0.05,
  amount: 25,
  replaced: false,
  legs: [{ ratio: 1, instrument_name: CALL.name, direction: 'buy', price: 0.05 }],
  ...changes,
});

const paramsOf = (frame: string): string => frame.slice(frame.indexOf('"params":') + 9, -1);

test('A new RFQ is written with exact numbers and its hedge as an object; nobody named is left out.', async () => {
  const { rfqs, venue } = await at({ 'private/create_block_rfq': { result: rfqJson() } });
  value(await rfqs.create(RFQ));
  const { text: frame } = await venue.called('private/create_block_rfq');
  expect(paramsOf(frame)).toBe(
    '{"legs":[{"instrument_name":"BTC-25DEC26-80000-C","amount":25,"direction":"buy"}],' +
      '"hedge":{"instrument_name":"BTC-PERPETUAL","amount":50000,"direction":"sell","price":77500.5},' +
      '"disclosed":false,"label":"mine","trade_allocations":[{"amount":10.1,"user_id":7},' +
      '{"amount":14.9,"client_info":{"client_id":8,"client_link_id":9}}]}',
  );
});

test('An amount that the venue could not read as it is meant is not sent.', async () => {
  const { rfqs, venue } = await at({});
  const quantityTooFine = quantity('0.123456789');
  const legs = [{ ...RFQ.legs[0], quantity: quantityTooFine }] as NewRfq['legs'];
  expectRefused(await rfqs.create({ ...RFQ, legs }), 10026, 'legs');
  expectRefused(await rfqs.accept({ ...ACCEPT, quantity: quantityTooFine }), 10026, 'quantity');
  expectRefused(await rfqs.quote({ ...QUOTE, price: price('0.123456789') }), 10026, 'price');
  const sent = venue.calls.filter(({ method }) => /create|accept|add_/.test(method));
  expect(sent).toEqual([]);
});

test('Unknown words and members pass, missing ones are read as none, and long ids keep their digits.', async () => {
  const long = JSON.stringify(rfqJson({ state: 'pondering', mood: 'good', makers: null }))
    .replace('4711', '9007199254740993001')
    .replace('"bids":[],', '');
  const { rfqs, venue, tally, faults } = await at({
    'private/get_block_rfqs': ({ text: frame }) => ({
      text: `{"jsonrpc":"2.0","id":${JSON.parse(frame).id},"result":{"block_rfqs":[${long}]}}`,
    }),
    'private/cancel_block_rfq': { error: { code: 13020, message: 'not_found' } },
  });
  const { rfqs: found } = value(await rfqs.rfqs({ account: DESK, count: 1 }));
  expect(found).toMatchObject([
    { id: '9007199254740993001', status: 'open', makers: [], bids: [], comboId: undefined },
  ]);
  await rfqs.cancelRfq({ account: DESK, rfqId: '9007199254740993001' });
  const { text: frame } = await venue.called('private/cancel_block_rfq');
  expect(paramsOf(frame)).toBe('{"block_rfq_id":9007199254740993001}');
  expect([...tally.counts.keys()]).toEqual(['one of block_rfqs: state is pondering']);
  expect(faults).toEqual([]);
});

test('A hedge is read as an object, and as a text that holds one.', async () => {
  const hedges = [HEDGE, JSON.stringify(HEDGE), '', null];
  const { rfqs } = await at({
    'private/get_block_rfqs': {
      result: { block_rfqs: hedges.map((hedge) => rfqJson({ hedge })) },
    },
  });
  const { rfqs: found } = value(await rfqs.rfqs({ account: DESK, count: 4 }));
  const read = found.map(({ hedge }) => hedge && [hedge.instrument, hedge.side, text(hedge.price)]);
  const meant = [PERPETUAL.name, 'sell', '77500.5'];
  expect(read).toEqual([meant, meant, undefined, undefined]);
});

test('An open RFQ of a taker is in its first seconds until they are over or it has a level.', async () => {
  const level = { price: 0.05, amount: 25, makers: ['M'], execution_instruction: 'any_part_of' };
  const young = { creation_timestamp: NOW - 4_999 };
  const { rfqs } = await at({
    'private/get_block_rfqs': {
      result: {
        block_rfqs: [rfqJson(young), rfqJson({ ...young, asks: [level] }), rfqJson()],
      },
    },
  });
  const { rfqs: found } = value(await rfqs.rfqs({ account: DESK, count: 3 }));
  expect(found.map(({ status }) => status)).toEqual(['created', 'open', 'open']);
  const created = value(await rfqs.rfqs({ account: DESK, count: 3, status: 'created' }));
  expect(created.rfqs).toHaveLength(1);
});

test('A maker without a fill of its own reads that the RFQ was traded away.', async () => {
  const filled = { role: 'maker', state: 'filled' };
  const { rfqs } = await at({
    'private/get_block_rfqs': {
      result: {
        block_rfqs: [
          rfqJson({ ...filled, trades: [{ ...FILL, maker: 'DESK' }] }),
          rfqJson({ ...filled, trades: [{ ...FILL, maker: undefined }] }),
        ],
      },
    },
  });
  const { rfqs: found } = value(await rfqs.rfqs({ account: DESK, count: 2 }));
  expect(found.map(({ status, closedReason }) => [status, closedReason])).toEqual([
    ['filled', 'filled'],
    ['traded', 'traded_away'],
  ]);
});

test('An accept names the structure, and its trades prove that the RFQ is filled.', async () => {
  const open = rfqJson({ hedge: HEDGE, trades: [FILL] });
  const hedgeTrade = tradeJson({
    trade_id: '310000003',
    instrument_name: PERPETUAL.name,
    direction: 'sell',
    price: 77_500.5,
    amount: 50_000,
  });
  const { rfqs, venue } = await at({
    'private/get_block_rfqs': { result: { block_rfqs: [open] } },
    'private/accept_block_rfq': {
      result: { block_trades: [{ id: 'BLOCK-9', trades: [hedgeTrade, tradeJson()] }] },
    },
  });
  const { blockTrades, trigger, rfq } = value(await rfqs.accept(ACCEPT));
  const { text: frame } = await venue.called('private/accept_block_rfq');
  expect(paramsOf(frame)).toBe(
    '{"block_rfq_id":4711,"direction":"buy","amount":25,"price":0.0553,"time_in_force":"fill_or_kill",' +
      '"legs":[{"instrument_name":"BTC-25DEC26-80000-C","ratio":1,"direction":"buy"}],' +
      '"hedge":{"instrument_name":"BTC-PERPETUAL","amount":50000,"direction":"sell","price":77500.5}}',
  );
  expect([trigger, rfq.status]).toEqual([undefined, 'filled']);
  expect(blockTrades).toMatchObject([
    { id: 'BLOCK-9', rfqId: '4711', side: 'buy', maker: 'MAKER1', rows: [{}, { isHedge: true }] },
  ]);
  expect(blockTrades.map((one) => [text(one.quantity), text(one.price)])).toEqual([
    ['25', '0.0553'],
  ]);
});

test('The outcome of an accept is unknown if the RFQ cannot be read after it.', async () => {
  const { rfqs, venue } = await at({
    'private/get_block_rfqs': { result: { block_rfqs: [rfqJson()] } },
    'private/accept_block_rfq': () => {
      venue.answer({ 'private/get_block_rfqs': { result: { block_rfqs: [{ state: 'open' }] } } });
      return { result: { block_trades: [{ id: 'BLOCK-9', trades: [tradeJson()] }] } };
    },
  });
  expect(await rfqs.accept(ACCEPT)).toMatchObject({ kind: 'unknown' });
});

test('A cancelled trigger is read from the RFQ where the answer does not have all of it.', async () => {
  const trigger = { state: 'cancelled', direction: 'buy', price: 0.05, cancel_reason: 'User' };
  const { rfqs, venue, faults } = await at({
    'private/cancel_block_rfq_trigger': { result: 'ok' },
    'private/get_block_rfqs': { result: { block_rfqs: [rfqJson({ trade_trigger: trigger })] } },
  });
  const rfq = value(await rfqs.cancelTrigger({ account: DESK, rfqId: '4711' }));
  expect(rfq.triggers).toMatchObject([{ state: 'cancelled', side: 'buy', cancelReason: 'User' }]);
  const legs = [{ ratio: 1, instrument_name: CALL.name }];
  venue.answer({ 'private/cancel_block_rfq_trigger': { result: rfqJson({ legs }) } });
  expect(value(await rfqs.cancelTrigger({ account: DESK, rfqId: '4711' }))).toEqual(rfq);
  expect(faults).toEqual([]);
});

test('RFQs are looked up by label through the pages, because the wire has no labels.', async () => {
  const labelled = (id: number) => rfqJson({ block_rfq_id: id, label: id % 2 === 0 ? 'even' : '' });
  const { rfqs, venue } = await at({
    'private/get_block_rfqs': ({ params: { continuation } }) => ({
      result:
        continuation === undefined
          ? { block_rfqs: [labelled(9), labelled(8)], continuation: '8' }
          : { block_rfqs: [labelled(7), labelled(6), labelled(4)], continuation: null },
    }),
  });
  const two = value(await rfqs.rfqs({ account: DESK, label: 'even', count: 2 }));
  expect([two.rfqs.map(({ id }) => id), two.continuation]).toEqual([['8', '6'], '6']);
  const all = value(await rfqs.rfqs({ account: DESK, label: 'even', count: 5 }));
  expect([all.rfqs.map(({ id }) => id), all.continuation]).toEqual([['8', '6', '4'], undefined]);
  expect(paramsOf(venue.callsOf('private/get_block_rfqs')[1]?.text ?? '')).toBe(
    '{"currency":"any","count":100,"continuation":8}',
  );
});

test('An id that the venue does not find is an empty list.', async () => {
  const notFound = { error: { code: 13020, message: 'not_found' } };
  const { rfqs } = await at({
    'private/get_block_rfqs': notFound,
    'private/get_block_rfq_quotes': notFound,
  });
  const one = { account: DESK, count: 1 };
  expect(value(await rfqs.rfqs({ ...one, id: '5' }))).toEqual({ rfqs: [] });
  expect(value(await rfqs.quotes({ account: DESK, quoteId: '5' }))).toEqual([]);
  expectRefused(await rfqs.rfqs(one), 13020);
});

test('The quotes of a protection group are cancelled, with those whose group nobody remembers.', async () => {
  let next = 0;
  const cancelled: unknown[] = [];
  const { rfqs } = await at({
    'private/add_block_rfq_quote': () => {
      next += 1;
      return { result: quoteJson(next) };
    },
    'private/get_block_rfq_quotes': { result: [1, 2, 3, 99].map((id) => quoteJson(id)) },
    'private/cancel_block_rfq_quote': ({ params }) => {
      cancelled.push(params['block_rfq_quote_id']);
      return { result: quoteJson(1, { quote_state: 'cancelled' }) };
    },
  });
  for (const mmpGroup of ['one', 'two', undefined]) {
    const quote = value(await rfqs.quote({ ...QUOTE, mmpGroup }));
    expect(quote.mmpGroup).toBe(mmpGroup);
  }
  expect(value(await rfqs.cancelQuotes({ account: DESK, mmpGroup: 'one' }))).toBe(2);
  expect(cancelled).toEqual([1, 99]);
});

test('The alias is that of the account, else of its group; an account that makes no quotes has none.', async () => {
  const alias = async (userId: string, info: unknown): Promise<string | undefined> => {
    const { rfqs } = await at({ 'private/get_block_rfq_user_info': { result: info } }, { userId });
    return rfqs.aliasOf(DESK);
  };
  expect(await alias('77', USER_INFO)).toBe('DESK');
  expect(await alias('78', USER_INFO)).toBe('GROUP');
  expect(await alias('77', { users: [{ user_id: 77, is_maker: false }] })).toBeUndefined();
  expect(await alias('77', {})).toBeUndefined();
});

test('An account without the scope is asked nothing about Block RFQs, which is no fault.', async () => {
  const { rfqs, venue, faults } = await at({
    'public/auth': {
      result: {
        access_token: 't',
        token_type: 'bearer',
        expires_in: 900,
        scope: 'connection trade:read_write account:read_write',
      },
    },
  });
  expectRefused(await rfqs.makers(DESK), 13021);
  expect(venue.calls.filter(({ method }) => /private.*block_rfq/.test(method))).toEqual([]);
  expect(rfqs.aliasOf(DESK)).toBeUndefined();
  expect(faults).toEqual([]);
});

test('An account that the venue refuses as a maker is no fault either.', async () => {
  const { rfqs, faults } = await at({
    'private/get_block_rfq_user_info': { error: { code: 13021, message: 'forbidden' } },
  });
  expect(rfqs.aliasOf(DESK)).toBeUndefined();
  expect(faults).toEqual([]);
});

test('Without channels of all currencies each currency is subscribed to.', async () => {
  const each = ({ params }: { readonly params: Readonly<Record<string, unknown>> }) => ({
    result: (params['channels'] as string[]).filter((one) => !one.endsWith('.any')),
  });
  const { venue, rfqs, news } = await at({ 'private/subscribe': each, 'public/subscribe': each });
  expect(venue.callsOf('private/subscribe')[1]?.params['channels']).toEqual([
    'block_rfq.taker.BTC',
    'block_rfq.taker.USDC',
    'block_rfq.maker.BTC',
    'block_rfq.maker.USDC',
    'block_rfq.maker.quotes.BTC',
    'block_rfq.maker.quotes.USDC',
  ]);
  expect(venue.callsOf('public/subscribe')[1]?.params['channels']).toEqual([
    'block_rfq.trades.BTC',
    'block_rfq.trades.USDC',
  ]);
  expect(rfqs.receive(DESK, 'block_rfq.maker.BTC', parseExact(JSON.stringify(rfqJson())))).toBe(
    true,
  );
  expect(news).toMatchObject([{ kind: 'rfq', account: DESK }]);
  expect(rfqs.receive(DESK, 'user.lock', {})).toBe(false);
});

test('A filled RFQ is followed by its block trades, as soon as the venue lists all of them.', async () => {
  let isListed = false;
  const read = (json: object) =>
    tradeIn(
      new Fields('a trade', parseExact(JSON.stringify(json)), new WireTally(() => undefined)),
      { account: DESK, termsOf: () => undefined, sideOf: () => undefined },
    );
  const trades: TradingDesk['trades'] = (query) => {
    expect(query).toMatchObject({ account: DESK, currency: 'BTC', from: NOW - 60_000 });
    const other = read(tradeJson({ block_rfq_id: 1, trade_id: '1' }));
    const found = isListed ? [other, read(tradeJson())] : [other];
    isListed = true;
    return Promise.resolve({ kind: 'done', value: { trades: found, hasMore: false } });
  };
  const { venue, news, faults } = await at({}, { trades });
  const filled = rfqJson({ state: 'filled', trades: [FILL] });
  venue.push('block_rfq.taker.any', filled);
  venue.push('block_rfq.taker.any', filled);
  await until(() => news.some(({ kind }) => kind === 'block_trade'));
  const told = news.flatMap((one) => (one.kind === 'block_trade' ? [one] : []));
  expect(told).toMatchObject([
    { account: DESK, trade: { id: 'BLOCK-9', rfqId: '4711', side: 'buy', maker: 'MAKER1' } },
  ]);
  expect(faults).toEqual([]);
});

test('A notice that cannot be read is reported, and listeners compare once for many of them.', async () => {
  const { venue, news, faults } = await at({});
  for (let count = 0; count < 3; count += 1) {
    venue.push('block_rfq.taker.any', rfqJson({ legs: 'none' }));
  }
  await until(() => faults.length === 3);
  expect(news).toEqual([{ kind: 'reconnected' }]);
});

test('The public tape is published once for each trade, without names.', async () => {
  const trade = {
    id: 4711,
    timestamp: NOW,
    direction: 'sell',
    amount: 12.5,
    mark_price: 0.0551,
    legs: [{ ratio: 2, instrument_name: CALL.name, direction: 'sell', price: 0.0553 }],
    combo_id: null,
    hedge: HEDGE,
    trades: [{ direction: 'sell', price: 0.1, amount: 12.5 }],
  };
  const script: Script = {
    'public/get_block_rfq_trades': { result: { block_rfqs: [trade], continuation: null } },
  };
  const { rfqs, venue, news } = await at(script);
  venue.push('block_rfq.trades.any', trade);
  venue.push('block_rfq.trades.BTC', trade);
  await until(() => news.length > 0);
  const listed = value(await rfqs.tape({ count: 5 }));
  expect(news).toEqual([{ kind: 'tape', currency: 'BTC', trade: listed[0] }]);
  expect(listed).toMatchObject([
    {
      id: '4711',
      rfqId: '',
      side: 'sell',
      rows: [{ side: 'sell', isHedge: false }, { isHedge: true }],
    },
  ]);
  const [first] = listed;
  expect([first && text(first.price), first?.rows.map((row) => text(row.quantity))]).toEqual([
    '0.1',
    ['25', '50000'],
  ]);
});
