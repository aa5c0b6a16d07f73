// When a slice tries, waits and gives up: what counts as late, how many attempts it makes, and what a resting child
// follows.
import { describe, expect, test } from 'vitest';
import type { PortfolioCommand } from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import { decidableAt } from '../../../src/core/portfolio/slices/reconcile-child.ts';
import type { TradingState } from '../../../src/core/risk/trading-switch.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import { money, price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { form, legForm, SETTINGS } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote, spot } from '../../support/engine/markets.ts';

const PERP = perpetual();
const SPOT = spot();
const MARKET = quote(PERP, [99_990, 100_010], { mark: price('100000') });

function desk(change: Partial<PortfolioForm>, settings: Partial<Settings> = {}): CoreDesk {
  const twapTrade = { durationSec: 60, frequencySec: 60 };
  const made = new CoreDesk(form({ twapTrade, execution: {}, ...change }), [PERP], {
    ...SETTINGS,
    ...settings,
  });
  made.quotes.set(PERP.name, MARKET);
  return made;
}

const placedAt = (made: CoreDesk, afterMs: number) =>
  made
    .run({ kind: 'advance', now: later(NOON, afterMs) })
    .intents.flatMap((intent) => (intent.kind === 'place' ? [intent] : []));

const refuse = (made: CoreDesk, label: string, afterMs: number) =>
  made.run({
    kind: 'record_refusal',
    label,
    code: 10_041,
    message: 'settlement',
    retry: true,
    now: later(NOON, afterMs),
  } as PortfolioCommand);

const waits = ({ events }: CoreDesk): string[] =>
  events.flatMap((event) => (event.kind === 'slice_waiting' ? [event.reason] : []));

describe('a slice', () => {
  test('a slice makes as many attempts as allowed and not one more', () => {
    const made = desk({}, { attemptsMax: 3, retryMs: 1_000 });
    let placed = 0;
    for (let ms = 0; ms < 40_000; ms += 1_000) {
      for (const { label } of placedAt(made, ms)) {
        placed += 1;
        refuse(made, label, ms);
      }
    }
    expect(placed).toBe(3);
    expect(waits(made)).toEqual(['rejected']);
  });

  test('only the first attempt of a slice is measured for lateness', () => {
    const made = desk({});
    const [first] = placedAt(made, 0);
    expect(first?.dueAt).toBe(NOON);
    refuse(made, first?.label ?? '', 0);
    const [second] = placedAt(made, 10_000);
    expect(second).toMatchObject({ kind: 'place', dueAt: undefined });
  });

  test('a slice delayed by a rule is not measured for lateness', () => {
    const made = desk({ execution: { spreadMaxBps: 1 } });
    expect(placedAt(made, 0)).toEqual([]);
    expect(waits(made)).toEqual(['wide_spread']);
    made.quotes.set(PERP.name, quote(PERP, [99_999.5, 100_000]));
    expect(placedAt(made, 1_000)).toMatchObject([{ dueAt: undefined }]);
  });

  test('a slice delayed by a missing quote is measured for lateness', () => {
    const made = desk({});
    made.quotes.delete(PERP.name);
    expect(placedAt(made, 0)).toEqual([]);
    expect(waits(made)).toEqual(['no_reference']);
    made.quotes.set(PERP.name, MARKET);
    expect(placedAt(made, 1_000)).toMatchObject([{ dueAt: NOON }]);
  });

  test('a control that blocks a slice is recorded once', () => {
    // Less than a lot of 10 USD: nothing can be divided by it.
    const made = desk({}, { orderUsdMax: money('5') });
    for (const ms of [0, 1_000, 2_000]) expect(placedAt(made, ms)).toEqual([]);
    expect(waits(made)).toEqual(['risk_limit']);
  });
});

describe('a restriction of trading', () => {
  test('a slice waits while trading is halted, and in spot also while it is restricted to reducing', () => {
    const spotLeg = legForm({
      instrument: SPOT.name,
      instrumentType: 'spot',
      quantity: quantity('1'),
    });
    const waitsFor = (trading: TradingState, leg = legForm()): readonly string[] => {
      const made = new CoreDesk(form({ legs: [leg], execution: {} }), [PERP, SPOT]);
      made.quotes.set(PERP.name, MARKET);
      made.quotes.set(SPOT.name, quote(SPOT, [99_990, 100_010]));
      made.given = { trading };
      placedAt(made, 0);
      return waits(made);
    };
    expect([waitsFor('active'), waitsFor('halted'), waitsFor('reducing')]).toEqual([
      [],
      ['halted'],
      [],
    ]);
    expect([waitsFor('active', spotLeg), waitsFor('reducing', spotLeg)]).toEqual([[], ['halted']]);
  });
});

describe('reduce-only', () => {
  test('a child only reduces if its leg requests it, or while trading is restricted to reducing', () => {
    const reduces = (reduceOnly: boolean, trading: TradingState): boolean | undefined => {
      const made = desk({ legs: [legForm({ reduceOnly })] });
      made.given = { trading };
      return placedAt(made, 0)[0]?.reduceOnly;
    };
    expect(reduces(false, 'active')).toBe(false);
    expect(reduces(true, 'active')).toBe(true);
    expect(reduces(false, 'reducing')).toBe(true);
  });
});

describe('an escalation of a leg with a limit', () => {
  test('an escalation waits while its own side of the book is empty, although the limit has a price', () => {
    const limit = { priceType: 'limit', price: price('99992'), priceIn: 'USD' } as const;
    const escalation = [{ from: 0, manner: 'post' }] as const;
    const made = desk({ legs: [legForm({ priceOptions: limit })], execution: { escalation } });
    made.quotes.set(PERP.name, quote(PERP, [undefined, 100_010], { mark: price('100000') }));
    expect(placedAt(made, 0)).toEqual([]);
    expect(waits(made)).toEqual(['no_reference']);
    made.quotes.set(PERP.name, MARKET);
    expect(placedAt(made, 1_000).map((intent) => text(intent.price))).toEqual(['99990']);
  });
});

describe('a reprice held by the limit of the leg', () => {
  test.each([[undefined], [100]])(
    'a reprice names the limit as its reason, with a band of %s basis points around the mark',
    (bandBps) => {
      const limit = { priceType: 'limit', price: price('99992'), priceIn: 'USD' } as const;
      const escalation = [{ from: 0, manner: 'rejoin' }] as const;
      const twapTrade = { durationSec: 60, frequencySec: 60 };
      const legs = [legForm({ priceOptions: limit })];
      const made = new CoreWork(form({ twapTrade, legs, execution: { escalation, bandBps } }), [
        PERP,
      ]);
      made.fills = () => 0;
      made.show(MARKET);
      made.at(0);
      made.show(quote(PERP, [99_995, 100_010], { mark: price('100000') }));
      made.at(1_000);
      expect(made.edited).toMatchObject([{ price: '99992' }]);
      expect(made.repricedFor()).toEqual(['bound']);
    },
  );
});

describe('a resting child', () => {
  const resting = (priceOptions: Parameters<typeof legForm>[0]): CoreWork => {
    const twapTrade = { durationSec: 60, frequencySec: 60 };
    const asked = form({ twapTrade, legs: [legForm(priceOptions)], execution: {} });
    const made = new CoreWork(asked, [PERP]);
    made.fills = () => 0;
    made.show(MARKET);
    made.at(0);
    return made;
  };

  test('a child that follows a reference is repriced at its interval and not before', () => {
    const made = resting({
      priceOptions: {
        priceType: 'dynamic',
        price: price('1'),
        priceIn: 'USD',
        dynamicPriceStrategy: 'bid',
        dynamicMs: 5_000,
      },
    });
    made.show(quote(PERP, [99_980, 100_010], { mark: price('100000') }));
    made.at(4_999);
    expect(made.edited).toEqual([]);
    made.at(5_000);
    expect(made.edited).toMatchObject([{ atMs: 5_000, price: '99980' }]);
  });

  const cancels = (made: CoreWork) =>
    made.events('cancel_intended').map(({ at, reason }) => [at - NOON, reason]);

  test('a child that rests is cancelled when its slice comes to take', () => {
    const escalation = [
      { from: 0, manner: 'post' },
      { from: 0.5, manner: 'cross' },
    ] as const;
    const twapTrade = { durationSec: 60, frequencySec: 60 };
    const made = new CoreWork(form({ twapTrade, execution: { escalation } }), [PERP]);
    made.fills = () => 0;
    made.show(MARKET);
    for (const ms of [0, 29_999, 30_000]) made.at(ms);
    expect(cancels(made)).toEqual([[30_000, 'escalated']]);
  });

  /** The venue's report that the order of this intent is open. */
  const openAt = (
    made: CoreDesk,
    placed: ReturnType<typeof placedAt>[number],
    ms: number,
    askedAt?: Instant,
  ) => {
    const { label, side, instrument, price: at, quantity: size } = placed;
    const order = { orderId: '1', label, instrument, side, state: 'open', price: at };
    const amounts = { quantity: size, filledQuantity: quantity('0') };
    const [now, times] = [later(NOON, ms), { createdAt: NOON, updatedAt: NOON }];
    const orders = [{ ...order, ...amounts, ...times }];
    made.run({
      kind: 'record_report',
      orders,
      trades: [],
      now,
      askedAt,
    } as unknown as PortfolioCommand);
  };

  test('a child good till the day is cancelled to take an offer, and one that takes is left alone', () => {
    const limit = { priceType: 'limit', price: price('99994'), priceIn: 'USD' } as const;
    const would = [{ leg: 0, price: price('99995'), share: 1 }];
    const twapTrade = { durationSec: 120, frequencySec: 60 };
    const cancelled = (timeInForce: 'gtd' | 'ioc') => {
      const legs = [legForm({ priceOptions: limit, timeInForce })];
      const made = desk({ twapTrade, legs, execution: { would } });
      for (const placed of placedAt(made, 0)) openAt(made, placed, 10);
      made.quotes.set(PERP.name, quote(PERP, [99_980, 99_990]));
      made.run({ kind: 'advance', now: later(NOON, 1_000) });
      return made.events.flatMap((event) =>
        event.kind === 'cancel_intended' ? [event.reason] : [],
      );
    };
    expect(cancelled('gtd')).toEqual(['escalated']);
    expect(cancelled('ioc')).toEqual([]);
  });

  test('a child whose edit has no answer yet is not edited again', () => {
    const bid = {
      priceType: 'dynamic',
      price: price('1'),
      priceIn: 'USD',
      dynamicPriceStrategy: 'bid',
      dynamicMs: 1_000,
    } as const;
    const made = desk({ legs: [legForm({ priceOptions: bid })] });
    for (const placed of placedAt(made, 0)) openAt(made, placed, 10);
    for (const [ms, best] of [
      [1_000, 99_980],
      [2_000, 99_970],
    ] as const) {
      made.quotes.set(PERP.name, quote(PERP, [best, 100_010]));
      made.run({ kind: 'advance', now: later(NOON, ms) });
    }
    const edits = made.events.filter(({ kind }) => kind === 'edit_intended');
    expect(edits).toMatchObject([{ number: 1, price: '99980' }]);
  });

  test('an edit without an answer is settled by a query that started when it could no longer be accepted', () => {
    const bid = { priceType: 'dynamic', price: price('1'), priceIn: 'USD' } as const;
    const legs = [
      legForm({ priceOptions: { ...bid, dynamicPriceStrategy: 'bid', dynamicMs: 1_000 } }),
    ];
    const made = desk({ legs });
    const placed = must(placedAt(made, 0)[0], 'a child');
    openAt(made, placed, 10);
    made.quotes.set(PERP.name, quote(PERP, [99_980, 100_010]));
    made.run({ kind: 'advance', now: later(NOON, 1_000) });
    const edit = must([...made.state.children.values()][0]?.edit, 'an edit');
    const finalMs = decidableAt(edit.validUntil, made.settings) - NOON;
    const edits = () => made.events.filter(({ kind }) => kind === 'edit_done');

    // What was published, or requested before, arrives after the deadline with the price before the edit.
    openAt(made, placed, finalMs + 1);
    openAt(made, placed, finalMs + 2, later(NOON, finalMs - 1));
    expect(edits()).toEqual([]);
    openAt(made, placed, finalMs + 3, later(NOON, finalMs));
    expect(edits()).toMatchObject([{ number: 1, price: text(placed.price) }]);
  });

  test("a child at a fixed price stays even if the venue's band moves away from it", () => {
    const made = resting({
      priceOptions: { priceType: 'limit', price: price('99000'), priceIn: 'USD' },
    });
    made.show(quote(PERP, [98_000, 98_500], { maxPrice: price('98900') }));
    for (const ms of [1_000, 10_000, 30_000]) made.at(ms);
    expect([made.edited, made.events('cancel_intended')]).toEqual([[], []]);
  });
});
