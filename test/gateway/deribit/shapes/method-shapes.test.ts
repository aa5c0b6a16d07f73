// The table of shapes and the table of methods know the same methods.
import { expect, test } from 'vitest';
import { DERIBIT_METHODS } from '../../../../src/gateway/deribit/deribit-method-table.ts';
import { CHANNEL_SHAPES, channelShape } from './channel-shapes.ts';
import { METHOD_SHAPES, NOT_SERVED } from './method-shapes.ts';
import { WIRE } from './wire-objects.ts';

/** Documented params without effect: the tape of block trades is one page. */
const IGNORED_PARAMS = ['public/get_block_rfq_trades continuation'];

test('every documented method is served or listed as not served, and no other is served', () => {
  const known = [...DERIBIT_METHODS.keys(), ...Object.keys(NOT_SERVED)];
  expect(known.sort()).toEqual(Object.keys(METHOD_SHAPES).sort());
});

test('every documented param of a served method is read', () => {
  const missing = [...DERIBIT_METHODS.values()].flatMap(({ name, paramNames }) =>
    (METHOD_SHAPES[name]?.params ?? '')
      .split(' ')
      .map((param) => param.replace('!', ''))
      .filter((param) => param !== '' && !paramNames.includes(param))
      .map((param) => `${name} ${param}`),
  );
  expect(missing.sort()).toEqual([...IGNORED_PARAMS].sort());
});

test('every shape of the tables can be read', () => {
  for (const { result } of Object.values(METHOD_SHAPES)) expect(WIRE.shape(result)).toBeDefined();
  for (const { data } of CHANNEL_SHAPES) expect(WIRE.shape(data)).toBeDefined();
});

test('the narrowest pattern gives the shape of a channel', () => {
  expect(channelShape('user.orders.any.any.raw')?.data).toBe('Order');
  expect(channelShape('user.orders.BTC-PERPETUAL.raw')?.data).toBe('Order');
  expect(channelShape('user.orders.BTC-PERPETUAL.100ms')?.data).toBe('[Order]');
  expect(channelShape('book.BTC-PERPETUAL.100ms')?.data).toBe('BookChange');
  expect(channelShape('book.BTC-PERPETUAL.none.10.100ms')?.data).toBe('GroupedBook');
  expect(channelShape('block_rfq.maker.quotes.BTC')?.data).toBe('[RfqQuote]');
  expect(channelShape('no.such.channel.at.all')).toBeUndefined();
});
