// The venue's market-maker protection as values: what is frozen, and what is configured as it is meant to be.

import { expect, test } from 'vitest';
import {
  covers,
  freezeOf,
  inForce,
  isAsSetUp,
  listedFreezes,
  type ProtectionInForce,
  withFreeze,
} from '../../../../src/adapters/deribit/account/protection-state.ts';
import type { Freeze } from '../../../../src/ports/deribit-wire/protection-rows.ts';
import { quantity } from '../../../../src/values/amounts.ts';
import { instant } from '../../../../src/values/instant.ts';

const NOW = instant(1_790_000_000_000);
const BTC = { index: 'btc_usd' };

const freeze = (change: Partial<Freeze> = {}): Freeze => ({
  index: 'btc_usd',
  group: '',
  isForRfqs: false,
  until: instant(NOW + 10_000),
  ...change,
});

test('A freeze lasts until its instant, and one without an instant until a list no longer has it.', () => {
  const freezes = listedFreezes([freeze()], []);
  expect(freezeOf(freezes, BTC, NOW)).toEqual(freeze());
  expect(freezeOf(freezes, BTC, instant(NOW + 10_000))).toBeUndefined();
  const endless = withFreeze(freezes, freeze({ until: instant(0) }));
  expect(freezeOf(endless, BTC, instant(NOW + 10_000))?.until).toBe(0);
  expect(freezeOf(listedFreezes([], []), BTC, NOW)).toBeUndefined();
});

test('Another index, a group of mass quotes and the protection of Block RFQs hold no order back.', () => {
  const others = [
    freeze({ index: 'eth_usd' }),
    freeze({ group: 'one' }),
    freeze({ isForRfqs: true }),
  ];
  const freezes = listedFreezes(others, []);
  expect(freezeOf(freezes, BTC, NOW)).toBeUndefined();
  expect(freezeOf(freezes, { index: 'btc_usd', group: 'one' }, NOW)?.group).toBe('one');
});

test('A notice that comes while the list is requested is not lost to an older answer.', () => {
  const noticed = freeze({ until: instant(NOW + 60_000) });
  const freezes = listedFreezes([freeze()], [noticed]);
  expect(freezeOf(freezes, BTC, instant(NOW + 30_000))).toEqual(noticed);
});

const SETUP = {
  index: 'btc_usd',
  intervalSec: 5,
  frozenTimeSec: 30,
  quantityLimit: quantity('2'),
};
const FOUND: ProtectionInForce = {
  index: 'btc_usd',
  isForRfqs: false,
  intervalSec: 5,
  frozenTimeSec: 30,
  quantityLimit: quantity('2.0'),
  maxQuoteQuantity: quantity('9'),
};

test('A configuration is as meant when its times and limits are equal, whatever cap is not stated.', () => {
  expect(isAsSetUp(SETUP, FOUND)).toBe(true);
  expect(isAsSetUp(SETUP, undefined)).toBe(false);
  const differing: readonly Partial<ProtectionInForce>[] = [
    { intervalSec: 6 },
    { frozenTimeSec: 0 },
    { quantityLimit: quantity('3') },
    { quantityLimit: undefined },
    { deltaLimit: quantity('1') },
    { vegaLimit: quantity('1') },
  ];
  for (const change of differing) expect(isAsSetUp(SETUP, { ...FOUND, ...change })).toBe(false);
  const capped = { ...SETUP, maxQuoteQuantity: quantity('8') };
  expect([isAsSetUp(capped, FOUND), isAsSetUp({ ...capped, ...FOUND }, FOUND)]).toEqual([
    false,
    true,
  ]);
});

test('A limit that the venue keeps beyond the stated ones still protects; a missing one does not.', () => {
  expect(covers(SETUP, { ...FOUND, deltaLimit: quantity('1') })).toBe(true);
  expect(covers({ ...SETUP, vegaLimit: quantity('5') }, FOUND)).toBe(false);
});

test('The configuration of a place is that of its index and group, not that of Block RFQs.', () => {
  const rfqs = { ...FOUND, isForRfqs: true };
  const grouped = { ...FOUND, group: 'one' };
  expect(inForce(SETUP, [rfqs, grouped])).toBeUndefined();
  expect(inForce(SETUP, [rfqs, grouped, FOUND])).toBe(FOUND);
  expect(inForce({ ...SETUP, group: 'one' }, [FOUND, grouped])).toBe(grouped);
});
