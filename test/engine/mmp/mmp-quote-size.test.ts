// The largest size that a group may have open on one side of one instrument, on the paper exchange. Sizes: 1,000 USD
// at 20,000 are 0.05 coins.
import { afterEach, describe, expect, test } from 'vitest';
import { fenceOf } from '../../../src/engine/mmp/mmp-fence.ts';
import type { Reply, Worked } from '../../../src/ports/trading-desk.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { value } from '../../conformance/venue-act.ts';
import { MAKER, MmpStage, type Process } from '../../support/engine/mmp-stage.ts';

const stages: { readonly stage: MmpStage; readonly process: Process }[] = [];
afterEach(async () => {
  for (const { stage, process } of stages.splice(0)) await stage.close([process]);
});

async function begin(maxQuoteQuantity = '0.1') {
  const stage = new MmpStage();
  const process = await stage.started();
  stages.push({ stage, process });
  const limits = { quantityLimit: quantity('50'), maxQuoteQuantity: quantity(maxQuoteQuantity) };
  await stage.configure(process, limits);
  return { stage, process };
}

const TOO_LARGE = {
  kind: 'refused',
  code: 11030,
  details: { param: 'quantity', reason: expect.stringContaining('max_quote_quantity of btc_usd') },
};
const kinds = (replies: readonly Reply<Worked>[]): readonly string[] =>
  replies.map(({ kind }) => kind);

test('an order is refused that would exceed it together with the open ones, to the last 0.0005 coins', async () => {
  const { stage, process } = await begin();
  expect(kinds([await stage.quote(process), await stage.quote(process)])).toEqual(['done', 'done']);
  const beyond = await stage.quote(process, { quantity: quantity('10') });
  expect(beyond).toMatchObject(TOO_LARGE);
  expect(beyond).toMatchObject({
    details: { reason: expect.stringContaining('0.1 of 0.1 coins are open') },
  });
  expect(await stage.open()).toHaveLength(2);
});

test('it holds for each side, each instrument and flagged orders apart', async () => {
  const { stage, process } = await begin();
  for (let n = 0; n < 2; n += 1) await stage.quote(process);
  const sell = { side: 'sell', price: price('200000'), quantity: quantity('20000') } as const;
  expect(await stage.quote(process, sell)).toMatchObject({ kind: 'done' });
  expect(await stage.quote(process, sell)).toMatchObject(TOO_LARGE);
  expect(await stage.quote(process, { mmp: false })).toMatchObject({ kind: 'done' });
  const linear = instrumentName('BTC_USDC-PERPETUAL');
  stage.venue.watch(linear);
  const other = { instrument: linear, quantity: quantity('0.1') };
  // Another index, which has no configuration.
  expect(await stage.quote(process, other)).toMatchObject({ kind: 'done' });
});

test('room comes back with a cancel, and an edit that grows an order needs room too', async () => {
  const { stage, process } = await begin();
  const { orderId } = value(await stage.quote(process)).order;
  const grown = { account: MAKER, of: { orderId }, price: price('20000') };
  expect(await process.desk.edit({ ...grown, quantity: quantity('2010') })).toMatchObject(
    TOO_LARGE,
  );
  expect(await process.desk.edit({ ...grown, quantity: quantity('2000') })).toMatchObject({
    kind: 'done',
  });
  await stage.rest();
  expect(await stage.quote(process)).toMatchObject(TOO_LARGE);
  await process.desk.cancel({ account: MAKER, of: { orderId } });
  await stage.rest();
  expect(await stage.quote(process)).toMatchObject({ kind: 'done' });
});

test('orders that are sent and not answered count in full', async () => {
  const { stage, process } = await begin();
  const replies = await Promise.all([1, 2, 3].map(() => stage.quote(process)));
  expect(kinds(replies)).toEqual(['done', 'done', 'refused']);
  expect(await stage.open()).toHaveLength(2);
});

describe('an order whose outcome is unknown', () => {
  const UNKNOWN = { kind: 'unknown', reason: 'no answer' } as const;
  const VALID_MS = 5_000;

  /** Sends 2,000 USD at 20,000, which is all of the limit, and loses the answer. */
  async function lost(validMs?: number) {
    const { stage, process } = await begin();
    const perpetual = must(stage.venue.instrument(instrumentName('BTC-PERPETUAL')), 'it is listed');
    const sized = (usd: string, validUntil?: Instant) => ({
      side: 'buy' as const,
      quantity: quantity(usd),
      price: price('20000'),
      validUntil,
    });
    const validUntil = validMs === undefined ? undefined : later(stage.clock.now(), validMs);
    const fence = fenceOf(process.guard, MAKER, perpetual, sized('2000', validUntil));
    expect(fence.objection()).toBeUndefined();
    fence.answered(UNKNOWN);
    const next = () => fenceOf(process.guard, MAKER, perpetual, sized('10')).objection();
    return { stage, next };
  }

  test.each([
    ['states its validity: until ten seconds after it', VALID_MS, 15_000],
    ['states none: until half a minute and ten seconds', undefined, 40_000],
  ])('counts in full; where it %s', async (_, validMs, countedMs) => {
    const { stage, next } = await lost(validMs);
    expect(next()?.reply).toMatchObject(TOO_LARGE);
    await stage.pass(countedMs - 1);
    expect(next()?.reply).toMatchObject(TOO_LARGE);
    await stage.pass(1);
    expect(next()).toBeUndefined();
  });

  test('a refusal frees its size at once', async () => {
    const { stage, process } = await begin();
    const perpetual = must(stage.venue.instrument(instrumentName('BTC-PERPETUAL')), 'it is listed');
    const sized = { side: 'buy', quantity: quantity('2000'), price: price('20000') } as const;
    const first = fenceOf(process.guard, MAKER, perpetual, sized);
    expect(first.objection()).toBeUndefined();
    const second = fenceOf(process.guard, MAKER, perpetual, sized);
    expect(second.objection()?.reply).toMatchObject(TOO_LARGE);
    first.answered({ kind: 'refused', code: 10009, message: 'not_enough_funds', class: 'final' });
    expect(fenceOf(process.guard, MAKER, perpetual, sized).objection()).toBeUndefined();
  });
});

test('without it the size is not limited', async () => {
  const { stage, process } = await begin();
  await stage.configure(process, { maxQuoteQuantity: undefined, quantityLimit: quantity('50') });
  for (let n = 0; n < 4; n += 1) {
    expect(await stage.quote(process)).toMatchObject({ kind: 'done' });
  }
});
