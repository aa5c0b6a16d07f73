import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isStricter,
  maySend,
  NO_SWITCHES,
  type SwitchSetting,
  stateOf,
  strictestFor,
  type TradingState,
  withSetting,
} from '../../src/core/risk/trading-switch.ts';
import { instant } from '../../src/values/instant.ts';

const STATES: readonly TradingState[] = ['active', 'reducing', 'halted'];
const settings = fc.array(
  fc
    .record({
      name: fc.constantFrom(
        { scope: 'deployment', of: '' } as const,
        { scope: 'account', of: '1' } as const,
        { scope: 'account', of: '2' } as const,
        { scope: 'strategy', of: 'a' } as const,
        { scope: 'portfolio', of: '7' } as const,
      ),
      state: fc.constantFrom(...STATES),
    })
    .map(({ name, state }): SwitchSetting => {
      const by = { uid: 'u', nickname: 'op' };
      return { ...name, state, by, reason: 'why', at: instant(1) };
    }),
  { maxLength: 20, size: 'max' },
);

describe('trading switches', () => {
  test('the strictest switch that applies to an order counts, each with its latest setting', () => {
    fc.assert(
      fc.property(settings, (all) => {
        const switches = all.reduce(withSetting, NO_SWITCHES);
        const last = (scope: string, of: string): TradingState =>
          all.findLast((one) => one.scope === scope && one.of === of)?.state ?? 'active';
        const over = [
          last('deployment', ''),
          last('account', '1'),
          last('strategy', 'a'),
          last('portfolio', '7'),
        ];
        const strictest = over.reduce((a, b) => (isStricter(b, a) ? b : a));
        const found = strictestFor(switches, { account: '1', strategy: 'a', portfolio: '7' });
        expect(found?.state ?? 'active').toBe(strictest);
        expect(stateOf(switches, { scope: 'account', of: '2' })).toBe(last('account', '2'));
        const other = strictestFor(switches, { account: '2' })?.state ?? 'active';
        const ofTwo = [last('deployment', ''), last('account', '2')];
        expect(other).toBe(ofTwo.reduce((a, b) => (isStricter(b, a) ? b : a)));
      }),
    );
  });

  test('a state is stricter than the ones before it, and not than itself', () => {
    const stricter = STATES.map((state) => STATES.filter((than) => isStricter(state, than)));
    expect(stricter).toEqual([[], ['active'], ['active', 'reducing']]);
  });

  test.each([
    ['active', true, true],
    ['reducing', true, false],
    ['halted', false, false],
  ] as const)('the state %s allows reducing orders: %s, others: %s', (state, reducing, others) => {
    expect(maySend(state, { reduceOnly: true })).toBe(reducing);
    expect(maySend(state, { reduceOnly: false })).toBe(others);
  });
});
