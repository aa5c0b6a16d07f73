// Terms are judged alike on every path: an amendment is accepted exactly if the portfolio that it makes would be.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admit } from '../../../src/core/portfolio/admission/admit.ts';
import type { AmendForm } from '../../../src/core/portfolio/admission/admit-amend.ts';
import type { AdmitContext } from '../../../src/core/portfolio/admission/admit-context.ts';
import { judgeAmendment } from '../../../src/core/portfolio/judge-amendment.ts';
import type { ExecutionForm } from '../../../src/core/terms/execution.ts';
import type { LegForm, PortfolioForm, PricingForm } from '../../../src/core/terms/form.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import { money, price, quantity, text } from '../../../src/values/amounts.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { BY, form, legForm, SETTINGS } from '../../support/engine/engine-world.ts';
import { NOON, option, perpetual, quote, spot } from '../../support/engine/markets.ts';

const HOUR_MS = 3_600_000;
const PERP = perpetual();
const COIN = spot();
const CALL = option();
/** Expires two hours after noon. */
const NEAR = option({ expiresAt: later(NOON, 2 * HOUR_MS) });
const CAP: Settings = { ...SETTINGS, orderUsdMax: money('1000000') };
const STRATEGY = {
  instrumentsMax: 5,
  usdMax: money('10000000'),
  slicesMax: 40,
  accounts: new Set(['*']),
};

const quotes = new Map(
  [PERP, COIN].map((one) => [one.name as string, quote(one, [99_990, 100_010])] as const),
).set(NEAR.name, quote(NEAR, [0.05, 0.0505]));

const rules = (change: Partial<AdmitContext> = {}): Partial<AdmitContext> => ({
  orderUsdMax: CAP.orderUsdMax,
  quote: (name: string) => quotes.get(name),
  controls: { version: 'test', strategy: STRATEGY },
  ...change,
});

function work(change: Partial<PortfolioForm>, given: Partial<AdmitContext> = {}): CoreWork {
  const made = new CoreWork(form(change), [PERP, COIN, NEAR], CAP, rules(given));
  for (const one of quotes.values()) made.show(one);
  return made;
}

/** The faults of an amendment as `field: kind`; empty if it is accepted. */
function faults(made: CoreWork, atMs: number, asked: Partial<AmendForm>): string[] {
  const { state, settings, rules: contextAt } = made.desk;
  const context = contextAt(later(NOON, atMs));
  const question = { form: { legs: [], ...asked }, state, by: '7', context, settings };
  const judged = judgeAmendment(question);
  return judged.kind === 'refused'
    ? judged.rejections.map(({ field, kind }) => `${field}: ${kind}`)
    : [];
}

const sized = (size: string, seen: string): Partial<AmendForm> => ({
  legs: [{ leg: 0, quantity: quantity(size), filledSeen: quantity(seen) }],
});

describe('amended terms', () => {
  test('an amendment is refused where it makes slices above the largest order, as a submit is', () => {
    const asked = {
      twapTrade: { durationSec: 600, frequencySec: 60 },
      legs: [legForm({ quantity: quantity('9000000') })],
    };
    const made = work(asked);
    made.at(0);
    // 8,100,000 in four slices.
    expect(faults(made, 1_000, { durationSec: 300 })).toEqual(['durationSec: risk_limit']);
    expect(faults(made, 1_000, { durationSec: 540 })).toEqual(['durationSec: risk_limit']);
    expect(faults(made, 1_000, { durationSec: 660 })).toEqual([]);
    // Nine slices of 1,000,000 are left, and one lot more is too many.
    expect(faults(made, 1_000, sized('9900000', '900000'))).toEqual([]);
    expect(faults(made, 1_000, sized('9900010', '900000'))).toEqual([
      'legs[0].quantity: risk_limit',
    ]);
  });

  test.each<[string, ExecutionForm]>([
    ['extendSec', { endAction: 'extend', extendMs: HOUR_MS }],
    ['rfq.waitSec', { endAction: 'rfq', rfq: { limitBps: 10, waitMs: 290_000 } }],
  ])('an amendment that ends a minute before the expiry is refused with %s', (_, execution) => {
    const leg = legForm({
      instrument: NEAR.name,
      instrumentType: 'option',
      quantity: quantity('3'),
    });
    const made = work(
      { twapTrade: { durationSec: 600, frequencySec: 60 }, legs: [leg], execution },
      { hasBlockRfqs: true },
    );
    made.at(0);
    expect(faults(made, 1_000, { durationSec: 7_140 })).toEqual(['durationSec: ends_after_expiry']);
    expect(faults(made, 1_000, { endAt: later(NOON, 7_140_000) })).toEqual([
      'endTimestamp: ends_after_expiry',
    ]);
    expect(faults(made, 1_000, { durationSec: 3_000 })).toEqual([]);
  });

  test('an amendment keeps a strategy within its limits of value and slices', () => {
    const asked = {
      strategy: 'lim',
      twapTrade: { durationSec: 600, frequencySec: 60 },
      legs: [legForm({ quantity: quantity('90000') })],
    };
    const strategy = { ...STRATEGY, usdMax: money('100000') };
    const made = work(asked, { controls: { version: 'test', strategy } });
    made.at(0);
    expect(faults(made, 1_000, sized('100010', '9000'))).toEqual(['strategy: risk_limit']);
    expect(faults(made, 1_000, sized('100000', '9000'))).toEqual([]);
    expect(faults(made, 1_000, { durationSec: 2_460 })).toEqual(['strategy: risk_limit']);
    expect(faults(made, 1_000, { durationSec: 2_400 })).toEqual([]);
  });

  test('an amendment cannot make the duration shorter than an interval', () => {
    const made = work({ twapTrade: { durationSec: 600, frequencySec: 300 } });
    made.at(0);
    expect(faults(made, 1_000, { durationSec: 100 })).toEqual(['durationSec: time_out_of_range']);
    expect(faults(made, 1_000, { durationSec: 300 })).toEqual([]);
  });

  test('an amendment on an account that has lost its limit of the day may reduce, and not add', () => {
    const controls = { version: 'test', slippageUsdMax: new Map([['*', money('1000')]]) };
    let usd = money('0');
    const given = {
      controls,
      get loss() {
        return { usd };
      },
    };
    const made = new CoreWork(form(), [PERP], CAP, { ...rules(), controls, loss: { usd } });
    made.show(quote(PERP, [99_990, 100_010]));
    made.at(0);
    usd = money('1000.01');
    const contextAt = (now: Instant) => ({ ...made.desk.rules(now), ...given, loss: { usd } });
    const judged = (asked: Partial<AmendForm>) =>
      judgeAmendment({
        form: { legs: [], ...asked },
        state: made.desk.state,
        by: '7',
        settings: CAP,
        context: contextAt(later(NOON, 1_000)),
      }).kind;
    expect(judged(sized('610', '100'))).toBe('refused');
    expect(judged(sized('500', '100'))).toBe('accepted');
  });

  test('an amendment is refused where blackout windows keep the rest from being made up', () => {
    const made = work({
      twapTrade: { durationSec: 60, frequencySec: 1 },
      legs: [legForm({ quantity: quantity('600') })],
      execution: { endAction: 'cancel', avoidWindows: true, maxCatchUp: 2 },
    });
    made.until(4_000);
    const { filled = quantity('0') } = made.desk.state.legs[0] ?? {};
    // The window is 12:00:05 to 12:00:09: four slices of the nine are lost to it, and nothing follows.
    expect(faults(made, 4_200, { durationSec: 9 })).toEqual([
      'execution.avoidWindows: time_out_of_range',
    ]);
    expect(faults(made, 4_200, { durationSec: 30, ...sized('700', text(filled)) })).toEqual([]);
  });

  test('an amendment to a pricing that the escalation does not fit is refused', () => {
    const made = work({
      execution: {
        escalation: [
          { from: 0, manner: 'post' },
          { from: 0.5, manner: 'cross' },
        ],
      },
    });
    const priceOptions: PricingForm = { ...dynamic, priceIn: 'USD' };
    expect(faults(made, 0, { legs: [{ leg: 0, priceOptions }] })).toEqual([
      'execution.escalation: invalid_parameter',
    ]);
  });
});

const dynamic = {
  priceType: 'dynamic',
  price: price('100000'),
  dynamicPriceStrategy: 'bid',
  dynamicMs: 1_000,
} as const;

describe('before anything has happened', () => {
  const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const sizesOf = fc.integer({ min: 1, max: 1_300_000 }).map((lots) => quantity(String(10 * lots)));
  const seconds = fc.constantFrom(60, 119, 120, 600, 1_800, 2_400, 2_460, 3_600, 7_100, 86_401);

  test('an amendment is accepted exactly if a submit of the portfolio that it makes is', () => {
    const cases = fc.record({
      first: fc.record({ size: sizesOf, frequencySec: fc.constantFrom(60, 120) }),
      durationSec: seconds,
      isStrategy: fc.boolean(),
      isNear: fc.boolean(),
      randomSize: fc.constantFrom(0, 0.5),
      end: fc.constantFrom<ExecutionForm>(
        { endAction: 'cancel' },
        { endAction: 'extend', extendMs: 600_000 },
      ),
      to: fc.record({
        size: some(sizesOf),
        durationSec: some(seconds),
        isDynamic: fc.boolean(),
        maxCatchUp: some(fc.constantFrom(0.5, 2)),
      }),
    });
    let accepted = 0;
    fc.assert(
      fc.property(cases, ({ first, durationSec, isStrategy, isNear, randomSize, end, to }) => {
        const call: Partial<LegForm> = {
          instrument: NEAR.name,
          instrumentType: 'option',
          quantity: quantity('2'),
        };
        const twapTrade = { durationSec, frequencySec: first.frequencySec };
        const asked = form({
          startAt: later(NOON, 60_000),
          twapTrade,
          strategy: isStrategy ? 'lim' : undefined,
          legs: [legForm({ quantity: first.size }), ...(isNear ? [legForm(call)] : [])],
          execution: { ...end, ...(randomSize > 0 && { randomSize }) },
        });
        const context: Partial<AdmitContext> = { ...rules(), hasBlockRfqs: true };
        let made: CoreWork;
        try {
          made = new CoreWork(asked, [PERP, COIN, NEAR], CAP, context);
        } catch {
          return;
        }
        const priceOptions: PricingForm | undefined = to.isDynamic
          ? { ...dynamic, priceIn: 'USD' }
          : undefined;
        const wanted: AmendForm = {
          durationSec: to.durationSec,
          amendmentsSeen: 0,
          legs: [{ leg: 0, quantity: to.size, filledSeen: quantity('0'), priceOptions }],
          ...(to.maxCatchUp !== undefined && { execution: { maxCatchUp: to.maxCatchUp } }),
        };
        const [leg, ...others] = asked.legs as [LegForm, ...LegForm[]];
        const merged: PortfolioForm = {
          ...asked,
          twapTrade: { ...twapTrade, durationSec: to.durationSec ?? durationSec },
          legs: [
            {
              ...leg,
              quantity: to.size ?? leg.quantity,
              priceOptions: priceOptions ?? leg.priceOptions,
            },
            ...others,
          ],
          execution: {
            ...asked.execution,
            ...(to.maxCatchUp !== undefined && { maxCatchUp: to.maxCatchUp }),
          },
        };
        const submit = admit(merged, BY, made.desk.rules(NOON));
        const amended = faults(made, 0, wanted);
        expect(amended.length === 0, JSON.stringify([amended, submit])).toBe(
          submit.kind === 'admitted',
        );
        if (submit.kind === 'admitted') accepted += 1;
      }),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(20);
  });
});

describe('at a frozen market', () => {
  const LEGS: readonly Partial<LegForm>[] = [
    { instrument: PERP.name, instrumentType: 'perpetual', quantity: quantity('600') },
    { instrument: COIN.name, instrumentType: 'spot', quantity: quantity('0.6') },
    { instrument: CALL.name, instrumentType: 'option', quantity: quantity('6') },
  ];
  const near = (kind: string | undefined) =>
    kind === 'option'
      ? { price: price('0.05'), priceIn: 'BTC' }
      : { price: price('100000'), priceIn: kind === 'spot' ? 'USDC' : 'USD' };

  test('what is accepted is sent, with flags that the venue accepts together', () => {
    const cases = fc.record({
      leg: fc.constantFrom(...LEGS),
      type: fc.constantFrom('market' as const, 'limit' as const, 'dynamic' as const),
      timeInForce: fc.constantFrom(
        undefined,
        'gtc' as const,
        'ioc' as const,
        'fok' as const,
        'gtd' as const,
      ),
      postOnly: fc.boolean(),
      reduceOnly: fc.boolean(),
    });
    const outcomes = { sent: 0, refused: 0 };
    fc.assert(
      fc.property(cases, ({ leg, type, timeInForce, postOnly, reduceOnly }) => {
        const at = near(leg.instrumentType);
        const priceOptions: PricingForm =
          type === 'market'
            ? { priceType: type }
            : type === 'limit'
              ? { priceType: type, ...at }
              : { ...dynamic, ...at };
        const asked = legForm({ ...leg, priceOptions, timeInForce, postOnly, reduceOnly });
        const rests = timeInForce === undefined || timeInForce === 'gtc';
        const isSpot = leg.instrumentType === 'spot';
        // Deribit: no good_til_day and no reduce_only on spot, post_only with good_til_cancelled alone.
        const isSendable =
          !(isSpot && (reduceOnly || timeInForce === 'gtd')) &&
          !(postOnly && (type === 'market' || !rests)) &&
          !(type === 'market' && (timeInForce === 'gtc' || timeInForce === 'gtd'));
        let made: CoreWork;
        try {
          made = new CoreWork(form({ legs: [asked] }), [PERP, COIN, CALL]);
        } catch {
          outcomes.refused += 1;
          expect(isSendable).toBe(false);
          return;
        }
        expect(isSendable).toBe(true);
        for (const one of [
          quote(PERP, [99_990, 100_010]),
          quote(COIN, [99_990, 100_010]),
          quote(CALL, [0.05, 0.0505]),
        ])
          made.show(one);
        made.at(0);
        outcomes.sent += 1;
        expect(made.placed).toHaveLength(1);
        const [order] = made.placed;
        const names = {
          gtc: 'good_til_cancelled',
          ioc: 'immediate_or_cancel',
          fok: 'fill_or_kill',
          gtd: 'good_til_day',
        };
        const byDefault = type === 'market' ? 'ioc' : 'gtc';
        expect(order).toMatchObject({
          timeInForce: names[timeInForce ?? byDefault],
          postOnly,
          reduceOnly,
        });
      }),
      { numRuns: 200 },
    );
    expect(Math.min(outcomes.sent, outcomes.refused)).toBeGreaterThan(20);
  });

  test.each([
    [{ timeInForce: 'gtd', postOnly: true }],
    [
      {
        timeInForce: 'gtd',
        instrument: COIN.name,
        instrumentType: 'spot',
        quantity: quantity('0.6'),
      },
    ],
  ] as const)('good till day is refused by name where no venue takes it: %o', (leg) => {
    const asked = legForm({
      priceOptions: { priceType: 'limit', ...near('instrument' in leg ? 'spot' : undefined) },
      ...leg,
    });
    const admission = admit(form({ legs: [asked] }), BY, work({}).desk.rules(NOON));
    expect(admission).toMatchObject({ rejections: [{ field: 'legs[0].timeInForce' }] });
  });
});
