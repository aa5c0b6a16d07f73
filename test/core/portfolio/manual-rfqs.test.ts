// A residual RFQ that was accepted manually: its trades are booked as if the portfolio had accepted it, and a
// quantity beyond the residual is reported.
import { expect, test } from 'vitest';
import type { VenueTrade } from '../../../src/core/order/venue-report.ts';
import type { PortfolioCommand } from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import type { Intent } from '../../../src/core/portfolio/aggregate/portfolio-intent.ts';
import { money, price, quantity, text, ZERO_MONEY } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency, orderId, tradeId } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { form, legForm, SETTINGS } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const LIMIT = { priceType: 'limit', price: price('90000'), priceIn: 'USD' } as const;

type Of<K extends Intent['kind']> = Extract<Intent, { kind: K }>;
const found = <K extends Intent['kind']>(intents: readonly Intent[], kind: K): Of<K> =>
  must(
    intents.find((one): one is Of<K> => one.kind === kind),
    `${kind} is wanted`,
  );

/** A minute passes without fills; then `lateFill` fills late, before the Block RFQ is accepted manually. */
function acceptedByHand(lateFill: string | undefined) {
  const asked = form({
    legs: [legForm({ priceOptions: LIMIT })],
    twapTrade: { durationSec: 60, frequencySec: 60 },
    execution: { endAction: 'rfq', rfq: { limitBps: 10 } },
  });
  const desk = new CoreDesk(asked, [PERP], SETTINGS, { hasBlockRfqs: true });
  desk.quotes.set(PERP.name, quote(PERP, [99_999.5, 100_000]));
  let now: Instant = NOON;
  const run = (command: object) => desk.run({ now, ...command } as PortfolioCommand).intents;
  const child = found(run({ kind: 'advance' }), 'place');
  const order = {
    orderId: orderId('o1'),
    label: child.label,
    instrument: PERP.name,
    side: 'buy',
    price: child.price,
    quantity: child.quantity,
    filledQuantity: quantity('0'),
    createdAt: NOON,
    updatedAt: NOON,
  };
  run({ kind: 'record_report', orders: [{ ...order, state: 'open' }], trades: [] });
  now = later(NOON, 59_500);
  run({ kind: 'advance' });
  run({ kind: 'record_report', orders: [{ ...order, state: 'cancelled' }], trades: [] });
  now = later(NOON, 60_000);
  const { rfqLabel } = found(run({ kind: 'advance' }), 'create_rfq');
  const rfq = { rfqId: 'r1', quantity: quantity('600') };
  const ratios = [{ instrument: PERP.name, ratio: quantity('1') }];
  run({ kind: 'record_rfq', rfqLabel, rfq: { ...rfq, ratios, status: 'live' } });
  if (lateFill !== undefined) {
    const trade: VenueTrade = {
      tradeId: tradeId('late'),
      orderId: orderId('o1'),
      label: child.label,
      side: 'buy',
      instrument: PERP.name,
      price: child.price,
      quantity: quantity(lateFill),
      fee: ZERO_MONEY,
      feeCurrency: currency('BTC'),
      liquidity: 'maker',
      at: now,
    };
    run({ kind: 'record_report', orders: [], trades: [trade] });
  }
  const row = {
    tradeId: tradeId('b1'),
    blockId: 'BLOCK-1',
    blockPrice: price('100000'),
    side: 'buy',
    instrument: PERP.name,
    price: price('100000'),
    quantity: quantity('600'),
    at: now,
    fee: money('0.0003'),
    feeCurrency: currency('BTC'),
    liquidity: 'taker',
  };
  run({ kind: 'record_rfq', rfqLabel, rfq: { ...rfq, ratios, status: 'filled' }, trades: [row] });
  const broken = desk.events.flatMap((event) =>
    event.kind === 'assumption_broken' ? [event.what] : [],
  );
  return { filled: text(must(desk.state.legs[0], 'a leg').filled), broken };
}

test('a manual accept that traded the residual is booked without a broken assumption', () => {
  expect(acceptedByHand(undefined)).toEqual({ filled: '600', broken: [] });
});

test('a manual accept after a late fill is booked, and the excess is recorded as a broken assumption', () => {
  const { filled, broken } = acceptedByHand('100');
  expect(filled).toBe('700');
  expect(broken[0]).toBe('a Block RFQ nobody here accepted traded more than is left of leg 0');
});
