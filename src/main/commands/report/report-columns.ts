// The columns of the tables of reports, in order, and what each holds. What orders and trades say is an exact amount; what is
// computed from it (averages, parts of the shortfall, measures) is a number, which JSON and CSV have to its last digit.
import { HORIZONS } from '../../../core/report/fill-measures.ts';
import type { ColumnKind, Columns } from '../../ledger/rows/ledger-columns.ts';

const all = (kind: ColumnKind, ...names: readonly string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, kind]));

const LEG = { portfolio: 'text', leg: 'count' } as const;

/** In CSV: `markout_1s`, and `markout_before_10s` for the horizon `-10s`. */
export const markoutColumn = (horizon: string): string =>
  `markout_${horizon.replace('-', 'before_')}`;

/** Of options, over the mid and over the mark. */
const OVER = ['premium', 'usd', 'underlying_bps', 'vol_points', 'vega_usd'];

export const REPORT_COLUMNS = {
  legs: {
    ...LEG,
    ...all('text', 'instrument', 'kind', 'side', 'unit'),
    hedge: 'flag',
    asked: 'amount',
    filled: 'amount',
    residual: 'amount',
    average: 'number',
    ...all('amount', 'decision', 'arrival'),
    ...all('number', 'twap', 'vwap'),
    final: 'amount',
    twap_coverage: 'number',
    ...all('number', 'decision_bps', 'arrival_bps', 'twap_bps', 'vwap_bps'),
    participation: 'number',
    volume: 'number',
    shortfall_currency: 'text',
    ...all('number', 'total', 'delay', 'market', 'schedule', 'spread', 'unsplit', 'opportunity'),
    ...all('number', 'fees', 'total_bps', 'total_usd', 'execution_bps', 'expected_bps'),
    ...all('number', 'effective_bps', 'quoted_bps', 'realised_bps', 'improvement_bps'),
    ...all('number', 'maker_share', 'taker_share', 'fill_rate', 'adverse_bps'),
    funding_paid: 'number',
    funding_currency: 'text',
    ...all('number', 'deviation_greatest', 'deviation_mean', 'late_p50_ms', 'late_p99_ms'),
    ...all('number', 'usd_rate', 'underlying_bps', ...OVER.map((name) => `over_mid_${name}`)),
    ...all('number', ...OVER.map((name) => `over_mark_${name}`)),
  },
  slices: {
    ...LEG,
    slice: 'count',
    due: 'time',
    ...all('amount', 'planned', 'asked', 'filled'),
    children: 'count',
    mid: 'amount',
    average: 'number',
    late_ms: 'count',
    is_sent: 'flag',
    reasons: 'text',
    cost_bps: 'number',
  },
  children: {
    ...LEG,
    slice: 'count',
    label: 'text',
    attempt: 'count',
    ...all('amount', 'quantity', 'filled'),
    ...all('time', 'decided', 'live', 'closed'),
    outcome: 'text',
    time_in_force: 'text',
    is_block: 'flag',
    price: 'amount',
    edits: 'count',
  },
  fills: {
    portfolio: 'text',
    trade_id: 'text',
    traded_at: 'time',
    leg: 'count',
    slice: 'count',
    label: 'text',
    quantity: 'amount',
    price: 'amount',
    liquidity: 'text',
    fee: 'amount',
    ...all('amount', 'bid', 'ask', 'mid', 'mark', 'underlying'),
    ...all('number', 'delta', 'vega', 'effective', 'improvement'),
    fee_currency: 'text',
    mark_iv: 'number',
    is_block: 'flag',
    ...all('number', ...HORIZONS.map(({ name }) => markoutColumn(name)), 'iv'),
  },
  markouts: {
    ...LEG,
    horizon: 'text',
    fills: 'count',
    missing: 'count',
    ...all('number', 'bps', 'per_unit', 'maker_bps', 'taker_bps', 'standard_error'),
  },
} as const satisfies Readonly<Record<string, Columns>>;

const OF_DISTRIBUTION = [
  'mean',
  'standard_error',
  'least',
  'lower_quartile',
  'median',
  'upper_quartile',
  'greatest',
];

export const distributionColumns = (name: string): Columns => ({
  [`${name}_count`]: 'count',
  ...all('number', ...OF_DISTRIBUTION.map((of) => `${name}_${of}`)),
});

/** Of many portfolios. */
export const SUMMARY_COLUMNS = {
  groups: {
    by: 'text',
    name: 'text',
    legs: 'count',
    usd: 'number',
    legs_without_usd: 'count',
    ...distributionColumns('execution_bps'),
    ...distributionColumns('shortfall_bps'),
    ...distributionColumns('arrival_bps'),
  },
} as const satisfies Readonly<Record<string, Columns>>;

/** Of reports that are compared. */
export const COMPARISON_COLUMNS = {
  paired: {
    leg: 'count',
    side: 'text',
    report: 'text',
    source: 'text',
    measure: 'text',
    ...all('number', 'first', 'mean', 'difference', 'standard_error'),
    pairs: 'count',
    paired_by: 'text',
    unpaired_first: 'count',
    unpaired: 'count',
  },
} as const satisfies Readonly<Record<string, Columns>>;
