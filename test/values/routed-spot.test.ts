// What a routed spot pair takes, by the venue's table of differences.
import { expect, test } from 'vitest';
import { type RoutedOrder, routedFault } from '../../src/values/order-terms.ts';

const LIMIT: RoutedOrder = {
  type: 'limit',
  timeInForce: 'good_til_cancelled',
  postOnly: false,
  rejectPostOnly: false,
};

test.each<[Partial<RoutedOrder>, number, string]>([
  [{ timeInForce: 'good_til_day' }, -32602, 'timeInForce'],
  [{ link: {} }, 13922, 'linkedOrderType'],
  [{ displayQuantity: 1 }, 11059, 'displayAmount'],
  [{ type: 'market_limit' }, 11060, 'type'],
  [{ type: 'stop_market', trigger: 'last_price' }, 11060, 'type'],
  [{ type: 'trailing_stop', trigger: 'last_price' }, 11060, 'type'],
  [{ type: 'stop_limit', trigger: 'mark_price' }, 11060, 'trigger'],
  [{ postOnly: true }, 11055, 'postOnly'],
])('%o is refused with %i', (change, code, param) => {
  const fault = routedFault({ ...LIMIT, ...change });
  expect(fault).toMatchObject({ code, param, reason: expect.stringContaining('; accepted: ') });
});

test.each<Partial<RoutedOrder>>([
  {},
  { timeInForce: 'immediate_or_cancel' },
  { timeInForce: 'fill_or_kill' },
  { type: 'market' },
  { type: 'stop_limit', trigger: 'last_price' },
  { postOnly: true, rejectPostOnly: true },
])('%o is accepted', (change) => {
  expect(routedFault({ ...LIMIT, ...change })).toBeUndefined();
});
