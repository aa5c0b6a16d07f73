// Children that never rest, where orders of their own account rest in the book: they take what is offered in front of
// them, and meet none (PT-14).
import { expect, test } from 'vitest';
import type { WorkingOrder } from '../../../src/core/risk/gate/gate-order.ts';
import { money, price, quantity, ratio, text, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import { instant } from '../../../src/values/instant.ts';
import type { Side } from '../../../src/values/instrument.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { form, legForm } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const DAY = Math.floor(Number(instant(NOON)) / 86_400_000);

interface Own {
  readonly at: string;
  readonly change?: Partial<WorkingOrder>;
}

function resting(side: Side, own: readonly Own[]): WorkingOrder[] {
  return own.map(({ at, change }, nth) => ({
    key: `order ${nth}`,
    instrument: PERP.name,
    side,
    rest: quantity('500'),
    price: price(at),
    usd: money('500'),
    isInBook: true,
    reduceOnly: false,
    ...change,
  }));
}

/** One slice at market within 20 % of the touch; bid 99,999.5, ask 100,000, a tick of 0.5. */
function worked(side: Side, own: readonly Own[], selfMatch = true): CoreWork {
  const opposite = side === 'buy' ? 'sell' : 'buy';
  const none = { working: ZERO_QUANTITY, nearest: [] };
  const sides = { buy: none, sell: none, [opposite]: { ...none, nearest: resting(opposite, own) } };
  const made = new CoreWork(
    form({
      twapTrade: { durationSec: 10, frequencySec: 10 },
      legs: [legForm({ quantity: quantity('1000'), side })],
      execution: { collar: ratio('0.2') },
    }),
    [PERP],
  );
  made.show(quote(PERP, [99_999.5, 100_000]));
  const account = {
    day: DAY,
    workingUsd: money('0'),
    tradedUsd: money('0'),
    markets: new Map([[PERP.name as string, { position: ZERO_QUANTITY, isOfDay: false, sides }]]),
    own: [],
  };
  made.desk.given = {
    gate: { limits: { version: 'none', selfMatch }, overrides: [], unrest: new Map(), account },
  };
  made.until(2_000);
  return made;
}

const prices = ({ placed }: CoreWork): string[] => placed.map((order) => text(order.price));

test.each<[what: string, side: Side, own: readonly Own[], price: string]>([
  ['no own order', 'buy', [], '120000'],
  ['no own order', 'sell', [], '80000'],
  ['one beyond its reach', 'buy', [{ at: '130000' }], '120000'],
  ['one behind the touch', 'buy', [{ at: '100200' }], '100199.5'],
  ['one behind the touch', 'sell', [{ at: '99900' }], '99900.5'],
  ['two, of which the nearer counts', 'buy', [{ at: '100200' }, { at: '100100' }], '100099.5'],
  ['two, of which the nearer counts', 'sell', [{ at: '99950' }, { at: '99900' }], '99950.5'],
  ['one a tick behind the touch', 'buy', [{ at: '100000.5' }], '100000'],
  ['one a tick behind the touch', 'sell', [{ at: '99999' }], '99999.5'],
  ['one that never rests', 'buy', [{ at: '100100', change: { isImmediate: true } }], '120000'],
  [
    'one that waits for its trigger',
    'buy',
    [{ at: '100100', change: { isInBook: false } }],
    '120000',
  ],
])(
  'with %s, a child that %ss at market stops short of what it must not meet',
  (_what, side, own, at) => {
    const made = worked(side, own);
    expect(prices(made)).toEqual([at]);
    expect(made.filled()).toBe('1000');
  },
);

test.each<[Side, string]>([
  ['buy', '100000'],
  ['sell', '99999.5'],
])('with an own order at the touch, a child that %ss waits, and states why', (side, at) => {
  const made = worked(side, [{ at }, { at: side === 'buy' ? '100100' : '99900' }]);
  expect(made.placed).toEqual([]);
  expect(made.events('slice_waiting')[0]).toMatchObject({ reason: 'risk_limit' });
  expect(made.events('slice_waiting')[0]?.why).toMatch(
    new RegExp(`^self_match: would meet the account's own order to \\w+ at ${at}`),
  );
});

test('where own orders may meet, a child at market keeps its price', () => {
  expect(prices(worked('buy', [{ at: '100200' }], false))).toEqual(['120000']);
});
