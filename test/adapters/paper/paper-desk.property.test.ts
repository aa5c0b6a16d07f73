// Any request to the paper order API is answered with its effect or the reason for its refusal, and the
// exchange stays operational.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderRecord } from '../../../src/core/order/order-record.ts';
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts';
import type { NewOrder, Reply, TradingDesk } from '../../../src/ports/trading-desk.ts';
import { isLess, isMore, money, price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import {
  accountId,
  deploymentId,
  type InstrumentName,
  instrumentName,
  orderId,
} from '../../../src/values/ids.ts';
import { instant, later, utcInstant } from '../../../src/values/instant.ts';
import type { OrderTerms } from '../../../src/values/order-terms.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { cases } from '../../support/cases.ts';
import { openOrderDesk } from '../../support/engine/open-order-desk.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { ungated } from '../../support/engine/venue-records.ts';
import { ACCOUNT, BTC, MemoryStore, OTHER, paperStage } from './paper-stage.ts';

const EIGHT = utcInstant({ year: 2026, month: 11, day: 21, hour: 8 });
const NAMES: readonly InstrumentName[] = [
  BTC,
  ...['ETH-PERPETUAL', 'ETH_USDC-PERPETUAL', 'ETH_USDC', 'BTC-27NOV26', 'NO-SUCH'].map(
    instrumentName,
  ),
  ...optionNames(),
];

function optionNames(): readonly InstrumentName[] {
  const { venue } = paperStage();
  const options = venue.instruments().filter(({ kind }) => kind === 'option');
  return [options[20], options.at(-20)].flatMap((one) => (one === undefined ? [] : [one.name]));
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** Prices near the market, and some beyond every grid and band. */
const prices = fc
  .oneof(
    fc.constantFrom('90000', '89999.5', '91000', '3000', '3010.05', '0.05', '0.0005', '60', '5000'),
    fc.constantFrom('0', '-1', '0.000000001', '99999999999999', '90000.123456'),
    fc.integer({ min: 85_000, max: 95_000 }).map(String),
  )
  .map((digits) => price(digits));
const sizes = fc
  .constantFrom('10', '1000', '100000', '20000000', '0.1', '1', '2.5', '0', '-10', '7', '0.00001')
  .map((digits) => quantity(digits));
const trigger = fc.constantFrom('index_price', 'mark_price', 'last_price');
const types = fc.constantFrom(
  'limit',
  'limit',
  'market',
  'market_limit',
  'stop_limit',
  'stop_market',
  'take_limit',
  'take_market',
  'trailing_stop',
);

const terms: fc.Arbitrary<OrderTerms> = fc.record({
  side: fc.constantFrom('buy', 'sell'),
  type: types,
  quantity: sizes,
  price: maybe(prices),
  timeInForce: fc.constantFrom(
    'good_til_cancelled',
    'good_til_cancelled',
    'good_til_day',
    'immediate_or_cancel',
    'fill_or_kill',
  ),
  postOnly: fc.boolean(),
  rejectPostOnly: fc.boolean(),
  reduceOnly: fc.boolean(),
  label: fc.constantFrom('', 'a', 'b', 'x'.repeat(64), 'x'.repeat(65), 'tw1-test-1-0-0-1'),
  trigger: seldom(trigger),
  triggerPrice: seldom(prices),
  triggerOffset: seldom(prices),
});

/** Values that fit a market: prices around its level, sizes on its lots. */
interface Sense {
  readonly name: InstrumentName;
  readonly level: number;
  readonly tick: number;
  readonly sizes: readonly string[];
}

const SENSES: readonly Sense[] = [
  { name: BTC, level: 90_000, tick: 0.5, sizes: ['10', '1000', '50000', '3000000'] },
  {
    name: instrumentName('ETH_USDC-PERPETUAL'),
    level: 3_000,
    tick: 0.05,
    sizes: ['0.01', '1', '20', '600'],
  },
  { name: instrumentName('ETH_USDC'), level: 3_000, tick: 0.1, sizes: ['0.01', '1', '20'] },
];

/** Mostly well formed: each type with its required fields, around the market's level. */
function sensibleTerms({ level, tick, sizes: known }: Sense): fc.Arbitrary<OrderTerms> {
  const near = fc
    .integer({ min: -300, max: 300 })
    .map((step) => price((Math.round((level + (level * step) / 30_000) / tick) * tick).toFixed(2)));
  const rare = fc.boolean().chain((is) => (is ? fc.boolean() : fc.constant(false)));
  const common = {
    side: fc.constantFrom('buy' as const, 'sell' as const),
    quantity: fc.constantFrom(...known).map((digits) => quantity(digits)),
    rejectPostOnly: rare,
    reduceOnly: rare,
    label: fc.constantFrom('', 'a', 'b'),
    timeInForce: fc.constant('good_til_cancelled' as const),
  };
  const waits = { ...common, postOnly: fc.constant(false), trigger, triggerPrice: near };
  return fc.oneof(
    fc.record({ ...common, type: fc.constant('limit' as const), price: near, postOnly: rare }),
    fc.record({
      ...common,
      type: fc.constantFrom('market' as const, 'market_limit' as const),
      postOnly: fc.constant(false),
    }),
    fc.record({
      ...waits,
      type: fc.constantFrom('stop_limit' as const, 'take_limit' as const),
      price: near,
    }),
    fc.record({
      ...waits,
      type: fc.constantFrom('stop_market' as const, 'take_market' as const),
    }),
    fc.record({
      ...common,
      postOnly: fc.constant(false),
      type: fc.constant('trailing_stop' as const),
      trigger,
      triggerOffset: fc.integer({ min: 1, max: 200 }).map((n) => price((n * tick).toFixed(2))),
    }),
  );
}

const linkOf = (others: fc.Arbitrary<OrderTerms>) =>
  fc.record({
    kind: fc.constantFrom(
      'one_triggers_other' as const,
      'one_cancels_other' as const,
      'one_triggers_one_cancels_other' as const,
    ),
    fillCondition: fc.constantFrom(
      'first_hit' as const,
      'complete_fill' as const,
      'incremental' as const,
    ),
    others: fc.array(others, { minLength: 1, maxLength: 3 }),
  });

const sensible: fc.Arbitrary<NewOrder> = fc.constantFrom(...SENSES).chain((sense) =>
  fc
    .record({
      terms: sensibleTerms(sense),
      link: maybe(linkOf(sensibleTerms(sense))),
      displayQuantity: seldom(fc.constant(quantity('1000'))),
    })
    .map(({ terms: own, ...rest }) => {
      return { ...own, ...rest, account: ACCOUNT, instrument: sense.name, mmp: false };
    }),
);

const wild: fc.Arbitrary<NewOrder> = fc
  .record({
    terms,
    account: fc.constantFrom(ACCOUNT, ACCOUNT, OTHER, accountId('nobody')),
    instrument: fc.constantFrom(...NAMES),
    displayQuantity: seldom(sizes),
    advanced: seldom(fc.constantFrom('usd' as const, 'implv' as const)),
    mmp: fc.boolean(),
    validUntil: seldom(fc.constantFrom(instant(0), later(EIGHT, 0))),
    link: seldom(linkOf(terms)),
  })
  .map(({ terms: own, ...rest }) => ({ ...own, ...rest }));

const orders = fc.oneof({ weight: 4, arbitrary: sensible }, { weight: 1, arbitrary: wild });

type Step =
  | { readonly kind: 'enter'; readonly order: NewOrder }
  | { readonly kind: 'edit'; readonly nth: number; readonly change: Partial<OrderTerms> }
  | { readonly kind: 'cancel'; readonly nth: number }
  | { readonly kind: 'cancel_all'; readonly label: string | undefined }
  | { readonly kind: 'pass'; readonly forMs: number };

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('enter' as const), order: orders }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      nth: fc.nat(20),
      change: fc.record(
        { quantity: sizes, price: prices, triggerPrice: prices, postOnly: fc.boolean() },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), nth: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cancel_all' as const),
      label: fc.constantFrom(undefined, '', 'a'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      forMs: fc.constantFrom(1, 250, 2_000, 30_000),
    }),
  },
);

const courses = fc.array(steps, { minLength: 1, maxLength: 25, size: 'max' });

/** `gated`: behind the engine's gate, as in a daemon. */
function stage(gated: boolean) {
  const store = new MemoryStore();
  const faults: unknown[] = [];
  const onFault = (error: unknown): number => faults.push(error);
  // The daily settlement falls into the test.
  const clock = new VirtualClock(later(EIGHT, -10_000));
  const at = paperStage({ journal: { store }, onFault }, clock);
  const { venue } = at;
  const orders = openOrderDesk({
    venues: { forAccount: () => venue, all: () => [venue] },
    settings: {
      ...DEFAULT_SETTINGS,
      deployment: deploymentId('test'),
      orderUsdMax: money('1000000'),
    },
    clock,
    observer: witness(),
    limits: () => ({ dummyAccounts: new Set() }),
  });
  const desk = gated ? must(orders.forAccount(ACCOUNT), 'a desk') : ungated(venue);
  return { ...at, desk, store, faults };
}

async function take(at: ReturnType<typeof stage>, step: Step, known: string[]): Promise<void> {
  const { desk } = at;
  const nth = (n: number) => orderId(known[n % Math.max(1, known.length)] ?? 'none');
  let reply: Reply<unknown> | undefined;
  switch (step.kind) {
    case 'enter': {
      const entered = await desk.place(step.order);
      if (entered.kind === 'done') known.push(entered.value.order.orderId);
      reply = entered;
      break;
    }
    case 'edit':
      reply = await desk.edit({ account: ACCOUNT, of: { orderId: nth(step.nth) }, ...step.change });
      break;
    case 'cancel':
      reply = await desk.cancel({ account: ACCOUNT, of: { orderId: nth(step.nth) } });
      break;
    case 'cancel_all':
      reply = await desk.cancelAll({ account: ACCOUNT, label: step.label });
      break;
    case 'pass':
      await at.pass(step.forMs);
  }
  expect(at.faults).toEqual([]);
  if (reply !== undefined) expect(['done', 'refused'], JSON.stringify(reply)).toContain(reply.kind);
}

describe('the paper order API under random requests', () => {
  it('every request is answered, the books are consistent, and the journal restores the state', async () => {
    await fc.assert(
      fc.asyncProperty(courses, fc.boolean(), async (course, gated) => {
        const at = stage(gated);
        const known: string[] = [];
        for (const step of course) await take(at, step, known);
        const before = await ordersOf(at.desk, known);
        await at.venue.close();
        const again = paperStage({ journal: { store: at.store } }, at.clock);
        const after = await ordersOf(ungated(again.venue), known);
        expect([...after.keys()]).toEqual([...before.keys()]);
        for (const [id, order] of before) {
          expect(isMore(order.filledQuantity, order.quantity)).toBe(false);
          // The market may have moved immediately; records are never undone.
          const found = must(after.get(id), id);
          expect(isLess(found.filledQuantity, order.filledQuantity)).toBe(false);
        }
        const account = ACCOUNT;
        expect(await again.venue.positions({ account })).toMatchObject({ kind: 'done' });
        await again.venue.close();
      }),
      { numRuns: cases(40), seed: 20_261_120 },
    );
  }, 240_000);
});

/** The orders of `known` that the exchange still has. */
async function ordersOf(
  desk: TradingDesk,
  known: readonly string[],
): Promise<ReadonlyMap<string, OrderRecord>> {
  const found = new Map<string, OrderRecord>();
  for (const id of known) {
    const reply = await desk.order(ACCOUNT, orderId(id));
    if (reply.kind === 'done') found.set(id, reply.value);
  }
  return found;
}
