// Every figure of positions, accounts and tickers stands at its own name on either wire: shown from records in which no two figures
// are alike.
import { expect, test } from 'vitest';
import { bookJson, summaryJson } from '../../../../src/gateway/deribit/market/deribit-book-json.ts';
import {
  positionView,
  summaryView,
} from '../../../../src/gateway/order-api/account/account-view.ts';
import { tickerView } from '../../../../src/gateway/order-api/market/market-view.ts';
import { accountJson } from '../../../../src/ports/deribit-wire/account-rows.ts';
import { positionJson } from '../../../../src/ports/deribit-wire/position-rows.ts';
import { tickerJson } from '../../../../src/ports/deribit-wire/ticker-rows.ts';
import type { Ticker } from '../../../../src/ports/market-reads.ts';
import type { AccountSummary, OpenPosition } from '../../../../src/values/account-report.ts';
import { money, price, quantity, ratio } from '../../../../src/values/amounts.ts';
import { accountId, currency } from '../../../../src/values/ids.ts';
import { instant } from '../../../../src/values/instant.ts';
import { btcCall, btcPerpetual, btcUsdcPerpetual } from '../../../exchange/instruments.ts';

/** As a client reads it. */
const read = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const PERPETUAL: OpenPosition = {
  account: accountId('10001'),
  instrument: btcPerpetual.name,
  kind: 'perpetual',
  quantity: quantity('-2000'),
  averagePrice: price('101.5'),
  markPrice: price('102.5'),
  indexPrice: price('103.5'),
  settlementPrice: price('104.5'),
  floatingProfitLoss: money('-0.11'),
  realizedProfitLoss: money('0.12'),
  delta: ratio('-16'),
  initialMargin: money('0.4'),
  maintenanceMargin: money('0.14'),
  openOrdersMargin: money('0.15'),
  realizedFunding: money('-0.16'),
};
const OPTION: OpenPosition = {
  ...PERPETUAL,
  instrument: btcCall.name,
  kind: 'option',
  quantity: quantity('2'),
  averagePrice: price('0.05'),
  indexPrice: price('100000'),
  gamma: ratio('0.21'),
  vega: ratio('22.1'),
  theta: ratio('-23.1'),
};

const SHARED = {
  kind: 'future',
  direction: 'sell',
  size: -2_000,
  average_price: 101.5,
  mark_price: 102.5,
  index_price: 103.5,
  settlement_price: 104.5,
  floating_profit_loss: -0.11,
  realized_profit_loss: 0.12,
  total_profit_loss: 0.01,
  delta: -16,
  initial_margin: 0.4,
  maintenance_margin: 0.14,
  open_orders_margin: 0.15,
  estimated_liquidation_price: null,
};

test("a position has each figure at its name on Deribit's wire", () => {
  const future = { size_currency: -16, realized_funding: -0.16, interest_value: 0 };
  expect(read(positionJson(PERPETUAL, btcPerpetual))).toEqual({
    ...SHARED,
    ...future,
    instrument_name: 'BTC-PERPETUAL',
    // 16 coins over a margin of 0.4 coins.
    leverage: 40,
  });
  expect(
    read(positionJson({ ...PERPETUAL, initialMargin: money('41') }, btcUsdcPerpetual)),
  ).toEqual({
    ...SHARED,
    ...future,
    instrument_name: 'BTC-PERPETUAL',
    initial_margin: 41,
    // 16 coins at 102.5 over a margin of 41 dollars.
    leverage: 40,
  });
  expect(read(positionJson(OPTION, btcCall))).toEqual({
    ...SHARED,
    instrument_name: btcCall.name,
    kind: 'option',
    direction: 'buy',
    size: 2,
    average_price: 0.05,
    index_price: 100_000,
    gamma: 0.21,
    vega: 22.1,
    theta: -23.1,
    average_price_usd: 5_000,
    floating_profit_loss_usd: -11_000,
  });
});

test('a position has each figure at its name on our own wire', () => {
  const shared = {
    markPrice: '102.5',
    settlementPrice: '104.5',
    floatingProfitLoss: '-0.11',
    realizedProfitLoss: '0.12',
    totalProfitLoss: '0.01',
    delta: '-16',
    initialMargin: '0.4',
    maintenanceMargin: '0.14',
    openOrdersMargin: '0.15',
    realizedFunding: '-0.16',
  };
  expect(read(positionView(PERPETUAL))).toEqual({
    ...shared,
    instrumentName: 'BTC-PERPETUAL',
    kind: 'future',
    side: 'sell',
    size: '-2000',
    averagePrice: '101.5',
    indexPrice: '103.5',
  });
  expect(read(positionView(OPTION))).toEqual({
    ...shared,
    instrumentName: btcCall.name,
    kind: 'option',
    side: 'buy',
    size: '2',
    averagePrice: '0.05',
    indexPrice: '100000',
    gamma: '0.21',
    vega: '22.1',
    theta: '-23.1',
  });
});

const ACCOUNT: AccountSummary = {
  account: accountId('10001'),
  currency: currency('BTC'),
  balance: money('31.1'),
  equity: money('32.1'),
  availableFunds: money('33.1'),
  marginBalance: money('34.1'),
  initialMargin: money('35.1'),
  maintenanceMargin: money('36.1'),
  sessionRealised: money('37.25'),
  sessionUnrealised: money('-38.5'),
  optionsSessionRealised: money('3.25'),
  optionsValue: money('39.1'),
  spotReserve: money('41.1'),
  deltaTotal: ratio('42.1'),
  optionsGamma: ratio('0.43'),
  optionsVega: ratio('44.1'),
  optionsTheta: ratio('-45.1'),
};

test("an account has each figure at its name on Deribit's wire", () => {
  const account = { summary: ACCOUNT, positions: [PERPETUAL, OPTION] };
  const instrumentOf = ({ kind }: OpenPosition) => (kind === 'option' ? btcCall : btcPerpetual);
  expect(read(accountJson({ ...account, instrumentOf }))).toEqual({
    currency: 'BTC',
    balance: 31.1,
    equity: 32.1,
    margin_balance: 34.1,
    available_funds: 33.1,
    // The lower one of the balance and what is free.
    available_withdrawal_funds: 31.1,
    spot_reserve: 41.1,
    locked_balance: 0,
    additional_reserve: 0,
    fee_balance: 0,
    initial_margin: 35.1,
    maintenance_margin: 36.1,
    projected_initial_margin: 35.1,
    projected_maintenance_margin: 36.1,
    session_rpl: 37.25,
    session_upl: -38.5,
    // Of each of the two positions −0.11 and 0.12.
    total_pl: 0.02,
    futures_pl: 0.01,
    options_pl: 0.01,
    futures_session_rpl: 34,
    options_session_rpl: 3.25,
    futures_session_upl: -0.11,
    options_session_upl: -38.39,
    options_value: 39.1,
    options_delta: -16,
    options_gamma: 0.43,
    options_vega: 44.1,
    options_theta: -45.1,
    options_gamma_map: { btc_usd: 0.21 },
    options_vega_map: { btc_usd: 22.1 },
    options_theta_map: { btc_usd: -23.1 },
    delta_total: 42.1,
    delta_total_map: { btc_usd: -32 },
    projected_delta_total: 42.1,
    portfolio_margining_enabled: false,
    cross_collateral_enabled: false,
    margin_model: 'segregated_sm',
  });
  const poor = { ...ACCOUNT, availableFunds: money('30.1'), optionsSessionRealised: undefined };
  expect(read(accountJson({ ...account, summary: poor, instrumentOf }))).toMatchObject({
    available_withdrawal_funds: 30.1,
    // Not reported: that of the open positions in options.
    options_session_rpl: 0.12,
    futures_session_rpl: 37.13,
  });
});

test('an account has each figure at its name on our own wire', () => {
  expect(read(summaryView(ACCOUNT))).toEqual({
    accountId: '10001',
    currency: 'BTC',
    balance: '31.1',
    equity: '32.1',
    availableFunds: '33.1',
    marginBalance: '34.1',
    initialMargin: '35.1',
    maintenanceMargin: '36.1',
    sessionRpl: '37.25',
    sessionUpl: '-38.5',
    optionsValue: '39.1',
    optionsGamma: '0.43',
    optionsVega: '44.1',
    optionsTheta: '-45.1',
    deltaTotal: '42.1',
    spotReserve: '41.1',
    marginModel: 'segregated_sm',
  });
});

const level = (at: string, amount: string) => ({ price: price(at), quantity: quantity(amount) });
const TICKER: Ticker = {
  instrument: btcCall.name,
  at: instant(51),
  state: 'open',
  bid: level('0.52', '5.3'),
  ask: level('0.54', '5.5'),
  last: price('0.56'),
  mark: price('0.57'),
  index: price('58.5'),
  minPrice: price('0.59'),
  maxPrice: price('0.61'),
  openInterest: quantity('6.2'),
  settlementPrice: price('0.63'),
  estimatedDeliveryPrice: price('64.5'),
  deliveryPrice: price('65.5'),
  stats: {
    volume: quantity('6.6'),
    volumeUsd: '67.5',
    high: price('0.68'),
    low: price('0.69'),
    priceChange: -7.1,
  },
  markIv: 0.72,
  bidIv: 0.73,
  askIv: 0.74,
  underlying: price('75.5'),
  underlyingName: 'BTC-25DEC26',
  greeks: { delta: 0.76, gamma: 0.77, vega: 7.8, theta: -7.9, rho: 8.1 },
  funding8h: 0.000_82,
  currentFunding: -0.000_83,
};

test("a ticker has each figure at its name on Deribit's wire", () => {
  const stats = {
    volume: 6.6,
    volume_usd: 67.5,
    volume_notional: 67.5,
    high: 0.68,
    low: 0.69,
    price_change: -7.1,
  };
  const shared = {
    instrument_name: btcCall.name,
    open_interest: 6.2,
    mark_price: 0.57,
    estimated_delivery_price: 64.5,
    underlying_price: 75.5,
    underlying_index: 'BTC-25DEC26',
    interest_rate: 0,
    mark_iv: 72,
    funding_8h: 0.000_82,
    current_funding: -0.000_83,
  };
  expect(read(tickerJson(btcCall, TICKER))).toEqual({
    ...shared,
    timestamp: 51,
    state: 'open',
    stats,
    best_bid_price: 0.52,
    best_bid_amount: 5.3,
    best_ask_price: 0.54,
    best_ask_amount: 5.5,
    last_price: 0.56,
    index_price: 58.5,
    min_price: 0.59,
    max_price: 0.61,
    settlement_price: 0.63,
    delivery_price: 65.5,
    bid_iv: 73,
    ask_iv: 74,
    greeks: { delta: 0.76, gamma: 0.77, vega: 7.8, theta: -7.9, rho: 8.1 },
  });
  expect(read(summaryJson(btcCall, TICKER))).toEqual({
    ...shared,
    ...stats,
    base_currency: 'BTC',
    quote_currency: 'BTC',
    creation_timestamp: 51,
    bid_price: 0.52,
    ask_price: 0.54,
    mid_price: 0.53,
    last: 0.56,
  });
  const { bid, ask } = TICKER;
  const book = { instrument: btcCall.name, at: instant(51), state: 'open', changeId: 84 } as const;
  expect(
    read(
      bookJson({ ...book, bids: bid ? [bid] : [], asks: ask ? [ask, level('0.6', '8.5')] : [] }),
    ),
  ).toEqual({
    change_id: 84,
    bids: [[0.52, 5.3]],
    asks: [
      [0.54, 5.5],
      [0.6, 8.5],
    ],
  });
});

test('a perpetual has its volume in coins at the mark, and its premium over the index in percent', () => {
  const ticker = { ...TICKER, mark: price('60'), index: price('50'), last: price('1') };
  const stats = { ...TICKER.stats, volume: quantity('1200') };
  expect(read(tickerJson(btcPerpetual, { ...ticker, stats }))).toMatchObject({
    interest_value: 20,
    stats: { volume: 20, volume_usd: 67.5 },
  });
});

test('a ticker has each figure at its name on our own wire', () => {
  expect(read(tickerView(TICKER))).toEqual({
    instrumentName: btcCall.name,
    timestamp: 51,
    state: 'open',
    bestBidPrice: '0.52',
    bestBidAmount: '5.3',
    bestAskPrice: '0.54',
    bestAskAmount: '5.5',
    lastPrice: '0.56',
    markPrice: '0.57',
    indexPrice: '58.5',
    minPrice: '0.59',
    maxPrice: '0.61',
    openInterest: '6.2',
    settlementPrice: '0.63',
    estimatedDeliveryPrice: '64.5',
    deliveryPrice: '65.5',
    stats: { volume: '6.6', volumeUsd: '67.5', high: '0.68', low: '0.69', priceChange: '-7.1' },
    markIv: '72',
    bidIv: '73',
    askIv: '74',
    underlyingPrice: '75.5',
    underlyingIndex: 'BTC-25DEC26',
    greeks: { delta: '0.76', gamma: '0.77', vega: '7.8', theta: '-7.9', rho: '8.1' },
    funding8h: '0.00082',
    currentFunding: '-0.00083',
  });
});
