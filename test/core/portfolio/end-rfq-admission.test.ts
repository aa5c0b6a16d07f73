// Valid options of `endAction: rfq`: one meaningful limit, legs that fit one RFQ, and an account that can create
// RFQs.
import { describe, expect, test } from 'vitest';
import { admit } from '../../../src/core/portfolio/admission/admit.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../../src/core/portfolio/admission/submit-limits.ts';
import type { ExecutionForm } from '../../../src/core/terms/execution.ts';
import type { LegForm, PortfolioForm } from '../../../src/core/terms/form.ts';
import { specFromRecord, specToRecord } from '../../../src/core/terms/spec-record.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { currency, instrumentName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { BY, form, legForm } from '../../support/engine/engine-world.ts';
import { NOON, option, perpetual } from '../../support/engine/markets.ts';

const PERP = perpetual();
const CALL = option();
const HIGH = option({ name: instrumentName('BTC-25DEC26-120000-C') });
const LINEAR = option({
  name: instrumentName('BTC_USDC-25DEC26-100000-C'),
  quote: currency('USDC'),
  settlement: currency('USDC'),
});
/** Expires two minutes after the end of the form. */
const SOON = option({
  name: instrumentName('BTC-20NOV26-100000-C'),
  expiresAt: later(NOON, 180_000),
});
const INSTRUMENTS: readonly Instrument[] = [PERP, CALL, HIGH, LINEAR, SOON];

const legOf = ({ name, kind }: Instrument, change: Partial<LegForm> = {}) =>
  legForm({ instrument: name, instrumentType: kind, quantity: quantity('100'), ...change });

type Rfq = NonNullable<ExecutionForm['rfq']>;

function asked(execution: ExecutionForm, change: Partial<PortfolioForm> = {}, hasBlockRfqs = true) {
  return admit(form({ execution, ...change }), BY, {
    now: NOON,
    limits: {
      ...DEFAULT_SUBMIT_LIMITS,
      durationSecMin: 1,
      frequencySecMin: 1,
      dummyAccounts: new Set(),
    },
    features: { hidden: false, tradeModes: ['cross'], positionSides: ['net'] },
    instrument: (name) => INSTRUMENTS.find((one) => one.name === name),
    quote: () => undefined,
    hasBlockRfqs,
  });
}

function faults(...given: Parameters<typeof asked>): string[] {
  const outcome = asked(...given);
  return outcome.kind === 'refused' ? outcome.rejections.map(({ field }) => field) : [];
}

const withRfq = (rfq: Rfq, change: Partial<PortfolioForm> = {}): string[] =>
  faults({ endAction: 'rfq', rfq }, change);

describe('the end action rfq', () => {
  test('rfq has defaults and survives storage unchanged', () => {
    const outcome = asked({ endAction: 'rfq', rfq: { limitPrice: price('99000.5') } });
    if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
    const stored = JSON.parse(JSON.stringify(specToRecord(outcome.spec)));
    const { rfq } = specFromRecord(stored).execution;
    expect(rfq).toMatchObject({
      reference: 'mark',
      collectMs: 10_000,
      waitMs: 30_000,
      wholeOnly: false,
      makers: [],
      disclosed: true,
      fallback: 'cancel',
    });
    expect(rfq?.limitPrice?.toString()).toBe('99000.5');
  });

  test('rfq is refused for an account that cannot create RFQs', () => {
    const execution: ExecutionForm = { endAction: 'rfq', rfq: { limitBps: 10 } };
    expect(faults(execution)).toEqual([]);
    expect(faults(execution, {}, false)).toEqual(['execution.endAction']);
  });

  test('rfq requires its options, and they require it', () => {
    expect(faults({ endAction: 'rfq' })).toEqual(['execution.rfq']);
    expect(faults({ endAction: 'market', rfq: { limitBps: 10 } })).toEqual(['execution.rfq']);
    expect(faults({ rfq: { limitBps: 10 } })).toEqual(['execution.rfq']);
    const cap: ExecutionForm = { endAction: 'rfq', endCapBps: 5 };
    expect(faults({ ...cap, rfq: { limitBps: 10 } })).toEqual(['execution.endCapBps']);
    expect(faults({ ...cap, rfq: { limitBps: 10, fallback: 'sweep' } })).toEqual([]);
  });

  test.each<[string, Rfq, string[]]>([
    ['no limit', {}, ['execution.rfq']],
    ['two limits', { limitBps: 1, limitPrice: price('1') }, ['execution.rfq']],
    ['a limitBps of zero', { limitBps: 0 }, []],
    ['the largest limitBps', { limitBps: 10_000 }, []],
    ['a limitBps beyond its maximum', { limitBps: 10_001 }, ['execution.rfq.limitBps']],
    ['a negative limitBps', { limitBps: -1 }, ['execution.rfq.limitBps']],
    ['a limitPrice of zero', { limitPrice: price('0') }, ['execution.rfq.limitPrice']],
    ['the shortest wait', { limitBps: 1, waitMs: 6_000, collectMs: 5_999 }, []],
    [
      'a wait shorter than allowed',
      { limitBps: 1, waitMs: 5_999, collectMs: 0 },
      ['execution.rfq.waitSec'],
    ],
    ['the longest wait', { limitBps: 1, waitMs: 290_000 }, []],
    ['a wait longer than allowed', { limitBps: 1, waitMs: 290_001 }, ['execution.rfq.waitSec']],
    [
      'a collection time as long as the wait',
      { limitBps: 1, collectMs: 30_000 },
      ['execution.rfq.collectSec'],
    ],
  ])('rfq options with %s are accepted or refused with the field named', (_what, rfq, fields) =>
    expect(withRfq(rfq)).toEqual(fields),
  );

  test('limitPrice is accepted for a single leg only', () => {
    const legs = [legOf(CALL), legOf(HIGH, { side: 'sell' })];
    expect(withRfq({ limitPrice: price('0.05') }, { legs })).toEqual(['execution.rfq.limitPrice']);
    expect(withRfq({ limitBps: 10 }, { legs })).toEqual([]);
  });

  test('each instrument may occur once, all in one quote currency except for one hedge', () => {
    const withLegs = (...legs: LegForm[]): string[] => withRfq({ limitBps: 10 }, { legs });
    expect(withLegs(legOf(CALL), legOf(CALL))).toEqual(['legs[1].instrument']);
    expect(withLegs(legOf(CALL), legOf(LINEAR))).toEqual(['legs[1].instrument']);
    expect(withLegs(legOf(CALL), legOf(PERP, { side: 'sell' }))).toEqual(['legs[1].instrument']);
    const hedge = legOf(PERP, { side: 'sell', hedge: true });
    expect(withLegs(legOf(CALL), hedge)).toEqual([]);
    expect(withLegs(legOf(CALL), hedge, legOf(LINEAR, { hedge: true }))).toEqual([
      'legs[1].instrument',
      'legs[2].instrument',
    ]);
  });

  test('a leg that expires before the RFQ ends is refused', () => {
    const legs = [legOf(SOON)];
    expect(withRfq({ limitBps: 10, waitMs: 120_000 }, { legs })).toEqual([]);
    expect(withRfq({ limitBps: 10, waitMs: 121_000 }, { legs })).toEqual(['legs[0].instrument']);
  });
});
