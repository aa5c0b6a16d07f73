// Captured answers tell nothing of the account they came from, and stay readable.
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../../src/adapters/deribit/capture/capture-point.ts';
import { sanitised } from '../../../../src/adapters/deribit/capture/sanitise.ts';
import { rawNumber } from '../../../../src/values/text/raw-number.ts';
import { KEPT_FOLDER, keptPoints } from './kept-answers.ts';

const answer = (method: string, value: unknown, params: object = {}): Answer => ({
  method,
  params: { ...params },
  outcome: { kind: 'result', value },
});

const valuesOf = (answers: readonly Answer[]) =>
  sanitised(answers).map(({ outcome }) => (outcome.kind === 'result' ? outcome.value : outcome));

describe('sanitised answers', () => {
  test('ids of the account become the same numbers wherever they are', () => {
    const order = { order_id: 'BTC-77', label: 'desk 9', price: '45000.5', user_id: '4711' };
    const [placed, asked] = sanitised([
      answer(
        'private/buy',
        { order, trades: [{ trade_id: '5', order_id: 'BTC-77' }] },
        { label: 'desk 9' },
      ),
      answer('private/get_order_margin_by_ids', [{ order_id: 'BTC-78' }], {
        ids: ['BTC-78', 'BTC-77'],
      }),
    ]);
    expect(placed?.params).toEqual({ label: 'label-1' });
    expect(placed?.outcome).toEqual({
      kind: 'result',
      value: {
        order: { order_id: 'order_id-1', label: 'label-1', price: '45000.5', user_id: 'user_id-1' },
        trades: [{ trade_id: 'trade_id-1', order_id: 'order_id-1' }],
      },
    });
    expect(asked?.params).toEqual({ ids: ['order_id-2', 'order_id-1'] });
    expect(asked?.outcome).toEqual({ kind: 'result', value: [{ order_id: 'order_id-2' }] });
  });

  test('tokens, names and addresses are left out, also of public answers', () => {
    const own = {
      access_token: 'a',
      email: 'b',
      username: 'c',
      system_name: 'd',
      login_enabled: 'e',
    };
    for (const method of ['public/auth', 'private/get_account_summary']) {
      const [value] = valuesOf([answer(method, { ...own, type: 'main' })]);
      expect(value).toEqual({
        access_token: '…',
        email: '…',
        username: '…',
        system_name: '…',
        login_enabled: '…',
        type: 'main',
      });
    }
  });

  test('ids of the public tape stay, because what is asked next names them', () => {
    const trades = [{ trade_id: '45', trade_seq: '7' }];
    expect(valuesOf([answer('public/get_last_trades_by_currency', { trades })])).toEqual([
      { trades },
    ]);
  });

  test('of a long list both ends are kept, and its length', () => {
    const ticks = Array.from({ length: 5_000 }, (_, at) => String(at));
    const [kept] = sanitised([answer('public/get_tradingview_chart_data', { ticks })]);
    expect(kept?.lengths).toEqual({ ticks: 5_000 });
    expect(kept?.outcome).toEqual({
      kind: 'result',
      value: { ticks: ['0', '1', '2', '3', '4', '4995', '4996', '4997', '4998', '4999'] },
    });
  });

  test('a list of a dozen stays whole, and one of thirteen does not', () => {
    const list = (length: number) => Array.from({ length }, (_, at) => [String(at)]);
    const [twelve, thirteen] = sanitised([
      answer('public/get_historical_volatility', list(12)),
      answer('public/get_historical_volatility', list(13)),
    ]);
    expect(twelve?.lengths).toBeUndefined();
    expect(thirteen?.lengths).toEqual({ '': 13 });
  });

  test('of instruments two of each kind are kept', () => {
    const kinds = ['option', 'future', 'option_combo'].flatMap((kind) =>
      Array.from({ length: 9 }, () => ({ kind })),
    );
    const [value] = valuesOf([answer('public/get_instruments', kinds)]);
    expect(value).toEqual(
      ['option', 'option', 'future', 'future', 'option_combo', 'option_combo'].map((kind) => ({
        kind,
      })),
    );
  });

  test('numbers of a request stay as they were written', () => {
    const [kept] = sanitised([answer('private/buy', {}, { amount: rawNumber('0.00010') })]);
    expect(JSON.stringify(kept?.params)).toBe('{"amount":0.00010}');
  });

  test('what is kept already is not changed by a second time', () => {
    for (const { answers } of keptPoints(KEPT_FOLDER).values()) {
      const again = sanitised(answers).map(({ lengths, ...rest }) => rest);
      expect(again).toEqual(answers.map(({ lengths, ...rest }) => rest));
    }
  });
});
