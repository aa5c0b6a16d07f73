// Open points of the venue: the answers that are kept agree with what the adapter assumes, and answers that do not are
// noticed. Each altered answer was invented for its row.
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Answer, Verdict } from '../../../../src/adapters/deribit/capture/capture-point.ts';
import {
  CAPTURE_POINTS,
  POINTS_LEFT,
} from '../../../../src/adapters/deribit/capture/open-points.ts';
import { sanitised } from '../../../../src/adapters/deribit/capture/sanitise.ts';
import { must } from '../../../../src/values/assert.ts';
import { btcPerpetual } from '../../../exchange/instruments.ts';
import { NOON } from '../../../support/engine/markets.ts';
import { KEPT_FOLDER, keptPoints } from './kept-answers.ts';

/** Points with which an empty list, or an answer at all, agrees. */
const EMPTY_AGREES = new Set(['steps', 'bump listing']);

const kept = keptPoints(KEPT_FOLDER);
const pointNamed = (name: string) =>
  must(
    CAPTURE_POINTS.find((one) => one.name === name),
    `a point ${name}`,
  );

describe('the answers that are kept', () => {
  test('there are some for every point that is asked', () => {
    const names = [...kept.values()].map(({ point }) => point.name);
    expect(names.sort()).toEqual(CAPTURE_POINTS.map(({ name }) => name).sort());
  });

  test.each([...kept.values()])('$point.name: no answer differs from what is assumed', (one) => {
    expect(one.verdict.kind, one.verdict.seen).not.toBe('differs');
  });

  test('most of them decide their point', () => {
    const undecided = [...kept.values()].filter(({ verdict }) => verdict.kind === 'undecided');
    // The paper exchange lists no combo, and its past is shorter than a thousand hours.
    expect(undecided.map(({ point }) => point.name).sort()).toEqual(['combos', 'index bars']);
  });

  test('every point names a file that exists, and fits into a table', () => {
    for (const { name, reliesOn } of [...CAPTURE_POINTS, ...POINTS_LEFT]) {
      expect(existsSync(reliesOn), reliesOn).toBe(true);
      expect(name.length, name).toBeLessThanOrEqual(13);
    }
  });
});

const result = (method: string, value: unknown, params: object = {}): Answer => ({
  method,
  params: { ...params },
  outcome: { kind: 'result', value },
});
const error = (method: string, code: number, message: string, params: object = {}): Answer => ({
  method,
  params: { ...params },
  outcome: { kind: 'error', code, message },
});

const LIST = 'public/get_instruments';
const TAPE = 'public/get_last_trades_by_instrument';
const CHART = 'public/get_tradingview_chart_data';
const FUNDING = 'public/get_funding_rate_history';
const SUBSCRIBE = 'public/subscribe';
const MARGINS = 'private/get_order_margin_by_ids';
const PROTECTION = 'private/set_mmp_config';
const BUY = 'private/buy';
const EDIT = 'private/edit_by_label';
const CANCEL = 'private/cancel_by_label';
const OPEN = 'private/get_open_orders_by_instrument';

const HOUR = 3_600_000;
const hours = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ timestamp: String((from + at) * HOUR) }));
const span = (from: number, until: number, step = HOUR) => ({
  start_timestamp: from * step,
  end_timestamp: until * step,
});
const ticks = (...minutes: readonly number[]) => ({
  ticks: minutes.map((minute) => String(minute * 60_000)),
});
const margins = (...ids: readonly string[]) => ids.map((id) => ({ order_id: id }));
const bought = (state: string, filled = '0') =>
  result(BUY, { order: { order_state: state, filled_amount: filled } }, { label: 'ours' });
const ids = { ids: ['open', 'closed'] };
const group = { mmp_group: 'ours' };

interface Row {
  readonly point: string;
  readonly what: string;
  readonly answers: readonly Answer[];
  readonly kind: Verdict['kind'];
}

const row = (
  point: string,
  what: string,
  kind: Verdict['kind'],
  ...answers: readonly Answer[]
): Row => ({
  point,
  what,
  kind,
  answers,
});

const KINDS = (...kinds: readonly string[]) =>
  kinds.map((kind) => ({ kind, instrument_name: kind }));

const ROWS: readonly Row[] = [
  row('combos', 'listed without a kind', 'agrees', result(LIST, KINDS('future', 'option_combo'))),
  row(
    'combos',
    'listed by their kind only',
    'differs',
    result(LIST, KINDS('future')),
    result(LIST, []),
    result(LIST, KINDS('option_combo')),
  ),
  row(
    'combos',
    'none anywhere',
    'undecided',
    result(LIST, KINDS('future')),
    result(LIST, []),
    result(LIST, []),
  ),
  row(
    'steps',
    'one states no step',
    'undecided',
    result(LIST, [{ instrument_name: 'A', price_index: 'btc_usd' }]),
  ),
  row(
    'tape sequence',
    'both ends',
    'agrees',
    result(TAPE, {}),
    result(
      TAPE,
      { trades: [{ trade_seq: '4' }, { trade_seq: '6' }] },
      { start_seq: 4, end_seq: 6 },
    ),
  ),
  row(
    'tape sequence',
    'without its first',
    'differs',
    result(TAPE, {}),
    result(
      TAPE,
      { trades: [{ trade_seq: '5' }, { trade_seq: '6' }] },
      { start_seq: 4, end_seq: 6 },
    ),
  ),
  row(
    'tape sequence',
    'without its last',
    'differs',
    result(TAPE, {}),
    result(
      TAPE,
      { trades: [{ trade_seq: '4' }, { trade_seq: '5' }] },
      { start_seq: 4, end_seq: 6 },
    ),
  ),
  row(
    'tape sequence',
    'one trade alone',
    'undecided',
    result(TAPE, {}),
    result(TAPE, { trades: [{ trade_seq: '4' }] }, { start_seq: 4, end_seq: 4 }),
  ),
  row('tape sequence', 'no trade', 'undecided', result(TAPE, { trades: [] })),
  row(
    'chart end',
    'the last minute is there',
    'agrees',
    result(CHART, ticks(8, 9, 10), span(5, 10, 60_000)),
  ),
  row(
    'chart end',
    'the last minute is missing',
    'differs',
    result(CHART, ticks(8, 9), span(5, 10, 60_000)),
  ),
  row('chart end', 'no candle', 'undecided', result(CHART, ticks(), span(5, 10, 60_000))),
  row('chart end', 'a chart without ticks', 'differs', result(CHART, {}, span(5, 10, 60_000))),
  row('funding hours', 'every hour', 'agrees', result(FUNDING, hours(100, 744), span(100, 843))),
  row(
    'funding hours',
    'cut at its end',
    'differs',
    result(FUNDING, hours(100, 500), span(100, 843)),
  ),
  row(
    'funding hours',
    'a shorter past',
    'undecided',
    result(FUNDING, hours(600, 244), span(100, 843)),
  ),
  row(
    'index bars',
    'bars without a list',
    'differs',
    result('public/get_volatility_index_data', { data: [{ time: '1' }] }),
  ),
  row(
    'volatility',
    'objects',
    'differs',
    result('public/get_historical_volatility', [{ timestamp: '1', value: '2' }]),
  ),
  row('volatility', 'an empty list', 'undecided', result('public/get_historical_volatility', [])),
  row(
    'locks',
    'a flag',
    'agrees',
    result('public/status', { locked: true, locked_indices: ['btc_usd', 'SOL'] }),
  ),
  row('locks', 'another text', 'differs', result('public/status', { locked: 'maintenance' })),
  row(
    'locks',
    'an index in other words',
    'differs',
    result('public/status', { locked: 'partial', locked_indices: ['BTC/USD'] }),
  ),
  row(
    'channel twice',
    'a refusal',
    'differs',
    result(SUBSCRIBE, ['a']),
    error(SUBSCRIBE, 11_050, 'bad_request'),
  ),
  row(
    'channel twice',
    'not named again',
    'differs',
    result(SUBSCRIBE, ['a']),
    result(SUBSCRIBE, []),
  ),
  row('channel wrong', 'refused as a whole', 'agrees', error(SUBSCRIBE, -32_602, 'Invalid params')),
  row('channel wrong', 'both are named', 'differs', result(SUBSCRIBE, ['a', 'b'])),
  row(
    'price band',
    'a bound of 0',
    'undecided',
    result('private/get_margins', { min_price: '0', max_price: '10' }),
  ),
  row(
    'unknown RFQ',
    'refused as not found',
    'agrees',
    error('private/get_block_rfqs', 13_020, 'not_found'),
  ),
  row(
    'unknown RFQ',
    'an error that proves nothing',
    'differs',
    error('private/get_block_rfqs', 10_001, 'error'),
  ),
  row(
    'unknown RFQ',
    'a key without the right',
    'undecided',
    error('private/get_block_rfqs', 13_021, 'forbidden'),
  ),
  row(
    'unknown RFQ',
    'a list with one',
    'differs',
    result('private/get_block_rfqs', { block_rfqs: [{}] }),
  ),
  row('closed margin', 'that of the open one', 'agrees', result(MARGINS, margins('open'), ids)),
  row(
    'closed margin',
    'that of the closed one',
    'differs',
    result(MARGINS, margins('closed'), ids),
  ),
  row('closed margin', 'both', 'differs', result(MARGINS, margins('open', 'closed'), ids)),
  row('closed margin', 'not found', 'agrees', error(MARGINS, 10_004, 'order_not_found', ids)),
  row(
    'closed margin',
    'refused for another reason',
    'differs',
    error(MARGINS, -32_602, 'Invalid params', ids),
  ),
  row('MMP required', 'accepted without it', 'differs', result(PROTECTION, [{}])),
  row(
    'MMP required',
    'a key without the right',
    'undecided',
    error(PROTECTION, 13_021, 'forbidden'),
  ),
  row(
    'MMP omitted',
    'kept',
    'agrees',
    result(PROTECTION, [], group),
    result(PROTECTION, [{ ...group, delta_limit: '1' }]),
  ),
  row(
    'MMP omitted',
    'the group is not named',
    'differs',
    result(PROTECTION, [], group),
    result(PROTECTION, [{ mmp_group: 'other' }]),
  ),
  row(
    'bump edit',
    'refused in the words assumed',
    'agrees',
    error(EDIT, 11_030, 'other_reject speed_bumped'),
  ),
  row('bump edit', 'refused in other words', 'differs', error(EDIT, 11_888, 'order_in_bump')),
  row('bump edit', 'the order was over', 'undecided', error(EDIT, 11_044, 'not_open_order')),
  row('bump edit', 'accepted', 'undecided', result(EDIT, {})),
  row('bump cancel', 'filled all the same', 'agrees', bought('filled', '10'), result(CANCEL, '1')),
  row('bump cancel', 'cancelled', 'agrees', bought('cancelled'), result(CANCEL, '1')),
  row('bump cancel', 'it rests', 'differs', bought('open'), result(CANCEL, '1')),
  row('bump cancel', 'no order was found', 'undecided', bought('open'), result(CANCEL, '0')),
  row(
    'bump listing',
    'left out',
    'agrees',
    bought('filled'),
    result(OPEN, [{ label: 'other', order_state: 'open' }]),
  ),
  row(
    'bump listing',
    'shown as waiting',
    'agrees',
    bought('filled'),
    result(OPEN, [{ label: 'ours', order_state: 'speed_bumped' }]),
  ),
  row(
    'bump listing',
    'shown as open',
    'undecided',
    bought('filled'),
    result(OPEN, [{ label: 'ours', order_state: 'open' }]),
  ),
];

describe('the verdict', () => {
  test.each(ROWS)('$point, $what: $kind', ({ point, answers, kind }) => {
    expect(pointNamed(point).judge(answers).kind).toBe(kind);
  });

  test('no point is decided without an answer', () => {
    for (const point of CAPTURE_POINTS)
      expect([point.name, point.judge([]).kind]).toEqual([point.name, 'undecided']);
  });

  test('no point agrees when its first question is not answered', () => {
    for (const { point, answers } of kept.values()) {
      const [first, ...rest] = answers;
      if (first === undefined) continue;
      const unanswered: Answer = { ...first, outcome: { kind: 'unknown', reason: 'no answer' } };
      const only = rest.filter(({ method }) => method === first.method);
      if (only.length > 0) continue;
      expect([point.name, point.judge([unanswered]).kind]).toEqual([point.name, 'undecided']);
    }
  });
});

describe('answers of any shape', () => {
  const SHAPES: readonly unknown[] = [
    null,
    'text',
    '7',
    [],
    [null],
    ['x', 7],
    {},
    { order: null, trades: null, ticks: null, data: null, block_rfqs: null },
    { order: { order_id: null }, trades: [null, {}], ticks: [null], data: [null] },
    { order: {}, trades: [{ trade_seq: {}, trade_id: [] }], ticks: ['soon'], data: [['soon']] },
  ];

  test.each(SHAPES.map((shape) => [JSON.stringify(shape), shape] as const))(
    '%s ends no capture, and agrees with no point that looks into it',
    async (_, shape) => {
      for (const point of CAPTURE_POINTS) {
        const answers: Answer[] = [];
        await point.capture({
          now: NOON,
          perpetual: btcPerpetual,
          bumped: btcPerpetual,
          label: 'ours',
          buyParams: ({ instrument }) => ({ instrument_name: instrument.name, label: 'ours' }),
          request: (method, params) => {
            const outcome = { kind: 'result', value: shape } as const;
            answers.push({ method, params, outcome });
            return Promise.resolve(outcome);
          },
        });
        expect(answers.length, point.name).toBeGreaterThan(0);
        const { kind } = point.judge(sanitised(answers));
        if (!EMPTY_AGREES.has(point.name)) expect([point.name, kind]).not.toContain('agrees');
      }
    },
  );
});
