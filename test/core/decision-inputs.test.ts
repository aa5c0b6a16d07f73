// What a decision makes of its inputs: everything that lasts until an instant is read at the decision's own `now`.
import { describe, expect, test } from 'vitest';
import type { DecisionInputs } from '../../src/core/portfolio/aggregate/decision-inputs.ts';
import type { Decision } from '../../src/core/portfolio/decide.ts';
import { AccountExposure } from '../../src/core/risk/gate/account-exposure.ts';
import type { ControlLimits } from '../../src/core/risk/gate/control-limits.ts';
import type { GateInputs } from '../../src/core/risk/gate/gate-inputs.ts';
import type { Override } from '../../src/core/risk/gate/overrides.ts';
import { money, quantity } from '../../src/values/amounts.ts';
import { DAY_MS, type Instant, later } from '../../src/values/instant.ts';
import { CoreDesk } from '../support/engine/core-desk.ts';
import { form, legForm } from '../support/engine/engine-world.ts';
import { GATE_ACCOUNT } from '../support/engine/gate-orders.ts';
import { NOON, option, perpetual, quote } from '../support/engine/markets.ts';

const PERP = perpetual();
const UNTIL = later(NOON, 10);
/** The last instant before it is over, and the first after. */
const AROUND = [later(UNTIL, -1), UNTIL] as const;

function desk(given: Partial<DecisionInputs>, legs = [legForm({ quantity: quantity('100') })]) {
  const execution = { mmpGroup: 'g' };
  const made = new CoreDesk(form({ legs, execution }), [PERP, option()]);
  made.quotes.set(PERP.name, quote(PERP, [99_999.5, 100_000]));
  made.given = given;
  return made;
}

const kinds = ({ events }: Decision): readonly string[] => events.map(({ kind }) => kind);
const reason = ({ events }: Decision): string | undefined =>
  events.flatMap((event) => (event.kind === 'slice_waiting' ? [event.reason] : []))[0];
const decidedAt = (now: Instant, given: Partial<DecisionInputs>): Decision =>
  desk(given).peek({ kind: 'advance', now });

const exposure = new AccountExposure();
exposure.roll(NOON);

function gate(limits: Partial<ControlLimits>, change: Partial<GateInputs> = {}): GateInputs {
  const instruments = new Map([[PERP.name, PERP]]);
  const account = exposure.snapshot({ instruments, orders: new Map() });
  const all = { version: '1-test', ...limits };
  return { limits: all, overrides: [], account, sent: [], unrest: new Map(), ...change };
}

const atMost = (max: string) => new Map([['*', quantity(max)]]);

describe('an input that lasts until an instant', () => {
  test('a freeze keeps a slice from placing until it ends, as of the decision', () => {
    const freezes = [{ index: PERP.indexName, group: 'g', until: UNTIL }];
    expect(AROUND.map((now) => reason(decidedAt(now, { freezes })))).toEqual([
      'mmp_frozen',
      undefined,
    ]);
    const always = [{ index: PERP.indexName, group: 'g' }];
    expect(reason(decidedAt(UNTIL, { freezes: always }))).toBe('mmp_frozen');
    const other = [{ index: PERP.indexName, group: 'h' }];
    expect(reason(decidedAt(UNTIL, { freezes: other }))).toBeUndefined();
  });

  test('a jump of the market keeps a slice from placing until its rest is over', () => {
    const market = { jumpBps: 1_000, windowMs: 60_000, spreadBps: 1_000, restMs: 60_000 };
    const unrest = new Map([[PERP.name, { until: UNTIL, why: 'it jumped' }]]);
    const given = { gate: gate({ market }, { unrest }) };
    expect(AROUND.map((now) => reason(decidedAt(now, given)))).toEqual(['risk_limit', undefined]);
  });

  test('an override lets a child past its control until it expires', () => {
    const override: Override = {
      id: '1',
      control: 'order_volume',
      account: GATE_ACCOUNT,
      instrument: PERP.name,
      side: 'buy',
      quantity: quantity('100'),
      reason: 'asked',
      askedBy: 'a',
      askedAt: NOON,
      grantedBy: 'b',
      expiresAt: UNTIL,
    };
    const given = { gate: gate({ quantityMax: atMost('5') }, { overrides: [override] }) };
    expect(AROUND.map((now) => reason(decidedAt(now, given)))).toEqual([undefined, 'risk_limit']);
  });

  test('what was traded on the day before does not count for a decision as of midnight', () => {
    const traded = { ...gate({}).account, tradedUsd: money('1000') } as GateInputs['account'];
    const limits = { grossUsdMax: new Map([['*', money('1000')]]) };
    const given = { gate: gate(limits, { account: traded }) };
    const midnight = later(NOON, DAY_MS / 2);
    const reasonAt = (now: Instant) => {
      const made = new CoreDesk(form({ startAt: later(midnight, -1_000) }), [PERP]);
      made.quotes.set(PERP.name, quote(PERP, [99_999.5, 100_000]));
      made.given = given;
      return reason(made.peek({ kind: 'advance', now }));
    };
    expect([later(midnight, -1), midnight].map(reasonAt)).toEqual(['risk_limit', undefined]);
  });
});

describe('what a decision intends', () => {
  const TWO = [legForm({ quantity: quantity('100') }), legForm({ quantity: quantity('100') })];
  const twapTrade = { durationSec: 60, frequencySec: 60 };

  function twoLegs(limits: Partial<ControlLimits>, legs = TWO): CoreDesk {
    const made = new CoreDesk(form({ twapTrade, legs }), [PERP]);
    made.quotes.set(PERP.name, quote(PERP, [99_999.5, 100_000]));
    made.given = { gate: gate(limits) };
    return made;
  }

  test.each([
    ['position', { positionMax: atMost('150') }],
    ['gross', { grossUsdMax: new Map([['*', money('150')]]) }],
  ] as const)('a child counts for the next one of the turn: %s', (control, limits) => {
    const decision = twoLegs(limits).peek({ kind: 'advance', now: NOON });
    expect(decision.intents.map(({ kind }) => kind)).toEqual(['place']);
    expect(decision.events.at(-1)).toMatchObject({
      kind: 'slice_waiting',
      leg: 1,
      reason: 'risk_limit',
      why: expect.stringMatching(`^${control}: 200 .*limit 150, was 200`),
    });
  });

  test('the inputs of the next decision of the turn count the child, and those given do not change', () => {
    const given = gate({});
    const made = desk({ gate: given });
    const { inputs } = made.peek({ kind: 'advance', now: NOON });
    const after = inputs.gate?.account;
    expect(after?.workingUsd).toEqual(money('20'));
    expect(after?.own.map(({ side, rest }) => [side, rest])).toEqual([['buy', quantity('20')]]);
    expect(after?.markets.get(PERP.name)?.sides.buy.working).toEqual(quantity('20'));
    expect(inputs.gate?.sent).toMatchObject([{ leg: 0, slice: 0, at: NOON }]);
    expect(given).toEqual(gate({}));
  });

  test('the same order of a later slice is a duplicate while the first may be open', () => {
    const sent = { leg: 0, slice: 7, side: 'buy', quantity: quantity('20'), at: NOON } as const;
    const reasonAt = (key: string, now: Instant) => {
      const made = desk({});
      const intent = made.peek({ kind: 'advance', now }).intents[0];
      const price = intent?.kind === 'place' ? intent.price : undefined;
      const twin = { ...sent, key, price, instrument: PERP.name };
      made.given = { gate: gate({ duplicateMs: 250 }, { sent: [twin] }) };
      return reason(made.peek({ kind: 'advance', now }));
    };
    expect(reasonAt('other', later(NOON, 249))).toBe('risk_limit');
    expect(reasonAt('other', later(NOON, 250))).toBeUndefined();
    const uncounted = desk({ gate: gate({ duplicateMs: 250 }, { sent: undefined }) });
    expect(reason(uncounted.peek({ kind: 'advance', now: NOON }))).toBe('risk_limit');
  });

  test('without limits the inputs stay as they are', () => {
    const { inputs } = desk({}).peek({ kind: 'advance', now: NOON });
    expect(inputs.gate).toBeUndefined();
  });
});

describe('a message budget', () => {
  const room = (left: number, perSecond = 1): DecisionInputs['messages'] => ({
    at: NOON,
    shared: [{ left, perSecond }],
    instruments: new Map(),
  });

  test('a slice intends no order that could not leave within a quarter of its validity', () => {
    const messages = room(0);
    // The next message may leave after a second; an order is valid for two.
    const waited = decidedAt(later(NOON, 499), { messages });
    expect([reason(waited), kinds(waited).includes('child_intended')]).toEqual([
      'message_budget',
      false,
    ]);
    const intended = decidedAt(later(NOON, 500), { messages });
    expect([reason(intended), kinds(intended).includes('child_intended')]).toEqual([
      undefined,
      true,
    ]);
  });

  test('an order that is intended counts for the next leg of the turn', () => {
    const legs = [legForm({ quantity: quantity('100') }), legForm({ quantity: quantity('100') })];
    const decision = desk({ messages: room(1) }, legs).peek({ kind: 'advance', now: NOON });
    expect(decision.intents.map(({ kind }) => kind)).toEqual(['place']);
    expect(decision.events.at(-1)).toMatchObject({
      kind: 'slice_waiting',
      leg: 1,
      reason: 'message_budget',
    });
  });

  test('the budget of another instrument keeps nothing from being sent', () => {
    const full = { at: NOON, shared: [{ left: 5, perSecond: 1 }] };
    const other = { ...full, instruments: new Map([['ETH-PERPETUAL', { left: 0, perSecond: 1 }]]) };
    expect(reason(decidedAt(NOON, { messages: other }))).toBeUndefined();
    const own = { ...full, instruments: new Map([[PERP.name, { left: 0, perSecond: 1 }]]) };
    expect(reason(decidedAt(NOON, { messages: own }))).toBe('message_budget');
  });
});

describe('a decision that recovery defers', () => {
  const blocks = (isAccountBlocked: boolean, isPortfolioBlocked: boolean) => ({
    recovery: { isAccountBlocked, isPortfolioBlocked },
  });

  test.each([
    [true, false],
    [false, true],
  ])('a new child is deferred if the account (%s) or the portfolio (%s) is blocked', (a, p) => {
    const decision = decidedAt(NOON, blocks(a, p));
    expect(decision.isDeferred).toBe(true);
    expect(kinds(decision)).not.toContain('child_intended');
  });

  test('a decision that would send nothing is not deferred', () => {
    const now = later(NOON, -1_000);
    expect(decidedAt(now, blocks(true, true)).isDeferred).toBe(false);
    expect(decidedAt(NOON, {}).isDeferred).toBe(false);
  });
});
