// Tests each execution option at the edge of its range, just beyond it, and where it cannot have an effect.

import { describe, expect, test } from 'vitest';
import { admit } from '../../src/core/portfolio/admission/admit.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../src/core/portfolio/admission/submit-limits.ts';
import type { ExecutionForm } from '../../src/core/terms/execution.ts';
import type { PortfolioForm } from '../../src/core/terms/form.ts';
import { specFromRecord, specToRecord } from '../../src/core/terms/spec-record.ts';
import { price, quantity } from '../../src/values/amounts.ts';
import { instrumentName } from '../../src/values/ids.ts';
import { later } from '../../src/values/instant.ts';
import { BY, form, legForm } from '../support/engine/engine-world.ts';
import { NOON, option, perpetual, spot } from '../support/engine/markets.ts';
import { nonEmpty } from '../support/non-empty.ts';

/** Expires two hours after noon. */
const SOON = option({
  name: instrumentName('BTC-20NOV26-100000-C'),
  expiresAt: later(NOON, 7_200_000),
});
/** Matched on another exchange. */
const ROUTED = spot({ name: instrumentName('ETH_USDC'), isRouted: true });
const INSTRUMENTS = [perpetual(), option(), SOON, spot(), ROUTED];
const WINDOW = { fromMs: 28_770_000, toMs: 28_860_000 };

function admitted(execution: ExecutionForm, change: Partial<PortfolioForm> = {}) {
  return admit(form({ execution, ...change }), BY, {
    now: NOON,
    limits: {
      ...DEFAULT_SUBMIT_LIMITS,
      durationSecMin: 1,
      frequencySecMin: 1,
      dummyAccounts: new Set(),
    },
    features: {
      hidden: false,
      tradeModes: ['cross', 'cash'],
      positionSides: ['net'],
      quietWindows: [WINDOW],
    },
    instrument: (name) => INSTRUMENTS.find((one) => one.name === name),
    quote: () => undefined,
  });
}

function faults(execution: ExecutionForm, change: Partial<PortfolioForm> = {}): string[] {
  const outcome = admitted(execution, change);
  return outcome.kind === 'refused' ? outcome.rejections.map(({ field }) => field) : [];
}

function executionOf(execution: ExecutionForm) {
  const outcome = admitted(execution);
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  return outcome.spec.execution;
}

describe('the ranges of the execution options', () => {
  test.each<[string, ExecutionForm[], ExecutionForm[]]>([
    [
      'phase',
      [{ phase: 0 }, { phase: 0.999 }],
      [{ phase: 1 }, { phase: -0.1 }, { phase: Number.NaN }],
    ],
    [
      'maxCatchUp',
      [{ maxCatchUp: 1 }, { maxCatchUp: 100 }],
      [{ maxCatchUp: 0.99 }, { maxCatchUp: 101 }],
    ],
    [
      'randomSize',
      [{ randomSize: 0 }, { randomSize: 0.99 }],
      [{ randomSize: 1 }, { randomSize: -1 }],
    ],
    ['randomTime', [{ randomTime: 0.5 }], [{ randomTime: 1 }]],
    [
      'slippageMaxBps',
      [{ slippageMaxBps: 0 }, { slippageMaxBps: 10_000 }],
      [{ slippageMaxBps: -1 }],
    ],
    ['spreadMaxBps', [{ spreadMaxBps: 0.1 }], [{ spreadMaxBps: 0 }, { spreadMaxBps: 20_001 }]],
    ['bandBps', [{ bandBps: 0 }], [{ bandBps: 10_001 }]],
    [
      'participationMax',
      [{ participationMax: 1 }],
      [{ participationMax: 0 }, { participationMax: 1.01 }],
    ],
    ['seed', [{ seed: 'x' }], [{ seed: '' }, { seed: 'x'.repeat(65) }]],
    [
      'endCapBps',
      [{ endAction: 'sweep', endCapBps: 0 }],
      [{ endCapBps: 5 }, { endAction: 'sweep', endCapBps: 10_001 }],
    ],
    [
      'extendSec',
      [{ endAction: 'extend', extendMs: 1_000 }],
      [
        { endAction: 'extend' },
        { extendMs: 1_000 },
        { endAction: 'extend', extendMs: 999 },
        { endAction: 'extend', extendMs: 86_400_001 },
      ],
    ],
  ])(
    'execution.%s is accepted up to its bounds and refused beyond them',
    (field, accepted, refused) => {
      for (const one of nonEmpty(accepted)) expect(faults(one)).toEqual([]);
      for (const one of nonEmpty(refused)) expect(faults(one)).toEqual([`execution.${field}`]);
    },
  );
});

describe('options that depend on the leg or on other options', () => {
  test('a share of the volume needs a volume that is known: routed spot has none', () => {
    const legs = (name: string) => ({
      legs: [legForm({ instrument: name, instrumentType: 'spot', quantity: quantity('1') })],
    });
    const share = { participationMax: 0.1 };
    expect(faults(share, legs('BTC_USDC'))).toEqual([]);
    expect(faults({}, legs('ETH_USDC'))).toEqual([]);
    const outcome = admitted(share, legs('ETH_USDC'));
    expect(outcome).toMatchObject({
      kind: 'refused',
      rejections: [
        {
          field: 'execution.participationMax',
          message: expect.stringContaining(
            'ETH_USDC, which is matched on another exchange and not published; accepted: leave it out',
          ),
        },
      ],
    });
  });

  const post = { from: 0, manner: 'post' } as const;
  const cross = { from: 0.5, manner: 'cross' } as const;

  test('the steps of an escalation must start at 0 and rise', () => {
    expect(faults({ escalation: [post, cross] })).toEqual([]);
    expect(faults({ escalation: [] })).toEqual(['execution.escalation']);
    expect(faults({ escalation: [{ ...post, from: 0.1 }] })).toEqual([
      'execution.escalation[0].from',
    ]);
    expect(faults({ escalation: [post, cross, cross] })).toEqual(['execution.escalation[2].from']);
    expect(faults({ escalation: [post, { ...cross, from: 1 }] })).toEqual([
      'execution.escalation[1].from',
    ]);
  });

  test('an escalation is refused on a leg whose pricing or time in force leaves it no room', () => {
    const legs = (change: object) => ({ legs: [legForm(change)] });
    const limit = { priceType: 'limit', price: price('90000'), priceIn: 'USD' } as const;
    expect(faults({ escalation: [post, cross] }, legs({ priceOptions: limit }))).toEqual([]);
    expect(
      faults({ escalation: [post, cross] }, legs({ priceOptions: limit, postOnly: true })),
    ).toEqual(['execution.escalation']);
    expect(faults({ escalation: [post] }, legs({ timeInForce: 'ioc' }))).toEqual([
      'execution.escalation',
    ]);
    const dynamic = {
      priceType: 'dynamic',
      price: price('90000'),
      priceIn: 'USD',
      dynamicPriceStrategy: 'mid',
      dynamicMs: 500,
    } as const;
    expect(faults({ escalation: [post] }, legs({ priceOptions: dynamic }))).toEqual([
      'execution.escalation',
    ]);
  });

  test('a would price must be valid for its leg and given once per leg', () => {
    const would = (leg: number, at: string, share = 1) => [{ leg, price: price(at), share }];
    expect(faults({ would: would(0, '90000') })).toEqual([]);
    expect(faults({ would: would(1, '90000') })).toEqual(['execution.wouldPrices[0].leg']);
    expect(faults({ would: would(0, '90000.1') })).toEqual(['execution.wouldPrices[0].price']);
    expect(faults({ would: would(0, '90000', 0) })).toEqual(['execution.wouldPrices[0].share']);
    expect(faults({ would: [...would(0, '90000'), ...would(0, '80000')] })).toEqual([
      'execution.wouldPrices[1].leg',
    ]);
  });

  test('spreadMaxVol requires an option leg', () => {
    expect(faults({ spreadMaxVol: 5 })).toEqual(['execution.spreadMaxVol']);
    const leg = legForm({ instrument: option().name, instrumentType: 'option' });
    expect(faults({ spreadMaxVol: 5 }, { legs: [leg] })).toEqual([]);
  });

  test('an extension beyond the expiry of a leg is refused', () => {
    const leg = legForm({ instrument: SOON.name, instrumentType: 'option' });
    const extend = (extendMs: number) => faults({ endAction: 'extend', extendMs }, { legs: [leg] });
    expect(extend(7_140_000)).toEqual([]);
    expect(extend(7_141_000)).toEqual(['legs[0].instrument']);
  });
});

describe('the stored options', () => {
  test('an option that was not given is not stored', () => {
    expect(Object.keys(executionOf({})).sort()).toEqual([
      'collar',
      'endAction',
      'maxCatchUp',
      'phase',
    ]);
    expect(executionOf({ randomSize: 0 }).randomise).toBeUndefined();
    expect(executionOf({ avoidWindows: false }).quiet).toBeUndefined();
  });

  test("the venue's windows, the seed and the default cap of a sweep are stored", () => {
    expect(executionOf({ avoidWindows: true }).quiet).toEqual([WINDOW]);
    expect(executionOf({ randomSize: 0.2 }).randomise).toEqual({
      size: 0.2,
      time: 0,
      seed: `10001-${NOON}`,
    });
    expect(executionOf({ randomTime: 0.2, seed: 'mine' }).randomise?.seed).toBe('mine');
    expect(executionOf({ endAction: 'sweep' }).endCapBps).toBe(50);
  });

  test('options survive the conversion to JSON and back', () => {
    const outcome = admitted({
      randomSize: 0.1,
      seed: 's',
      would: [{ leg: 0, price: price('90000'), share: 0.5 }],
      escalation: [{ from: 0, manner: 'mid' }],
      endAction: 'extend',
      extendMs: 5_000,
    });
    if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
    const stored = JSON.parse(JSON.stringify(specToRecord(outcome.spec)));
    expect(specToRecord(specFromRecord(stored))).toEqual(specToRecord(outcome.spec));
  });

  test('options stored by an older version are read as off', () => {
    const outcome = admitted({});
    if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
    const old = { phase: 0, maxCatchUp: 3, endAction: 'cancel', collar: '0.01' } as const;
    const record = { ...specToRecord(outcome.spec), execution: old };
    expect(specToRecord(specFromRecord(record)).execution).toEqual(old);
  });
});
