import { describe, expect, it } from 'vitest';
import {
  OVERRIDE_MS_MAX,
  Overrides,
  type OverrideWish,
} from '../../../../src/core/risk/gate/overrides.ts';
import { quantity } from '../../../../src/values/amounts.ts';
import { later } from '../../../../src/values/instant.ts';
import { gateOrder } from '../../../support/engine/gate-orders.ts';
import { NOON } from '../../../support/engine/markets.ts';

const WISH: OverrideWish = {
  control: 'price_collar',
  account: '10001',
  instrument: 'BTC-PERPETUAL',
  side: 'buy',
  quantity: quantity('100'),
  reason: 'stale mark, desk agrees',
};

function asked(lifeMs = 60_000): Overrides {
  const overrides = new Overrides();
  overrides.request(WISH, { id: 'a', by: 'key-1', at: NOON, lifeMs });
  return overrides;
}

describe('PT-17, an override', () => {
  it('an override has no effect until another key has granted it', () => {
    const overrides = asked();
    expect(overrides.find(gateOrder(), 'price_collar', NOON)).toBeUndefined();
    expect(overrides.grant('a', 'key-1', NOON)).toMatchObject({ kind: 'refused' });
    expect(overrides.grant('a', 'key-2', NOON)).toMatchObject({ kind: 'granted' });
    expect(overrides.find(gateOrder(), 'price_collar', NOON)).toMatchObject({ grantedBy: 'key-2' });
  });

  it('an override applies to one control, account, instrument, side and size', () => {
    const overrides = asked();
    overrides.grant('a', 'key-2', NOON);
    const isFor = (change: Parameters<typeof gateOrder>[0]) =>
      overrides.find(gateOrder(change), 'price_collar', NOON) !== undefined;
    expect(isFor({})).toBe(true);
    expect(isFor({ quantity: quantity('90') })).toBe(true);
    expect(isFor({ quantity: quantity('110') })).toBe(false);
    expect(isFor({ side: 'sell' })).toBe(false);
    expect(isFor({ account: '10002' as never })).toBe(false);
    expect(overrides.find(gateOrder(), 'gross', NOON)).toBeUndefined();
  });

  it('the overrides in force are those of the account that were granted, not used and not expired', () => {
    const overrides = asked();
    const idsOf = (account: string, at = NOON) =>
      overrides.inForce(account, at).map(({ id }) => id);
    expect(new Overrides().inForce('10001', NOON)).toEqual([]);
    expect(idsOf('10001')).toEqual([]);
    overrides.grant('a', 'key-2', NOON);
    overrides.request(WISH, { id: 'b', by: 'key-1', at: NOON, lifeMs: 1_000 });
    const used = overrides.grant('b', 'key-2', NOON);
    expect(idsOf('10001')).toEqual(['a', 'b']);
    expect(idsOf('10002')).toEqual([]);
    expect(idsOf('10001', later(NOON, 1_000))).toEqual(['a']);
    if (used.kind === 'granted') overrides.use(used.override, NOON);
    expect(idsOf('10001')).toEqual(['a']);
  });

  it('an override is used once', () => {
    const overrides = asked();
    overrides.grant('a', 'key-2', NOON);
    const found = overrides.find(gateOrder(), 'price_collar', NOON);
    if (found !== undefined) overrides.use(found, NOON);
    expect(overrides.find(gateOrder(), 'price_collar', NOON)).toBeUndefined();
    expect(overrides.grant('a', 'key-3', NOON)).toMatchObject({ kind: 'refused' });
    expect(overrides.all(NOON)).toMatchObject([{ usedAt: NOON }]);
  });

  it.each([
    [1_000, 999, true],
    [1_000, 1_000, false],
    [OVERRIDE_MS_MAX + 1, OVERRIDE_MS_MAX - 1, true],
    [OVERRIDE_MS_MAX + 1, OVERRIDE_MS_MAX, false],
    [-1, 0, false],
  ])(
    'an override with a lifetime of %d ms is found after %d ms: %s',
    (lifeMs, afterMs, isFound) => {
      const overrides = asked(lifeMs);
      overrides.grant('a', 'key-2', NOON);
      const at = later(NOON, afterMs);
      expect(overrides.find(gateOrder(), 'price_collar', at) !== undefined).toBe(isFound);
      expect(overrides.grant('a', 'key-2', at).kind).toBe(isFound ? 'granted' : 'refused');
    },
  );
});
