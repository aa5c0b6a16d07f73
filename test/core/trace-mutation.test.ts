// Valid traces of venue reports with duplicates, disorder and gaps that a later query fills: the totals equal those
// of the original trace to the last digit, in any order of arrival.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { missingFills } from '../../src/core/order/child-order.ts';
import type { VenueOrder, VenueTrade } from '../../src/core/order/venue-report.ts';
import type { Intent } from '../../src/core/portfolio/aggregate/portfolio-intent.ts';
import {
  isZero,
  money,
  price,
  quantity,
  quantityOf,
  rounded,
  text,
  ZERO_QUANTITY,
} from '../../src/values/amounts.ts';
import { type ChildLabel, currency, orderId, tradeId } from '../../src/values/ids.ts';
import { later } from '../../src/values/instant.ts';
import { cases } from '../support/cases.ts';
import { CoreDesk } from '../support/engine/core-desk.ts';
import { form, legForm } from '../support/engine/engine-world.ts';
import { NOON, perpetual, quote, spot } from '../support/engine/markets.ts';

const PERP = perpetual();
const COIN = spot();

interface Report {
  readonly orders: readonly VenueOrder[];
  readonly trades: readonly VenueTrade[];
}

type Placed = Extract<Intent, { kind: 'place' }>;

/** The fate of a child: sizes of its trades in lots, and whether the rest is cancelled. */
interface Fate {
  readonly lots: readonly number[];
  readonly isCancelled: boolean;
}

const fate: fc.Arbitrary<Fate> = fc.record({
  lots: fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 5 }),
  isCancelled: fc.boolean(),
});

/** Three legs, one child each, all sent at once and resting. */
function sent(): { readonly desk: CoreDesk; readonly children: readonly Placed[] } {
  const rest = (currencyName: string) =>
    ({ priceType: 'limit', price: price('99000'), priceIn: currencyName }) as const;
  const coin = {
    instrument: COIN.name,
    instrumentType: 'spot',
    quantity: quantity('0.004'),
    priceOptions: rest('USDC'),
  } as const;
  const legs = [
    legForm({ quantity: quantity('400'), priceOptions: rest('USD') }),
    legForm({ ...coin }),
    legForm({ ...coin }),
  ];
  const twapTrade = { durationSec: 60, frequencySec: 60 };
  const desk = new CoreDesk(form({ twapTrade, legs }), [PERP, COIN]);
  desk.quotes.set(PERP.name, quote(PERP, [99_999.5, 100_000]));
  const { intents } = desk.run({ kind: 'advance', now: NOON });
  const children = intents.filter((intent): intent is Placed => intent.kind === 'place');
  expect(children).toHaveLength(3);
  return { desk, children };
}

/** The venue's reports on one child, in order: open, each trade with the order after it, the end. */
function trace(child: Placed, { lots, isCancelled }: Fate, id: string): Report[] {
  const step = child.instrument === PERP.name ? 10 : 0.0001;
  let order: VenueOrder = {
    orderId: orderId(`o${id}`),
    label: child.label,
    instrument: child.instrument,
    side: child.side,
    state: 'open',
    price: child.price,
    quantity: child.quantity,
    filledQuantity: ZERO_QUANTITY,
    createdAt: NOON,
    updatedAt: NOON,
  };
  const reports: Report[] = [{ orders: [order], trades: [] }];
  for (const [index, count] of lots.entries()) {
    const size = quantityOf(Number((count * step).toFixed(4)));
    const trade: VenueTrade = {
      tradeId: tradeId(`t${id}-${index}`),
      orderId: order.orderId,
      label: child.label,
      instrument: child.instrument,
      side: child.side,
      price: price(String(98_990 + index)),
      quantity: size,
      fee: money('0.00000123'),
      feeCurrency: currency(index % 2 === 0 ? 'BTC' : 'USDC'),
      liquidity: 'maker',
      at: later(NOON, index),
    };
    const filledQuantity = order.filledQuantity.plus(size) as VenueOrder['filledQuantity'];
    const state = filledQuantity.gte(order.quantity) ? 'filled' : 'open';
    order = { ...order, filledQuantity, state, updatedAt: later(NOON, index + 1) };
    reports.push({ orders: [], trades: [trade] }, { orders: [order], trades: [] });
  }
  if (isCancelled && order.state === 'open') {
    reports.push({ orders: [{ ...order, state: 'cancelled' }], trades: [] });
  }
  return reports;
}

/** The result of a query at the end: the last state of the order and all its trades. */
const asked = (reports: readonly Report[]): Report => ({
  orders: reports.flatMap(({ orders }) => orders).slice(-1),
  trades: reports.flatMap(({ trades }) => trades),
});

function totals(desk: CoreDesk): unknown {
  return desk.state.legs.map((leg) => ({
    filled: text(leg.filled),
    value: text(rounded(leg.value, 30, 'half_even')),
    fees: [...leg.fees].map(([name, amount]) => `${name} ${text(amount)}`).sort(),
  }));
}

const deliver = (desk: CoreDesk, report: Report): void => {
  desk.run({ kind: 'record_report', now: later(NOON, 500), ...report });
};

describe('a trace of venue reports', () => {
  const fates = fc.tuple(fate, fate, fate);

  test('duplicates, disorder and gaps that a query fills do not change the totals', () => {
    fc.assert(
      fc.property(
        fates,
        fc.array(fc.record({ pick: fc.nat(), copies: fc.integer({ min: 0, max: 2 }) }), {
          minLength: 60,
          maxLength: 60,
        }),
        (three, mutations) => {
          const good = sent();
          const traces = good.children.map((child, index) =>
            trace(child, three[index] ?? { lots: [], isCancelled: false }, String(index)),
          );
          for (const report of traces.flat()) deliver(good.desk, report);

          const bad = sent();
          const left = traces.flat();
          for (const { pick, copies } of mutations) {
            const [report] = left.splice(pick % Math.max(1, left.length), 1);
            for (let i = 0; report !== undefined && i < copies; i += 1) deliver(bad.desk, report);
          }
          for (const reports of traces) deliver(bad.desk, asked(reports));
          expect(totals(bad.desk)).toEqual(totals(good.desk));
          expect(bad.desk.state.broken).toBe(false);
          expect([...bad.desk.state.children.keys()].sort()).toEqual(
            [...good.desk.state.children.keys()].sort(),
          );
        },
      ),
      { numRuns: cases(150) },
    );
  });

  test('a child that closed without its trades is kept until they are reported', () => {
    fc.assert(
      fc.property(fate, fc.boolean(), ({ lots }, isLastOnly) => {
        const { desk, children } = sent();
        const [child] = children;
        if (child === undefined) throw new Error('a child was placed');
        const reports = trace(child, { lots, isCancelled: true }, '0');
        const known = isLastOnly
          ? reports.slice(-1)
          : reports.filter(({ orders }) => orders.length > 0);
        for (const report of known) deliver(desk, report);
        const kept = desk.state.children.get(child.label as ChildLabel);
        expect(kept === undefined || isZero(missingFills(kept))).toBe(lots.length === 0);
        deliver(desk, asked(reports));
        expect(desk.state.children.has(child.label)).toBe(false);
      }),
    );
  });
});
