// What a row says of its state while trading switches hold something back.
import { expect, test } from 'vitest';
import type { SwitchRecord } from '../../../src/gateway/client/client.ts';
import type { BlotterRow } from '../../../src/page/model/blotter-row.ts';
import { heldBy, standingOf } from '../../../src/page/model/standing.ts';

const OF = { accountId: '10001', strategy: 'basis', id: '7' };

const set = (
  scope: SwitchRecord['scope'],
  of: string,
  state: SwitchRecord['state'],
): SwitchRecord => ({
  scope,
  of,
  state,
  timestamp: '1795000000000',
  uid: '7001',
  nickname: 'alice',
  reason: `drill of ${scope}`,
});

const row = (state: BlotterRow['state'], why = ''): BlotterRow =>
  ({ ...OF, state, why }) as BlotterRow;

test.each<[string, readonly SwitchRecord[], string | undefined]>([
  ['nothing is set', [], undefined],
  ['all are active', [set('deployment', '', 'active')], undefined],
  ['the deployment is halted', [set('deployment', '', 'halted')], 'held: deployment halted'],
  [
    'its account is reducing',
    [set('account', '10001', 'reducing')],
    'held: account 10001 reducing',
  ],
  ['its strategy is halted', [set('strategy', 'basis', 'halted')], 'held: strategy basis halted'],
  ['it is halted itself', [set('portfolio', '7', 'halted')], 'held: portfolio 7 halted'],
  [
    'others are halted',
    [
      set('account', '10002', 'halted'),
      set('strategy', '10001', 'halted'),
      set('portfolio', '8', 'halted'),
    ],
    undefined,
  ],
  [
    'a narrower switch is stricter',
    [set('deployment', '', 'reducing'), set('portfolio', '7', 'halted')],
    'held: portfolio 7 halted',
  ],
  [
    'two are equally strict',
    [set('account', '10001', 'halted'), set('deployment', '', 'halted')],
    'held: deployment halted',
  ],
])('while %s, the row of a portfolio at work says so', (_case, switches, text) => {
  expect(heldBy(switches, OF)?.text).toBe(text);
  for (const state of ['active', 'waiting'] as const) {
    expect(standingOf(row(state), switches).text).toBe(text ?? state);
  }
});

test('who holds it back and why is named, by the id of a person without a nickname', () => {
  const halt = set('deployment', '', 'halted');
  expect(standingOf(row('waiting', 'the spread is too wide'), [halt]).why).toBe(
    'by alice: drill of deployment',
  );
  expect(heldBy([{ ...halt, nickname: '' }], OF)?.why).toBe('by 7001: drill of deployment');
});

test('what would not trade anyway keeps its own state', () => {
  const halt = set('deployment', '', 'halted');
  for (const state of ['paused', 'cancelling', 'filled', 'cancelled'] as const) {
    expect(standingOf(row(state, 'because'), [halt])).toEqual({
      kind: state,
      text: state,
      why: 'because',
    });
  }
});

test('a portfolio without a strategy is not held by the switch of one without a name', () => {
  expect(heldBy([set('strategy', '', 'halted')], { ...OF, strategy: '' })).toBeUndefined();
});
