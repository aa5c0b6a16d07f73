// The worst price of a residual RFQ, computed here from the legs' reference prices: what is bought adds, what is sold
// subtracts, and the allowance is a share of the sum of both, whatever the sides.
import { describe, expect, test } from 'vitest';
import type { Draft } from '../../../src/core/portfolio/aggregate/draft.ts';
import type {
  ResidualRfqState,
  RfqPart,
} from '../../../src/core/portfolio/aggregate/residual-rfq-state.ts';
import { rfqLimit } from '../../../src/core/portfolio/residual-rfq/residual-rfq-limit.ts';
import type { EndRfq } from '../../../src/core/terms/execution.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { Instrument, Side } from '../../../src/values/instrument.ts';
import { SETTINGS } from '../../support/engine/engine-world.ts';
import { NOON, option, quote } from '../../support/engine/markets.ts';

const CALL = option();
const PUT = option({
  name: instrumentName('BTC-25DEC26-80000-P'),
  option: { strike: price('80000'), type: 'put' },
});

interface Leg {
  readonly of: Instrument;
  readonly side: Side;
  readonly ratio?: string;
  readonly hedgePrice?: string;
}

/** The call is marked at 0.05, the put at 0.02. */
function limit(legs: readonly Leg[], terms: Partial<EndRfq>, ageMs = 0): string | undefined {
  const marks = new Map([
    [CALL, '0.05'],
    [PUT, '0.02'],
  ]);
  const quotes = [...marks].map(([of, mark]) => {
    const shown = quote(of, [undefined, undefined], { mark: price(mark) });
    return [of.name, { ...shown, seenAt: later(NOON, -ageMs) }] as const;
  });
  const parts = legs.map(
    ({ ratio, hedgePrice }, leg): RfqPart => ({
      leg,
      quantity: quantity('1'),
      ...(ratio !== undefined && { ratio: quantity(ratio) }),
      ...(hedgePrice !== undefined && { hedgePrice: price(hedgePrice) }),
    }),
  );
  const draft = {
    state: {
      id: '1',
      spec: { legs: legs.map(({ of, side }) => ({ instrument: of.name, side })) },
      instruments: new Map(legs.map(({ of }) => [of.name, of])),
    },
    inputs: { quotes: new Map(quotes), settings: SETTINGS },
    now: NOON,
  } as unknown as Draft;
  const rfq = { parts } as unknown as ResidualRfqState;
  const found = rfqLimit(draft, rfq, { reference: 'mark', ...terms } as EndRfq);
  return found && text(found);
}

describe('the worst price of a residual RFQ', () => {
  const [buy, sell] = ['buy', 'sell'] as const;
  test.each<[string, readonly Leg[], string]>([
    // 0.05 + 1 % of 0.05.
    ['a bought call', [{ of: CALL, side: buy, ratio: '1' }], '0.0505'],
    // −0.02 + 1 % of 0.02: at least 0.0198 is received.
    ['a sold put', [{ of: PUT, side: sell, ratio: '1' }], '-0.0198'],
    // 0.05 − 0.02 + 1 % of 0.07.
    [
      'a call bought and a put sold',
      [
        { of: CALL, side: buy, ratio: '1' },
        { of: PUT, side: sell, ratio: '1' },
      ],
      '0.0307',
    ],
    // 0.05 − 3 × 0.02 + 1 % of (0.05 + 3 × 0.02).
    [
      'three puts sold for each call',
      [
        { of: CALL, side: buy, ratio: '1' },
        { of: PUT, side: sell, ratio: '3' },
      ],
      '-0.0089',
    ],
    // −2 × 0.05 + 0.02 + 1 % of (2 × 0.05 + 0.02).
    [
      'two calls sold for each put',
      [
        { of: CALL, side: sell, ratio: '2' },
        { of: PUT, side: buy, ratio: '1' },
      ],
      '-0.0788',
    ],
    // The hedge has a price of its own, which does not count.
    [
      'a put bought with a hedge',
      [
        { of: PUT, side: buy, ratio: '1' },
        { of: CALL, side: sell, hedgePrice: '0.05' },
      ],
      '0.0202',
    ],
  ])('1 percent: %s', (_what, legs, expected) => {
    expect(limit(legs, { limitBps: 100 })).toBe(expected);
  });

  test.each([
    [buy, '0.04', '0.04'],
    [sell, '0.04', '-0.04'],
  ])('a limit price of a %s at %s is %s for the buyer of the structure', (side, at, expected) => {
    const terms = { limitPrice: price(at), limitBps: 100 };
    expect(limit([{ of: PUT, side, ratio: '1' }], terms)).toBe(expected);
  });

  test('there is none without a bound, and while a reference is older than it may be', () => {
    const legs = [{ of: CALL, side: buy, ratio: '1' }];
    const oldest = SETTINGS.quoteAgeMaxMs;
    expect(limit(legs, {})).toBeUndefined();
    expect(limit(legs, { limitBps: 100 }, oldest)).toBe('0.0505');
    expect(limit(legs, { limitBps: 100 }, oldest + 1)).toBeUndefined();
  });
});
