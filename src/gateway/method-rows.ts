// The methods of the exchange's interface, one row each: its name on our wire and on Deribit's, who may call it, and
// what a call costs. A method that only one wire has is marked so. Params and results are with each wire's codec.
import type { KeyNeed } from './auth/key-needs.ts';
import type { CreditPool } from './deribit/method/credit-rules.ts';
import type { Scope } from './deribit/method/deribit-login.ts';
import type { RidLane } from './limits/limits.ts';
import {
  cancelLabelled,
  cancelOrder,
  editOrder,
  openOrders,
  orderHistory,
  orderState,
  ordersLabelled,
  tradesOfOrder,
  userTrades,
} from './order-api/order-runs.ts';
import { endedTriggers } from './order-api/orders/ended-triggers.ts';

interface Access {
  /** The permission of a key. */
  readonly needs: 'nothing' | KeyNeed;
  /** What a token of Deribit's wire allows; `undefined` for public methods and those that any login may call. */
  readonly scope: Scope | undefined;
  readonly lane: RidLane;
  /** The credits of Deribit's wire that a call takes. */
  readonly pool: CreditPool;
  /** True for methods that act on a connection and are therefore not available over HTTP. */
  readonly isWebSocketOnly: boolean;
}

/** A method of our wire. */
export interface OwnRow extends Access {
  readonly name: string;
}

/** A method of Deribit's wire. */
export interface DeribitRow extends Access {
  readonly deribitName: string;
}

const OPEN = {
  needs: 'nothing',
  scope: undefined,
  lane: 'query',
  pool: 'non_matching',
  isWebSocketOnly: false,
} as const;
const LISTS = { ...OPEN, pool: 'instruments' } as const;
const CONNECTION = { ...OPEN, isWebSocketOnly: true } as const;
const SUBSCRIBES = { ...CONNECTION, pool: 'subscribe' } as const;
const LOGS_OUT = { ...CONNECTION, needs: 'anything' } as const;
const UNSUBSCRIBES_ACCOUNT = { ...CONNECTION, needs: 'rfqRead' } as const;
const SUBSCRIBES_ACCOUNT = { ...UNSUBSCRIBES_ACCOUNT, pool: 'subscribe' } as const;

const READS_ACCOUNT = { ...OPEN, needs: 'read', scope: 'account:read' } as const;
const READS_LOG = { ...READS_ACCOUNT, pool: 'transaction_log' } as const;
const READS_CONNECTION = { ...READS_ACCOUNT, isWebSocketOnly: true } as const;
const READS_TRADES = { ...OPEN, needs: 'read', scope: 'trade:read' } as const;
const READS_RFQS = { ...OPEN, needs: 'rfqRead', scope: 'block_rfq:read' } as const;

const SETS_CONNECTION = { ...CONNECTION, needs: 'trade', scope: 'account:read_write' } as const;
const CREATES_COMBOS = { ...OPEN, needs: 'trade', scope: 'trade:read_write' } as const;
const ORDERS = { ...CREATES_COMBOS, lane: 'order', pool: 'matching' } as const;
const CANCELS = { ...ORDERS, lane: 'order_cancel' } as const;
const CANCELS_ALL = { ...CANCELS, pool: 'cancel_all' } as const;

/** The method itself checks the scope of what is protected. */
const PROTECTS = { ...READS_RFQS, needs: 'protect', lane: 'order' } as const;
const TAKES = { ...OPEN, needs: 'rfq', scope: 'block_rfq:read_write', lane: 'order' } as const;
const CANCELS_RFQS = { ...TAKES, lane: 'order_cancel' } as const;
const QUOTES = { ...TAKES, pool: 'matching' } as const;
const CANCELS_QUOTES = { ...QUOTES, lane: 'order_cancel' } as const;

const pair = <N extends string, D extends string, A extends Access>(
  name: N,
  deribitName: D,
  access: A,
) => ({ ...access, name, deribitName });
const both = <N extends string, A extends Access>(name: N, access: A) => pair(name, name, access);
/** A method that does the same for both wires, apart from their codecs. */
const shared = <N extends string, A extends Access, R>(name: N, access: A, run: R) => ({
  ...both(name, access),
  run,
});
const ownOnly = <N extends string, A extends Access>(name: N, access: A) => ({ ...access, name });
const deribitOnly = <A extends Access>(deribitName: string, access: A) => ({
  ...access,
  deribitName,
});

export const METHOD_ROWS = {
  auth: deribitOnly('public/auth', OPEN),
  exchangeToken: deribitOnly('public/exchange_token', OPEN),
  forkToken: deribitOnly('public/fork_token', OPEN),
  logout: deribitOnly('private/logout', LOGS_OUT),
  getTime: both('public/get_time', OPEN),
  test: both('public/test', OPEN),
  hello: both('public/hello', OPEN),
  status: both('public/status', OPEN),
  setHeartbeat: both('public/set_heartbeat', CONNECTION),
  disableHeartbeat: both('public/disable_heartbeat', CONNECTION),
  subscribe: both('public/subscribe', SUBSCRIBES),
  unsubscribe: both('public/unsubscribe', CONNECTION),
  unsubscribeAll: both('public/unsubscribe_all', CONNECTION),
  subscribePrivate: both('private/subscribe', SUBSCRIBES_ACCOUNT),
  unsubscribePrivate: both('private/unsubscribe', UNSUBSCRIBES_ACCOUNT),
  unsubscribeAllPrivate: both('private/unsubscribe_all', UNSUBSCRIBES_ACCOUNT),
  enableCancelOnDisconnect: both('private/enable_cancel_on_disconnect', SETS_CONNECTION),
  disableCancelOnDisconnect: both('private/disable_cancel_on_disconnect', SETS_CONNECTION),
  getCancelOnDisconnect: both('private/get_cancel_on_disconnect', READS_CONNECTION),
  getInstruments: both('public/get_instruments', LISTS),
  getInstrument: both('public/get_instrument', OPEN),
  getContractSize: deribitOnly('public/get_contract_size', OPEN),
  getCurrencies: deribitOnly('public/get_currencies', OPEN),
  getCurrenciesPrivate: deribitOnly('private/get_currencies', READS_ACCOUNT),
  getExpirations: deribitOnly('public/get_expirations', OPEN),
  getIndexPriceNames: deribitOnly('public/get_index_price_names', OPEN),
  getSupportedIndexNames: deribitOnly('public/get_supported_index_names', OPEN),
  ticker: both('public/ticker', OPEN),
  getOrderBook: both('public/get_order_book', OPEN),
  getBookSummaryByInstrument: deribitOnly('public/get_book_summary_by_instrument', OPEN),
  getBookSummaryByCurrency: deribitOnly('public/get_book_summary_by_currency', OPEN),
  getIndexPrice: both('public/get_index_price', OPEN),
  getLastTradesByInstrument: deribitOnly('public/get_last_trades_by_instrument', OPEN),
  getLastTradesByInstrumentAndTime: deribitOnly(
    'public/get_last_trades_by_instrument_and_time',
    OPEN,
  ),
  getLastTradesByCurrency: deribitOnly('public/get_last_trades_by_currency', OPEN),
  getLastTradesByCurrencyAndTime: deribitOnly('public/get_last_trades_by_currency_and_time', OPEN),
  getTradingviewChartData: deribitOnly('public/get_tradingview_chart_data', OPEN),
  getFundingRateValue: deribitOnly('public/get_funding_rate_value', OPEN),
  getFundingRateHistory: deribitOnly('public/get_funding_rate_history', OPEN),
  getFundingChartData: deribitOnly('public/get_funding_chart_data', OPEN),
  getMarkPriceHistory: deribitOnly('public/get_mark_price_history', OPEN),
  getDeliveryPrices: deribitOnly('public/get_delivery_prices', OPEN),
  getLastSettlementsByInstrument: deribitOnly('public/get_last_settlements_by_instrument', OPEN),
  getLastSettlementsByCurrency: deribitOnly('public/get_last_settlements_by_currency', OPEN),
  getHistoricalVolatility: deribitOnly('public/get_historical_volatility', OPEN),
  getVolatilityIndexData: deribitOnly('public/get_volatility_index_data', OPEN),
  getTradeVolumes: deribitOnly('public/get_trade_volumes', OPEN),
  buy: both('private/buy', ORDERS),
  sell: both('private/sell', ORDERS),
  edit: shared('private/edit', ORDERS, editOrder),
  editByLabel: shared('private/edit_by_label', ORDERS, editOrder),
  closePosition: deribitOnly('private/close_position', ORDERS),
  cancel: shared('private/cancel', CANCELS, cancelOrder),
  cancelByLabel: shared('private/cancel_by_label', CANCELS_ALL, cancelLabelled),
  cancelAll: both('private/cancel_all', CANCELS_ALL),
  cancelAllByCurrency: both('private/cancel_all_by_currency', CANCELS),
  cancelAllByInstrument: both('private/cancel_all_by_instrument', CANCELS),
  cancelAllByKindOrType: deribitOnly('private/cancel_all_by_kind_or_type', CANCELS),
  cancelAllByCurrencyPair: deribitOnly('private/cancel_all_by_currency_pair', CANCELS),
  getOpenOrders: shared('private/get_open_orders', READS_TRADES, openOrders),
  getOpenOrdersByCurrency: shared('private/get_open_orders_by_currency', READS_TRADES, openOrders),
  getOpenOrdersByInstrument: shared(
    'private/get_open_orders_by_instrument',
    READS_TRADES,
    openOrders,
  ),
  getOpenOrdersByLabel: deribitOnly('private/get_open_orders_by_label', READS_TRADES),
  getOrderState: shared('private/get_order_state', READS_TRADES, orderState),
  getOrderStateByLabel: shared('private/get_order_state_by_label', READS_TRADES, ordersLabelled),
  getOrderHistoryByCurrency: shared(
    'private/get_order_history_by_currency',
    READS_TRADES,
    orderHistory,
  ),
  getOrderHistoryByInstrument: shared(
    'private/get_order_history_by_instrument',
    READS_TRADES,
    orderHistory,
  ),
  getTriggerOrderHistory: shared('private/get_trigger_order_history', READS_TRADES, endedTriggers),
  getUserTradesByOrder: shared('private/get_user_trades_by_order', READS_TRADES, tradesOfOrder),
  getUserTradesByCurrency: shared('private/get_user_trades_by_currency', READS_TRADES, userTrades),
  getUserTradesByCurrencyAndTime: deribitOnly(
    'private/get_user_trades_by_currency_and_time',
    READS_TRADES,
  ),
  getUserTradesByInstrument: shared(
    'private/get_user_trades_by_instrument',
    READS_TRADES,
    userTrades,
  ),
  getUserTradesByInstrumentAndTime: deribitOnly(
    'private/get_user_trades_by_instrument_and_time',
    READS_TRADES,
  ),
  getPositions: both('private/get_positions', READS_TRADES),
  getPosition: both('private/get_position', READS_TRADES),
  getAccountSummary: both('private/get_account_summary', READS_ACCOUNT),
  getAccountSummaries: deribitOnly('private/get_account_summaries', READS_ACCOUNT),
  getSubaccounts: deribitOnly('private/get_subaccounts', READS_ACCOUNT),
  getUserLocks: deribitOnly('private/get_user_locks', READS_ACCOUNT),
  getTransactionLog: both('private/get_transaction_log', READS_LOG),
  getSettlementHistoryByInstrument: deribitOnly(
    'private/get_settlement_history_by_instrument',
    READS_TRADES,
  ),
  getSettlementHistoryByCurrency: deribitOnly(
    'private/get_settlement_history_by_currency',
    READS_TRADES,
  ),
  getTransfers: deribitOnly('private/get_transfers', READS_ACCOUNT),
  getDeposits: deribitOnly('private/get_deposits', READS_ACCOUNT),
  getWithdrawals: deribitOnly('private/get_withdrawals', READS_ACCOUNT),
  getCurrentDepositAddress: deribitOnly('private/get_current_deposit_address', READS_ACCOUNT),
  getAccessLog: deribitOnly('private/get_access_log', READS_ACCOUNT),
  getMargins: both('private/get_margins', READS_TRADES),
  getOrderMarginByIds: deribitOnly('private/get_order_margin_by_ids', READS_TRADES),
  setMmpConfig: pair('block/rfqs/set_mmp_config', 'private/set_mmp_config', PROTECTS),
  getMmpConfig: both('private/get_mmp_config', READS_RFQS),
  getMmpStatus: both('private/get_mmp_status', READS_RFQS),
  resetMmp: both('private/reset_mmp', PROTECTS),
  createRfq: pair('block/rfqs/create_rfq', 'private/create_block_rfq', TAKES),
  acceptRfq: pair('block/rfqs/trade', 'private/accept_block_rfq', TAKES),
  cancelRfq: pair('block/rfqs/cancel_rfq', 'private/cancel_block_rfq', CANCELS_RFQS),
  cancelRfqTrigger: pair(
    'block/rfqs/cancel_trigger',
    'private/cancel_block_rfq_trigger',
    CANCELS_RFQS,
  ),
  createQuote: pair('block/rfqs/create_quote', 'private/add_block_rfq_quote', QUOTES),
  editQuote: pair('block/rfqs/edit_quote', 'private/edit_block_rfq_quote', QUOTES),
  cancelQuote: pair('block/rfqs/cancel_quote', 'private/cancel_block_rfq_quote', CANCELS_QUOTES),
  cancelAllQuotes: pair(
    'block/rfqs/cancel_all_quotes',
    'private/cancel_all_block_rfq_quotes',
    CANCELS_QUOTES,
  ),
  getRfqs: pair('block/rfqs/get_rfqs', 'private/get_block_rfqs', READS_RFQS),
  getQuotes: pair('block/rfqs/get_quotes', 'private/get_block_rfq_quotes', READS_RFQS),
  getMakers: pair('block/rfqs/get_makers', 'private/get_block_rfq_makers', READS_RFQS),
  getUserInfo: pair('block/rfqs/get_user_info', 'private/get_block_rfq_user_info', READS_RFQS),
  getRfqTape: deribitOnly('public/get_block_rfq_trades', OPEN),
  getCombos: both('public/get_combos', OPEN),
  getComboIds: both('public/get_combo_ids', OPEN),
  getComboDetails: both('public/get_combo_details', OPEN),
  createCombo: both('private/create_combo', CREATES_COMBOS),
  getLegPrices: deribitOnly('private/get_leg_prices', READS_TRADES),
  getRfqTrades: ownOnly('block/rfqs/get_trades', READS_RFQS),
  getRfqInstruments: ownOnly('block/rfqs/get_instruments', READS_RFQS),
} as const satisfies Readonly<Record<string, OwnRow | DeribitRow>>;
