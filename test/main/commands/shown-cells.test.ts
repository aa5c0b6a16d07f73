// Every cell of the tables of the reading commands, as CSV, from answers in which no two fields are alike: a column that shows
// another field than its own is seen.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LimitRecord, MethodResults } from '../../../src/gateway/client/client.ts';
import { perpetualBody } from '../../gateway/gateway-under-test.ts';
import { captured } from '../captured-terminal.ts';
import { type HostileDaemon, startAnsweringDaemon } from '../hostile-daemon.ts';
import { leg, record, START_MS } from '../portfolio-records.ts';

type Row = Readonly<Record<string, string>>;
const at = (second: number): number => START_MS + second * 1_000;
const iso = (second: number): string => `2026-11-20T12:00:0${second}.000Z`;

const POSITION: MethodResults['private/get_positions'][number] = {
  instrumentName: 'BTC-25DEC26-100000-P',
  kind: 'option',
  side: 'sell',
  size: '-1.1',
  averagePrice: '1.2',
  markPrice: '1.3',
  indexPrice: '1.4',
  settlementPrice: '1.5',
  floatingProfitLoss: '-1.6',
  realizedProfitLoss: '1.7',
  totalProfitLoss: '0.1',
  delta: '1.8',
  gamma: '1.9',
  vega: '2.1',
  theta: '2.2',
  initialMargin: '2.3',
  maintenanceMargin: '2.4',
  openOrdersMargin: '2.5',
  realizedFunding: '-2.6',
};
const POSITION_ROW: Row = {
  account: '10001',
  instrument: 'BTC-25DEC26-100000-P',
  kind: 'option',
  size: '-1.1',
  average_price: '1.2',
  mark_price: '1.3',
  index_price: '1.4',
  settlement_price: '1.5',
  floating_profit: '-1.6',
  realised_profit: '1.7',
  total_profit: '0.1',
  realised_funding: '-2.6',
  delta: '1.8',
  gamma: '1.9',
  vega: '2.1',
  theta: '2.2',
  initial_margin: '2.3',
  maintenance_margin: '2.4',
  open_orders_margin: '2.5',
};

const SUMMARY: MethodResults['private/get_account_summary'] = {
  accountId: '10001',
  currency: 'BTC',
  balance: '3.1',
  equity: '3.2',
  availableFunds: '3.3',
  marginBalance: '8',
  initialMargin: '2',
  maintenanceMargin: '1.5',
  sessionRpl: '-3.5',
  sessionUpl: '3.6',
  optionsValue: '-3.7',
  optionsGamma: '3.8',
  optionsVega: '3.9',
  optionsTheta: '-4.1',
  deltaTotal: '4.2',
  spotReserve: '4.3',
  marginModel: 'segregated_sm',
};
const SUMMARY_ROW: Row = {
  account: '10001',
  currency: 'BTC',
  equity: '3.2',
  balance: '3.1',
  available_funds: '3.3',
  margin_balance: '8',
  initial_margin: '2',
  maintenance_margin: '1.5',
  // 2 of 8.
  margin_used_percent: '25.0',
  session_unrealised: '3.6',
  session_realised: '-3.5',
  delta_total: '4.2',
  options_value: '-3.7',
  options_gamma: '3.8',
  options_vega: '3.9',
  options_theta: '-4.1',
  spot_reserve: '4.3',
};

const LIMIT: LimitRecord = {
  accountId: '10001',
  control: 'position',
  instrumentName: 'BTC-PERPETUAL',
  unit: 'USD',
  limit: '800',
  used: '200',
};
const LIMIT_ROW: Row = {
  account: '10001',
  control: 'position',
  meaning: 'position with its orders filled (PT-8)',
  instrument: 'BTC-PERPETUAL',
  used: '200',
  limit: '800',
  unit: 'USD',
  used_percent: '25.0',
};

const ORDER: MethodResults['private/get_open_orders'][number] = {
  orderId: 'BTC-51',
  instrumentName: 'BTC-PERPETUAL',
  side: 'sell',
  orderType: 'limit',
  originalOrderType: 'stop_limit',
  orderState: 'open',
  price: '5.1',
  quantity: '520',
  contracts: '53',
  filledQuantity: '540',
  averagePrice: '5.5',
  timeInForce: 'good_til_day',
  timeInforce: 'good_til_day',
  postOnly: false,
  label: 'desk-5',
  createdAt: at(1),
  lastUpdatedAt: at(2),
  cancelReason: 'settlement',
  replaced: false,
  triggerPrice: '5.6',
  triggerReferencePrice: '5.7',
  displayAmount: '58',
  mmp: false,
  riskReducing: false,
  api: true,
};
const ORDER_ROW: Row = {
  account: '10001',
  created: iso(1),
  updated: iso(2),
  instrument: 'BTC-PERPETUAL',
  side: 'sell',
  type: 'limit',
  quantity: '520',
  filled: '540',
  price: '5.1',
  average_price: '5.5',
  trigger_price: '5.6',
  state: 'open',
  cancel_reason: 'settlement',
  time_in_force: 'good_til_day',
  label: 'desk-5',
  order: 'BTC-51',
};

const FILL: MethodResults['private/get_user_trades_by_currency']['trades'][number] = {
  tradeId: 'BTC-61',
  tradeSeq: 62,
  timestamp: at(3),
  tickDirection: 0,
  state: 'filled',
  orderId: 'BTC-63',
  orderType: 'limit',
  instrumentName: 'BTC-25DEC26-100000-C',
  side: 'sell',
  price: '0.61',
  quantity: '6.2',
  contracts: '6.3',
  liquidity: 'M',
  fee: '-0.64',
  feeCurrency: 'BTC',
  indexPrice: '6.5',
  markPrice: '0.66',
  iv: '67.1',
  underlyingPrice: '6.8',
  profitLoss: '-0.69',
  api: true,
  postOnly: false,
  reduceOnly: false,
  mmp: false,
  riskReducing: false,
  label: 'desk-6',
  matchingId: null,
  blockTradeId: 'BLOCK-6',
  blockRfqId: '60',
  comboId: 'BTC-CS-25DEC26-100000_110000',
  comboTradeId: 'BTC-64',
};
const FILL_ROW: Row = {
  account: '10001',
  traded: iso(3),
  instrument: 'BTC-25DEC26-100000-C',
  side: 'sell',
  quantity: '6.2',
  price: '0.61',
  iv: '67.1',
  fee: '-0.64',
  fee_currency: 'BTC',
  liquidity: 'maker',
  profit: '-0.69',
  mark_price: '0.66',
  index_price: '6.5',
  underlying_price: '6.8',
  label: 'desk-6',
  order: 'BTC-63',
  trade: 'BTC-61',
  block_trade: 'BLOCK-6',
  combo: 'BTC-CS-25DEC26-100000_110000',
};

const TICKER = {
  instrumentName: 'BTC-25DEC26-100000-C',
  timestamp: at(4),
  state: 'open',
  bestBidPrice: '0.71',
  bestBidAmount: '7.2',
  bestAskPrice: '0.73',
  bestAskAmount: '7.4',
  lastPrice: '0.75',
  markPrice: '0.76',
  indexPrice: '7.7',
  underlyingPrice: '7.8',
  bidIv: '71.1',
  markIv: '72.2',
  askIv: '73.3',
  greeks: { delta: '0.79', gamma: '0.81', vega: '8.2', theta: '-8.3', rho: '8.4' },
  funding8h: '0.000085',
  currentFunding: '-0.000086',
  openInterest: '8.7',
  stats: {
    volume: '8.8',
    volumeUsd: '8.9',
    high: '0.91',
    low: '0.92',
    priceChange: '-9.3',
  },
  minPrice: '0.94',
  maxPrice: '0.95',
};
const TICKER_ROW: Row = {
  instrument: 'BTC-25DEC26-100000-C',
  time: iso(4),
  state: 'open',
  bid_size: '7.2',
  bid: '0.71',
  ask: '0.73',
  ask_size: '7.4',
  mark: '0.76',
  last: '0.75',
  index: '7.7',
  underlying: '7.8',
  bid_iv: '71.1',
  mark_iv: '72.2',
  ask_iv: '73.3',
  delta: '0.79',
  gamma: '0.81',
  vega: '8.2',
  theta: '-8.3',
  funding_8h: '0.000085',
  current_funding: '-0.000086',
  open_interest: '8.7',
  volume_24h: '8.8',
  high_24h: '0.91',
  low_24h: '0.92',
  change_24h_percent: '-9.3',
  min_price: '0.94',
  max_price: '0.95',
};

const LISTED = {
  instrumentName: 'BTC-25DEC26-100000-C',
  kind: 'option',
  baseCurrency: 'BTC',
  quoteCurrency: 'QUO',
  settlementCurrency: 'SET',
  marginKind: 'inverse',
  settlementPeriod: 'month',
  optionKind: 'CALL',
  strike: '100000',
  expiration: at(5),
  contractSize: '1.01',
  quantityUnit: 'coin',
  minTradeAmount: '1.02',
  qtyTickSize: '1.03',
  tickSize: '1.04',
  priceIndex: 'btc_usd',
  makerCommission: '-0.0105',
  takerCommission: '0.0106',
};
const LISTED_ROW: Row = {
  instrument: 'BTC-25DEC26-100000-C',
  kind: 'month',
  margin: 'inverse',
  base: 'BTC',
  quote: 'QUO',
  settlement: 'SET',
  expiry: iso(5),
  strike: '100000',
  option: 'CALL',
  tick_size: '1.04',
  min_amount: '1.02',
  amount_step: '1.03',
  amount_unit: 'coin',
  contract_size: '1.01',
  maker_fee: '-0.0105',
  taker_fee: '0.0106',
  index: 'btc_usd',
};

const PUT = {
  ...TICKER,
  instrumentName: 'BTC-25DEC26-100000-P',
  bestBidPrice: '0.011',
  bestBidAmount: '0',
  bestAskPrice: '0.013',
  bestAskAmount: '1.4',
  markPrice: '0.016',
  markIv: '12.2',
  greeks: { ...TICKER.greeks, delta: '-0.19' },
  openInterest: '1.7',
  stats: { ...TICKER.stats, volume: '1.8' },
};
const CHAIN_ROW: Row = {
  call_open_interest: '8.7',
  call_volume: '8.8',
  call_bid_size: '7.2',
  call_bid: '0.71',
  call_ask: '0.73',
  call_ask_size: '7.4',
  call_mark: '0.76',
  call_iv: '72.2',
  call_delta: '0.79',
  strike: '100000',
  put_open_interest: '1.7',
  put_volume: '1.8',
  // Nobody bids.
  put_bid_size: '',
  put_bid: '0.011',
  put_ask: '0.013',
  put_ask_size: '1.4',
  put_mark: '0.016',
  put_iv: '12.2',
  put_delta: '-0.19',
};

const STRUCTURE = [
  { instrumentName: 'BTC-25DEC26-100000-C', side: 'buy', ratio: '1', price: '0.021' },
  { instrumentName: 'BTC-25DEC26-110000-C', side: 'sell', ratio: '2', price: '0.022' },
];
const RFQ = {
  blockRfqId: '211',
  role: 'taker',
  status: 'filled',
  quantity: '21.2',
  legs: STRUCTURE,
  label: 'desk-21',
  bids: [{ price: '-0.0213', makers: ['MAKER1'] }],
  asks: [{ price: '0.0214', makers: ['MAKER2'] }],
  createdAt: at(6),
  expiresAt: at(7),
};
const RFQ_ROW: Row = {
  rfq: '211',
  role: 'taker',
  status: 'filled',
  quantity: '21.2',
  // Disarmed, as everything that a spreadsheet would take for a formula.
  structure: "'+1 BTC-25DEC26-100000-C −2 BTC-25DEC26-110000-C",
  bid: '-0.0213',
  ask: '0.0214',
  ends_in: '',
  label: 'desk-21',
  created: iso(6),
  expires: iso(7),
};

const QUOTE = {
  quoteId: '221',
  blockRfqId: '222',
  side: 'sell',
  price: '-0.0223',
  filledQuantity: '22.4',
  quantity: '22.5',
  executionInstruction: 'all_or_none',
  status: 'open',
  label: 'desk-22',
  lastUpdatedAt: at(8),
};
const QUOTE_ROW: Row = {
  quote: '221',
  rfq: '222',
  side: 'sell',
  price: '-0.0223',
  filled: '22.4',
  quantity: '22.5',
  how: 'all or none',
  status: 'open',
  label: 'desk-22',
  updated: iso(8),
};

const BLOCK = {
  timestamp: at(9),
  blockTradeId: 'BLOCK-23',
  blockRfqId: '231',
  side: 'sell',
  quantity: '23.2',
  price: '-0.0233',
  maker: 'MAKER3',
  comboId: 'BTC-CS-25DEC26-100000_110000',
  trades: [
    {
      instrumentName: 'BTC-25DEC26-110000-C',
      side: 'buy',
      quantity: '46.4',
      price: '0.0235',
      fee: '0.00236',
      feeCurrency: 'BTC',
      hedge: false,
    },
  ],
};
const BLOCK_FACTS = { at: iso(9), block_trade: 'BLOCK-23', rfq: '231', maker: 'MAKER3' };
const BLOCK_ROWS: readonly Row[] = [
  {
    ...BLOCK_FACTS,
    side: 'sell',
    quantity: '23.2',
    instrument: 'BTC-CS-25DEC26-100000_110000',
    price: '-0.0233',
    fee: '',
  },
  {
    ...BLOCK_FACTS,
    side: 'buy',
    quantity: '46.4',
    instrument: 'BTC-25DEC26-110000-C',
    price: '0.0235',
    fee: '0.00236 BTC',
  },
];

const PORTFOLIO = record({
  portfolioStatus: 3,
  reason: 'user_request',
  submitTimestamp: String(at(1)),
  updateTimestamp: String(at(2)),
  customizedNote: 'a note',
  mirrorOf: '31',
  legs: [
    leg({
      side: 2,
      placeQuantity: '3200',
      filledQuantity: '2400',
      filledAvgPrice: '33.3',
      outstandingQuantity: '340',
      scheduledQuantity: '350',
      slicesPlanned: 36,
      slicesPlaced: 37,
      slicesMissed: 38,
      reprices: 39,
      waiting: 'no_price',
    }),
    leg({ instrument: 'BTC_USDC', placeQuantity: '1', filledQuantity: '0.25', hedge: true }),
  ],
});
const LIST_ROW: Row = {
  portfolio: '1776665215780001',
  account: '10001',
  submitted: iso(1),
  status: 'CANCELLED',
  // The mean of 75 % and 25 %.
  filled_percent: '50.0',
  legs: '2',
  strategy: 'demo',
  reason: 'user_request',
  mirrors: '31',
  note: 'a note',
  updated: iso(2),
};
const SHOW_ROWS: readonly Row[] = [
  {
    leg: '1',
    side: 'sell',
    instrument: 'BTC-PERPETUAL',
    filled: '2400',
    quantity: '3200',
    quantity_in: 'USD',
    filled_percent: '75.0',
    average_price: '33.3',
    at_venue: '340',
    slices_placed: '37',
    slices_planned: '36',
    slices_missed: '38',
    reprices: '39',
    notes: 'no_price',
  },
  {
    leg: '2',
    side: 'buy',
    instrument: 'BTC_USDC',
    filled: '0.25',
    quantity: '1',
    quantity_in: 'USD',
    filled_percent: '25.0',
    average_price: '61203.512345678901234',
    at_venue: '0',
    slices_placed: '6',
    // A hedge follows fills, not a plan.
    slices_planned: '',
    slices_missed: '0',
    reprices: '3',
    notes: 'hedge',
  },
];

const PLAN = {
  startTimestamp: String(at(1)),
  endTimestamp: String(at(9)),
  legs: PORTFOLIO.legs,
  slices: [
    { leg: 1, slice: 4, dueTimestamp: String(at(5)), quantity: '4.1', cumulativeQuantity: '4.2' },
    { leg: 0, slice: 3, dueTimestamp: String(at(3)), quantity: '4.3', cumulativeQuantity: '4.4' },
  ],
};

const PLAN_ROWS: readonly Row[] = [
  {
    due: iso(3),
    after: '00:02',
    leg: '1',
    instrument: 'BTC-PERPETUAL',
    slice: '4',
    quantity: '4.3',
    total: '4.4',
  },
  {
    due: iso(5),
    after: '00:04',
    leg: '2',
    instrument: 'BTC_USDC',
    slice: '5',
    quantity: '4.1',
    total: '4.2',
  },
];

const folder = mkdtempSync(join(tmpdir(), 'twapd-cells-'));
const BODY = join(folder, 'body.json');
const TABLES: readonly (readonly [words: string, rows: readonly Row[]])[] = [
  ['positions --account 10001', [POSITION_ROW]],
  ['account --account 10001 --currency BTC', [SUMMARY_ROW]],
  ['account --csv limits', [LIMIT_ROW]],
  ['orders --account 10001', [ORDER_ROW]],
  ['fills --account 10001', [FILL_ROW]],
  ['quote BTC-25DEC26-100000-C BTC-25DEC26-100000-C', [TICKER_ROW, TICKER_ROW]],
  ['instruments', [LISTED_ROW, { ...LISTED_ROW, instrument: PUT.instrumentName, option: 'PUT' }]],
  ['chain BTC', [CHAIN_ROW]],
  ['rfq list', [RFQ_ROW]],
  ['rfq quotes', [QUOTE_ROW]],
  ['rfq trades', BLOCK_ROWS],
  ['list --account 10001', [LIST_ROW]],
  ['show 1776665215780001', SHOW_ROWS],
  [`plan ${BODY}`, PLAN_ROWS],
];

let daemon: HostileDaemon;
beforeAll(async () => {
  writeFileSync(BODY, JSON.stringify(perpetualBody()));
  daemon = await startAnsweringDaemon({
    get_positions: [POSITION],
    get_account_summary: SUMMARY,
    limits: [LIMIT],
    get_open_orders: [ORDER],
    get_user_trades_by_currency: { trades: [FILL], hasMore: false },
    ticker: (asked: string) => (asked.includes(PUT.instrumentName) ? PUT : TICKER),
    'public/get_instruments': [
      LISTED,
      { ...LISTED, instrumentName: PUT.instrumentName, optionKind: 'PUT' },
    ],
    get_rfqs: { blockRfqs: [RFQ] },
    get_quotes: { results: [QUOTE] },
    get_trades: { trades: [BLOCK] },
    page: { pageCount: 1, totalCount: 1, values: [PORTFOLIO] },
    info: PORTFOLIO,
    plan: PLAN,
  });
});
afterAll(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(TABLES)('every column of %s shows its own field', async (words, rows) => {
  const asked = words.includes('--csv') ? words : `${words} --csv`;
  const { code, out, err } = await captured([...asked.split(' '), '--url', daemon.url]);
  expect([code, err]).toEqual([0, '']);
  expect(parse(out, { columns: true })).toEqual(rows);
});
