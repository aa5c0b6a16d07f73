// A taker and a maker through Block RFQs: one that trades, one whose accept waits and is cancelled, one with a hedge.
import { expect } from 'vitest';
import type { RawClient } from '../raw-client.ts';

const BTC = 'BTC-PERPETUAL';
const AMOUNT = 200_000;
const GRACE_MS = 5_000;

interface Course {
  readonly taker: RawClient;
  readonly maker: RawClient;
  /** Of a quote for the perpetual. */
  readonly price: number;
  /** Advances the exchange's clock. */
  readonly pass: (byMs: number) => void;
}

export async function blockRfqCourse({ taker, maker, price, pass }: Course): Promise<void> {
  await maker.subscribe('block_rfq.maker.BTC', 'block_rfq.maker.quotes.BTC');
  await taker.subscribe('block_rfq.taker.any', 'block_rfq.trades.any');
  await taker.get('private/get_block_rfq_makers');
  await taker.get('private/get_block_rfq_user_info');
  const leg = { instrument_name: BTC, direction: 'buy' };
  const wish = { legs: [{ ...leg, amount: AMOUNT }] };
  const legs = [{ ...leg, ratio: 1 }];
  const offer = { amount: AMOUNT, direction: 'sell', legs: [{ ...legs[0], price }] };
  const quoted = async () => {
    const known = await maker.get('private/get_block_rfqs', { role: 'maker', count: 1 });
    const { block_rfq_id } = known.block_rfqs[0];
    const quote = { ...offer, block_rfq_id, label: `quote ${block_rfq_id}` };
    return await maker.get('private/add_block_rfq_quote', quote);
  };

  const first = await taker.get('private/create_block_rfq', { ...wish, label: 'shapes' });
  const { block_rfq_quote_id } = await quoted();
  const edit = { block_rfq_quote_id, amount: AMOUNT, legs: offer.legs };
  await maker.get('private/edit_block_rfq_quote', edit);
  await maker.get('private/get_block_rfq_quotes', {});
  pass(GRACE_MS);
  const accept = { amount: AMOUNT, direction: 'buy', legs };
  await taker.get('private/accept_block_rfq', {
    ...accept,
    block_rfq_id: first.block_rfq_id,
    price,
    time_in_force: 'fill_or_kill',
  });
  await taker.get('private/get_block_rfqs', { role: 'taker' });

  const second = await taker.get('private/create_block_rfq', wish);
  const other = await quoted();
  pass(GRACE_MS);
  const of = { block_rfq_id: second.block_rfq_id };
  await taker.get('private/accept_block_rfq', {
    ...accept,
    ...of,
    price: price - 500,
    time_in_force: 'good_til_cancelled',
  });
  await taker.get('private/cancel_block_rfq_trigger', of);
  const quote = { block_rfq_quote_id: other.block_rfq_quote_id };
  await maker.get('private/cancel_block_rfq_quote', quote);
  await maker.get('private/cancel_all_block_rfq_quotes', {});
  await taker.get('private/cancel_block_rfq', of);
  await taker.get('public/get_block_rfq_trades', { currency: 'any' });
}

interface Hedged extends Course {
  readonly option: string;
  readonly optionPrice: number;
  readonly now: number;
}

/** An option with its hedge, allocated to the taker, against a quote that expires. */
export async function hedgedRfq(course: Hedged): Promise<void> {
  const { taker, maker, price, pass, option, optionPrice, now } = course;
  const leg = { instrument_name: option, direction: 'buy' };
  const amount = 25;
  const hedge = { instrument_name: BTC, direction: 'sell', price, amount: AMOUNT };
  const { block_rfq_id } = await taker.get('private/create_block_rfq', {
    legs: [{ ...leg, amount }],
    hedge,
    label: 'hedged',
    trade_allocations: [{ user_id: 10001, amount }],
  });
  const { block_rfqs: known } = await maker.get('private/get_block_rfqs', { role: 'maker' });
  await maker.get('private/add_block_rfq_quote', {
    block_rfq_id: known[0].block_rfq_id,
    amount,
    direction: 'sell',
    hedge,
    legs: [{ ...leg, ratio: 1, price: optionPrice }],
    expires_at: now + 600_000,
  });
  pass(GRACE_MS);
  // The offers are shown from now on, each with the expiry of its quote.
  const { block_rfqs: shown } = await taker.get('private/get_block_rfqs', { block_rfq_id });
  expect(shown[0].asks[0]).toMatchObject({ expires_at: expect.any(Number) });
  await taker.get('private/accept_block_rfq', {
    block_rfq_id,
    amount,
    direction: 'buy',
    legs: [{ ...leg, ratio: 1 }],
    hedge,
    price: optionPrice,
    time_in_force: 'fill_or_kill',
  });
  for (const client of [taker, maker]) {
    await client.get('private/get_block_rfqs', { count: 5 });
    await client.get('private/get_user_trades_by_currency', { currency: 'BTC', count: 5 });
    const log = { currency: 'BTC', start_timestamp: 0, end_timestamp: now + 3_600_000 };
    await client.get('private/get_transaction_log', log);
  }
  await taker.get('public/get_block_rfq_trades', { currency: 'any' });
}
