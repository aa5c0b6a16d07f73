// Open points about public data: lists of instruments, the tape, the past, channels and the state of the platform.

import type { Fields } from '../../../ports/deribit-wire/message-fields.ts';
import { HOUR_MS, type Instant, instant, isoText, MINUTE_MS } from '../../../values/instant.ts';
import { CANDLES_MAX, FUNDING_HOURS_MAX, VOLATILITY_BARS_MAX } from '../market/deribit-history.ts';
import { whyFailed } from '../outcome.ts';
import type { Answer, CapturePoint, Verdict } from './capture-point.ts';
import {
  agrees,
  answersTo,
  differs,
  lengthAt,
  listIn,
  ofResult,
  textIn,
  undecided,
} from './judging.ts';

const LIST = 'public/get_instruments';
const TAPE = 'public/get_last_trades_by_instrument';
const CURRENCY_TAPE = 'public/get_last_trades_by_currency';
const CHART = 'public/get_tradingview_chart_data';
const FUNDING = 'public/get_funding_rate_history';
const INDEX_BARS = 'public/get_volatility_index_data';
const REALISED = 'public/get_historical_volatility';
const STATUS = 'public/status';
const SUBSCRIBE = 'public/subscribe';
const UNSUBSCRIBE = 'public/unsubscribe';

const TAPE_COUNT = 5;
/** The latest minute may still change. */
const SETTLED_MINUTES = 2;
const CHART_MINUTES = 5;
const HOUR_RESOLUTION = '3600';

const wholeBefore = (at: Instant, stepMs: number): number => Math.floor(at / stepMs) * stepMs;
const isoOf = (at: number): string => isoText(instant(at));

const combos: CapturePoint = {
  name: 'combos',
  assumed: 'The list of instruments without a kind has the combos too.',
  reliesOn: 'src/adapters/deribit/market/instrument-catalogue.ts',
  needs: 'reads',
  async capture({ request, perpetual }) {
    const currency = perpetual.base;
    await request(LIST, { currency });
    await request(LIST, { currency, kind: 'future_combo' });
    await request(LIST, { currency, kind: 'option_combo' });
  },
  judge(answers) {
    const [all, ...ofKind] = answersTo(answers, LIST);
    return ofResult(all, (list) => {
      const kinds = new Set(list.each('result').map((one) => one.text('kind')));
      const seen = `kinds listed without a filter: ${[...kinds].join(', ')}`;
      if ([...kinds].some((kind) => kind.endsWith('combo'))) return agrees(seen);
      const hasSome = ofKind.some(
        ({ outcome: { kind, ...of } }) =>
          kind === 'result' && 'value' in of && Array.isArray(of.value) && of.value.length > 0,
      );
      return hasSome
        ? differs(`${seen}; combos are listed by their kind`)
        : undecided(`${seen}; no combo is listed`);
    });
  },
};

const STEP_FIELDS = ['qty_tick_size', 'price_index'] as const;

const steps: CapturePoint = {
  name: 'steps',
  assumed:
    'Each instrument states `qty_tick_size` and `price_index`; what lacks them is read by the smallest amount and by base and quote.',
  reliesOn: 'src/ports/deribit-wire/wire-instrument-rows.ts',
  needs: 'reads',
  async capture({ request, perpetual }) {
    await request(LIST, { currency: perpetual.base });
  },
  judge: ([list]) =>
    ofResult(list, (of) => {
      const lacking = of
        .each('result')
        .filter((one) => STEP_FIELDS.some((field) => !one.has(field)))
        .map((one) => one.text('instrument_name'));
      return lacking.length === 0
        ? agrees('both are stated')
        : undecided(
            `not stated by ${lacking.join(', ')}: compare their trades with the smallest amount`,
          );
    }),
};

/** Requests the latest trades, and those between the ends of the answer. */
const tapePoint = ({
  name,
  method,
  what,
  isCurrency,
}: {
  readonly name: string;
  readonly method: string;
  readonly what: 'seq' | 'id';
  readonly isCurrency: boolean;
}): CapturePoint => ({
  name,
  assumed: `A page of the tape from \`start_${what}\` to \`end_${what}\` has both trades.`,
  reliesOn: 'src/adapters/deribit/market/tape-queries.ts',
  needs: 'reads',
  async capture({ request, perpetual }) {
    const of = isCurrency
      ? { currency: perpetual.settlement, kind: 'future' }
      : { instrument_name: perpetual.name };
    const latest = await request(method, { ...of, count: TAPE_COUNT, sorting: 'desc' });
    if (latest.kind !== 'result') return;
    const marks = marksIn(latest.value, `trade_${what}`);
    const [newest, oldest] = [marks.at(0), marks.at(-1)];
    if (newest === undefined || oldest === undefined) return;
    const span = {
      [`start_${what}`]: markOf(what, oldest),
      [`end_${what}`]: markOf(what, newest),
    };
    await request(method, { ...of, ...span, count: TAPE_COUNT, sorting: 'asc' });
  },
  judge(answers) {
    const [latest, between] = answersTo(answers, method);
    if (latest !== undefined && between === undefined)
      return undecided('nothing was traded lately');
    return ofResult(between, (of) => {
      const found = new Set(
        of
          .in('result')
          .each('trades')
          .map((one) => one.text(`trade_${what}`)),
      );
      const ends = [`start_${what}`, `end_${what}`].map((end) => String(between?.params[end]));
      if (ends[0] === ends[1]) return undecided('only one trade was there');
      const missing = ends.filter((end) => !found.has(end));
      return missing.length === 0
        ? agrees('both ends are in the page')
        : differs(`the page from ${ends.join(' to ')} lacks ${missing.join(' and ')}`);
    });
  },
});

const markOf = (what: 'seq' | 'id', mark: string): string | number =>
  what === 'seq' ? Number(mark) : mark;
/** Of each trade of a page. */
const marksIn = (page: unknown, member: string): readonly string[] =>
  listIn(page, 'trades').flatMap((trade) => textIn(trade, member) ?? []);

interface Row {
  readonly from: number;
  readonly until: number;
  readonly stepMs: number;
  /** Its first and its last time. */
  readonly times: readonly number[];
  readonly count: number;
}

/** A list with a row for each step of a span: whether it is complete, and where it was cut. */
function completeness({ from, until, stepMs, times, count }: Row): Verdict {
  if (times.some(Number.isNaN)) return differs('a row does not begin with its time');
  const [first, last] = [times.at(0), times.at(-1)];
  if (first === undefined || last === undefined) return undecided('no row');
  const wanted = (until - from) / stepMs + 1;
  const seen = `${count} rows of ${wanted}, from ${isoOf(first)} to ${isoOf(last)}`;
  if (last < until - stepMs) return differs(`${seen}: the end is missing`);
  if (count >= wanted - 1) return agrees(seen);
  return first > from + stepMs
    ? undecided(`${seen}: the past is shorter, or its beginning was cut`)
    : undecided(`${seen}: rows are missing between`);
}

const spanIn = ({ params }: Answer): { readonly from: number; readonly until: number } => ({
  from: Number(params['start_timestamp']),
  until: Number(params['end_timestamp']),
});

const ticksIn = (of: Fields): readonly number[] => of.in('result').list('ticks').map(Number);

const chartEnd: CapturePoint = {
  name: 'chart end',
  assumed:
    'The last instant of a span is part of it: a candle that begins at `end_timestamp` is answered.',
  reliesOn: 'src/adapters/deribit/market/deribit-history.ts',
  needs: 'reads',
  async capture({ request, perpetual, now }) {
    const end = wholeBefore(now, MINUTE_MS) - SETTLED_MINUTES * MINUTE_MS;
    await request(CHART, chartParams(perpetual.name, end - CHART_MINUTES * MINUTE_MS, end));
  },
  judge: ([chart]) =>
    ofResult(chart, (of) => {
      const last = ticksIn(of).at(-1);
      if (last === undefined) return undecided('no candle');
      if (Number.isNaN(last)) return differs('a tick is no time');
      const { until } = spanIn(chart as Answer);
      const seen = `requested until ${isoOf(until)}, the last candle is that of ${isoOf(last)}`;
      return last === until ? agrees(seen) : differs(seen);
    }),
};

const chartParams = (name: string, from: number, until: number) => ({
  instrument_name: name,
  start_timestamp: instant(from),
  end_timestamp: instant(until),
  resolution: '1',
});

const chartLength: CapturePoint = {
  name: 'chart length',
  assumed: `A chart answers ${CANDLES_MAX} candles at once.`,
  reliesOn: 'src/adapters/deribit/market/deribit-history.ts',
  needs: 'reads',
  async capture({ request, perpetual, now }) {
    const end = wholeBefore(now, MINUTE_MS) - SETTLED_MINUTES * MINUTE_MS;
    await request(CHART, chartParams(perpetual.name, end - (CANDLES_MAX - 1) * MINUTE_MS, end));
  },
  judge: ([chart]) =>
    ofResult(chart, (of) => {
      const times = ticksIn(of);
      const count = lengthAt(chart as Answer, 'ticks', times);
      return completeness({ ...spanIn(chart as Answer), stepMs: MINUTE_MS, times, count });
    }),
};

const fundingLength: CapturePoint = {
  name: 'funding hours',
  assumed: `The history of funding answers ${FUNDING_HOURS_MAX} hours at once.`,
  reliesOn: 'src/adapters/deribit/market/deribit-history.ts',
  needs: 'reads',
  async capture({ request, perpetual, now }) {
    const end = wholeBefore(now, HOUR_MS);
    await request(FUNDING, {
      instrument_name: perpetual.name,
      start_timestamp: instant(end - (FUNDING_HOURS_MAX - 1) * HOUR_MS),
      end_timestamp: instant(end),
    });
  },
  judge: ([hours]) =>
    ofResult(hours, (of) => {
      const times = of.each('result').map((one) => Number(one.instant('timestamp')));
      const count = lengthAt(hours as Answer, '', times);
      return completeness({
        ...spanIn(hours as Answer),
        stepMs: HOUR_MS,
        times: times.toSorted((a, b) => a - b),
        count,
      });
    }),
};

const indexBars: CapturePoint = {
  name: 'index bars',
  assumed: `The volatility index answers ${VOLATILITY_BARS_MAX} bars at once.`,
  reliesOn: 'src/adapters/deribit/market/deribit-history.ts',
  needs: 'reads',
  async capture({ request, perpetual, now }) {
    const end = wholeBefore(now, HOUR_MS) - HOUR_MS;
    await request(INDEX_BARS, {
      currency: perpetual.base,
      start_timestamp: instant(end - (VOLATILITY_BARS_MAX - 1) * HOUR_MS),
      end_timestamp: instant(end),
      resolution: HOUR_RESOLUTION,
    });
  },
  judge: ([bars]) =>
    ofResult(bars, (of) => {
      const rows = of.in('result').list('data');
      const times = rows.map((row) => Number(Array.isArray(row) ? row[0] : Number.NaN));
      const count = lengthAt(bars as Answer, 'data', rows);
      return completeness({ ...spanIn(bars as Answer), stepMs: HOUR_MS, times, count });
    }),
};

const realised: CapturePoint = {
  name: 'volatility',
  assumed: 'The history of volatility is a list of pairs of time and value.',
  reliesOn: 'src/adapters/deribit/market/deribit-history.ts',
  needs: 'reads',
  async capture({ request, perpetual }) {
    await request(REALISED, { currency: perpetual.base });
  },
  judge: ([history]) =>
    ofResult(history, (of) => {
      const rows = of.list('result');
      if (rows.length === 0) return undecided('an empty list');
      const isPairs = rows.every((row) => Array.isArray(row) && row.length === 2);
      return isPairs ? agrees('pairs') : differs(`${JSON.stringify(rows[0])}, not a pair`);
    }),
};

const INDEX_WORD = /^[a-z0-9]+(_[a-z0-9]+)?$/i;

const locks: CapturePoint = {
  name: 'locks',
  assumed:
    '`locked` is a flag or one of the texts `true`, `partial`, `false`; locked indices are named like `btc_usd`, or by their coin.',
  reliesOn: 'src/adapters/deribit/market/platform-state.ts',
  needs: 'reads',
  async capture({ request }) {
    await request(STATUS, {});
  },
  judge: ([status]) =>
    ofResult(status, (of) => {
      const locked = of.in('result').raw('locked');
      const indices = of.in('result').textsIf('locked_indices') ?? [];
      const seen = `locked is ${JSON.stringify(locked)}, indices: ${indices.join(', ') || 'none'}`;
      const isKnown = [true, false, 'true', 'partial', 'false'].some((one) => one === locked);
      return isKnown && indices.every((one) => INDEX_WORD.test(one)) ? agrees(seen) : differs(seen);
    }),
};

/** One that the adapter does not use: it shares the connection. */
const channelOf = (name: string): string => `quote.${name}`;

const channelTwice: CapturePoint = {
  name: 'channel twice',
  assumed: 'A channel may be subscribed to again, and is named in the answer.',
  reliesOn: 'src/adapters/deribit/market/public-channels.ts',
  needs: 'reads',
  async capture({ request, perpetual }) {
    const channels = [channelOf(perpetual.name)];
    await request(SUBSCRIBE, { channels });
    await request(SUBSCRIBE, { channels });
    await request(UNSUBSCRIBE, { channels });
  },
  judge(answers) {
    const [, again] = answersTo(answers, SUBSCRIBE);
    if (again?.outcome.kind === 'error') return differs(`refused: ${whyFailed(again.outcome)}`);
    return ofResult(again, (of) => {
      const named = of.textsIf('result') ?? [];
      return named.length === 1
        ? agrees(`answered with ${named[0]}`)
        : differs(`answered with ${named.length} channels`);
    });
  },
};

const channelWrong: CapturePoint = {
  name: 'channel wrong',
  assumed:
    'Of a call with an unknown channel either the whole is refused, or the answer names the known ones only.',
  reliesOn: 'src/adapters/deribit/market/public-channels.ts',
  needs: 'reads',
  async capture({ request, perpetual }) {
    const known = channelOf(perpetual.name);
    await request(SUBSCRIBE, { channels: [known, channelOf('NO-SUCH-INSTRUMENT')] });
    await request(UNSUBSCRIBE, { channels: [known] });
  },
  judge(answers) {
    const [answer] = answersTo(answers, SUBSCRIBE);
    if (answer?.outcome.kind === 'error')
      return agrees(`the whole is refused: ${whyFailed(answer.outcome)}`);
    return ofResult(answer, (of) => {
      const named = of.textsIf('result') ?? [];
      return named.length === 1
        ? agrees(`the answer names ${named[0]} only`)
        : differs(`the answer names ${named.join(', ') || 'none'}`);
    });
  },
};

export const PUBLIC_DATA_POINTS: readonly CapturePoint[] = [
  combos,
  steps,
  tapePoint({ name: 'tape sequence', method: TAPE, what: 'seq', isCurrency: false }),
  tapePoint({ name: 'tape ids', method: CURRENCY_TAPE, what: 'id', isCurrency: true }),
  chartEnd,
  chartLength,
  fundingLength,
  indexBars,
  realised,
  locks,
  channelTwice,
  channelWrong,
];
