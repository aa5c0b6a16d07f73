import { describe, expect, test } from 'vitest';
import { admit } from '../../src/core/portfolio/admission/admit.ts';
import type { AdmitContext } from '../../src/core/portfolio/admission/admit-context.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../src/core/portfolio/admission/submit-limits.ts';
import type { LegForm, PortfolioForm } from '../../src/core/terms/form.ts';
import { money, price, quantity, ratio } from '../../src/values/amounts.ts';
import { accountId, currency, instrumentName } from '../../src/values/ids.ts';
import { DAY_MS, later } from '../../src/values/instant.ts';
import { BY, form, legForm } from '../support/engine/engine-world.ts';
import { NOON, option, perpetual, quote, spot } from '../support/engine/markets.ts';

const PERP = perpetual();
const CALL = option();
const COIN = spot();
const ETH = perpetual({ name: instrumentName('ETH-PERPETUAL'), base: currency('ETH') });
const GONE = option({ name: instrumentName('BTC-1NOV26-1-C'), expiresAt: later(NOON, -DAY_MS) });
const ALL = [PERP, CALL, COIN, ETH, GONE];

const context = (change: Partial<AdmitContext> = {}, legUsdMax?: string): AdmitContext => ({
  now: NOON,
  limits: {
    ...DEFAULT_SUBMIT_LIMITS,
    dummyAccounts: new Set([accountId('20001')]),
    ...(legUsdMax === undefined ? {} : { legUsdMax: money(legUsdMax) }),
  },
  features: { hidden: false, tradeModes: ['cash', 'cross'], positionSides: ['net'] },
  instrument: (name) => ALL.find((one) => one.name === name),
  quote: (name) => (name === PERP.name ? quote(PERP, [99_999.5, 100_000]) : undefined),
  ...change,
});

/** Refusals of a form as `field: kind`; empty if it is admitted. */
function refusals(asked: PortfolioForm, legUsdMax?: string): string[] {
  const admission = admit(asked, BY, context({}, legUsdMax));
  if (admission.kind === 'admitted') return [];
  for (const { message } of admission.rejections) expect(message.length).toBeGreaterThan(10);
  return admission.rejections.map(({ field, kind }) => `${field}: ${kind}`);
}

const twap = (change: Partial<PortfolioForm> = {}): PortfolioForm =>
  form({ twapTrade: { durationSec: 600, frequencySec: 60 }, ...change });
const timed = (durationSec: number, frequencySec: number): PortfolioForm =>
  twap({ twapTrade: { durationSec, frequencySec } });
const one = (change: Partial<LegForm>): PortfolioForm => twap({ legs: [legForm(change)] });
const priced = (change: Partial<LegForm['priceOptions']>, leg: Partial<LegForm> = {}) =>
  one({
    ...leg,
    priceOptions: { priceType: 'limit', price: price('100'), priceIn: 'USD', ...change },
  });
const dynamic = {
  priceType: 'dynamic',
  price: price('100'),
  priceIn: 'USD',
  dynamicPriceStrategy: 'mark',
  dynamicMs: 1_000,
} as const;
const call = { instrument: CALL.name, instrumentType: 'option', quantity: quantity('1') } as const;
const coin = { instrument: COIN.name, instrumentType: 'spot', quantity: quantity('1') } as const;

describe('accepted forms', () => {
  test.each<[string, PortfolioForm]>([
    ['a market leg', twap()],
    ['a limit on a tick', priced({ price: price('99999.5') })],
    ['a negative offset', priced({ ...dynamic, dynamicPriceOffset: price('-3') })],
    ['an option in IV', priced({ price: price('0.65'), priceIn: 'IV' }, call)],
    ['an option in USD', priced({ price: price('650.33'), priceIn: 'usd' }, call)],
    ['a start within a minute of now', twap({ startAt: later(NOON, -60_000) })],
    ['a start a week ahead', twap({ startAt: later(NOON, 7 * DAY_MS) })],
    ['the shortest duration and interval', timed(300, 30)],
    ['a dummy account', twap({ dummyAccounts: [accountId('20001')] })],
    ['a note of 100 characters of two code units each', twap({ customizedNote: '😀'.repeat(100) })],
    ['cross margin on a derivative', one({ tradeMode: 'cross', positionSide: 'net' })],
    [
      'a hedge beside a leg',
      twap({ legs: [legForm(call), legForm({ side: 'sell', hedge: true })] }),
    ],
  ])('a submit with %s is admitted', (_name, asked) => {
    expect(refusals(asked)).toEqual([]);
  });

  test('a start in the near past means now', () => {
    const admission = admit(twap({ startAt: later(NOON, -59_000) }), BY, context());
    expect(admission).toMatchObject({ kind: 'admitted', spec: { startAt: NOON } });
  });

  test('reference prices are captured at submit, and given ones are kept', () => {
    const admission = admit(twap(), BY, context());
    if (admission.kind !== 'admitted') throw new Error('refused');
    const mark = { type: 'MARK', price: '99999.75', timestamp: NOON };
    expect(admission.spec.legs[0]?.priceSnapshot).toContainEqual(mark);
    const given = admit(one({ priceSnapshot: [{ mine: '1' }] }), BY, context());
    expect(given).toMatchObject({ spec: { legs: [{ priceSnapshot: [{ mine: '1' }] }] } });
  });
});

const leg0 = (field: string, kind = 'invalid_parameter'): string => `legs[0].${field}: ${kind}`;

describe('refused forms', () => {
  test.each<[string, PortfolioForm, string[]]>([
    [
      'an unknown portfolio type',
      twap({ portfolioType: 'GRID' }),
      ['portfolioType: invalid_parameter'],
    ],
    ['no timing', twap({ twapTrade: undefined }), ['twapTrade: invalid_parameter']],
    ['a duration that is too short', timed(299, 60), ['twapTrade.durationSec: time_out_of_range']],
    [
      'a duration that is too long',
      timed(86_401, 60),
      ['twapTrade.durationSec: time_out_of_range'],
    ],
    [
      'an interval that is too short',
      timed(600, 29),
      ['twapTrade.frequencySec: time_out_of_range'],
    ],
    [
      'an interval longer than the duration',
      timed(300, 301),
      ['twapTrade.frequencySec: time_out_of_range'],
    ],
    ['a fractional duration', timed(600.5, 60), ['twapTrade.durationSec: time_out_of_range']],
    [
      'a start too far in the past',
      twap({ startAt: later(NOON, -60_001) }),
      ['twapTrade.startTimestamp: time_out_of_range'],
    ],
    [
      'a start too far ahead',
      twap({ startAt: later(NOON, 7 * DAY_MS + 1) }),
      ['twapTrade.startTimestamp: time_out_of_range'],
    ],
    ['no leg', twap({ legs: [] }), ['legs: invalid_parameter']],
    ['too many legs', twap({ legs: Array(21).fill(legForm()) }), ['legs: invalid_parameter']],
    ['a long note', twap({ customizedNote: 'x'.repeat(101) }), ['customizedNote: note_too_long']],
    ['a note of 100 characters of two code units', twap({ customizedNote: '😀'.repeat(100) }), []],
    ['a strategy of 64 characters of two code units', twap({ strategy: '😀'.repeat(64) }), []],
    ['a long strategy', twap({ strategy: '😀'.repeat(65) }), ['strategy: invalid_parameter']],
    ['an unknown instrument', one({ instrument: 'DOGE-PERPETUAL' }), [leg0('instrument')]],
    [
      'an expired instrument',
      one({ ...call, instrument: GONE.name }),
      [leg0('instrument', 'ends_after_expiry')],
    ],
    ['a different instrument type', one({ instrumentType: 'spot' }), [leg0('instrumentType')]],
    [
      'legs in two coins',
      twap({ legs: [legForm(), legForm({ instrument: ETH.name })] }),
      ['legs[1].instrument: mixed_currencies'],
    ],
    [
      'legs on opposite sides of one instrument',
      twap({ legs: [legForm(), legForm({ side: 'sell' })] }),
      ['legs[1].side: invalid_parameter'],
    ],
    ['hedge legs only', one({ hedge: true }), ['legs: invalid_parameter']],
    ['a quantity off the lot', one({ quantity: quantity('605') }), [leg0('quantity')]],
    ['a zero quantity', one({ quantity: quantity('0') }), [leg0('quantity')]],
    ['a negative quantity', one({ quantity: quantity('-10') }), [leg0('quantity')]],
    ['a LIMIT leg without price', priced({ price: undefined }), [leg0('priceOptions.price')]],
    ['a LIMIT leg without priceIn', priced({ priceIn: undefined }), [leg0('priceOptions.priceIn')]],
    ['a price off the tick', priced({ price: price('100.3') }), [leg0('priceOptions.price')]],
    ['a negative price', priced({ price: price('-1') }), [leg0('priceOptions.price')]],
    ['a price in another currency', priced({ priceIn: 'USDC' }), [leg0('priceOptions.priceIn')]],
    ['IV on a perpetual', priced({ priceIn: 'IV' }), [leg0('priceOptions.priceIn')]],
    [
      'IV in percent',
      priced({ price: price('65'), priceIn: 'IV' }, call),
      [leg0('priceOptions.price')],
    ],
    [
      'a DYNAMIC interval that is too short',
      priced({ ...dynamic, dynamicMs: 10 }),
      [leg0('priceOptions.dynamicMs')],
    ],
    [
      'a DYNAMIC leg without its fields',
      priced({ ...dynamic, dynamicPriceStrategy: undefined, dynamicMs: undefined }),
      [leg0('priceOptions.dynamicPriceStrategy'), leg0('priceOptions.dynamicMs')],
    ],
    ['post-only on a MARKET leg', one({ postOnly: true }), [leg0('postOnly')]],
    [
      'a post-only immediate-or-cancel leg',
      priced({}, { postOnly: true, timeInForce: 'ioc' }),
      [leg0('postOnly')],
    ],
    ['a MARKET leg that is good-til-cancelled', one({ timeInForce: 'gtc' }), [leg0('timeInForce')]],
    ['reduce-only on spot', one({ ...coin, reduceOnly: true }), [leg0('reduceOnly')]],
    ['a hidden leg', one({ hidden: true }), [leg0('hidden')]],
    ['cash mode on a derivative', one({ tradeMode: 'cash' }), [leg0('tradeMode')]],
    ['a two-way position', one({ positionSide: 'long' }), [leg0('positionSide')]],
    [
      'a mirror account that is not a dummy',
      twap({ dummyAccounts: [accountId('10002')] }),
      ['sendToDummyAccountIds[0]: invalid_parameter'],
    ],
    [
      'the same dummy account twice',
      twap({ dummyAccounts: [accountId('20001'), accountId('20001')] }),
      ['sendToDummyAccountIds[1]: invalid_parameter'],
    ],
    [
      'a dummy as the trading account',
      twap({ accountId: accountId('20001') }),
      ['accountId: invalid_parameter'],
    ],
    [
      'a phase out of range',
      twap({ execution: { phase: 1 } }),
      ['execution.phase: invalid_parameter'],
    ],
    [
      'a maxCatchUp below 1',
      twap({ execution: { maxCatchUp: 0.5 } }),
      ['execution.maxCatchUp: invalid_parameter'],
    ],
    [
      'a collar out of range',
      twap({ execution: { collar: ratio('0.6') } }),
      ['execution.collar: invalid_parameter'],
    ],
  ])('a submit with %s is refused and the field is named', (_name, asked, expected) => {
    expect(refusals(asked)).toEqual(expected);
  });

  test('an end after the expiry of any leg is refused', () => {
    const now = later(CALL.expiresAt ?? NOON, -300_000);
    const admission = admit(twap({ legs: [legForm(call)] }), BY, context({ now }));
    const rejections = [{ kind: 'ends_after_expiry', field: 'legs[0].instrument' }];
    expect(admission).toMatchObject({ rejections });
  });

  test('too many slices over all legs are refused', () => {
    const legs = Array(8).fill(legForm({ quantity: quantity('100000000') })) as LegForm[];
    const asked = twap({ twapTrade: { durationSec: 86_400, frequencySec: 60 }, legs });
    expect(refusals(asked)).toEqual(['twapTrade.frequencySec: time_out_of_range']);
  });

  test('a leg above the value limit, or of unknown value, is refused', () => {
    expect(refusals(one({ quantity: quantity('1000') }), '1000')).toEqual([]);
    expect(refusals(one({ quantity: quantity('1010') }), '1000')).toEqual([
      leg0('quantity', 'risk_limit'),
    ]);
    expect(refusals(one(call), '1000')).toEqual([leg0('quantity', 'unavailable')]);
  });

  test('violations between legs are reported together with those of a leg', () => {
    const legs = [legForm(), legForm({ instrument: ETH.name, quantity: quantity('5') })];
    expect(refusals(twap({ legs }))).toEqual([
      'legs[1].quantity: invalid_parameter',
      'legs[1].instrument: mixed_currencies',
    ]);
  });

  test('all faults are reported at once', () => {
    const legs = [legForm({ quantity: quantity('5'), postOnly: true })];
    const asked = { ...timed(1, 60), customizedNote: 'x'.repeat(101), legs };
    expect(refusals(asked).length).toBeGreaterThanOrEqual(5);
  });
});
