// Every documented method: the params that Deribit documents for it (`!` marks a required one) and the shape of its
// result, from the published reference.

export interface MethodShape {
  /** Names, separated by blanks. */
  readonly params: string;
  readonly result: string;
}

const method = (params: string, result: string): MethodShape => ({ params, result });

const ORDER_PARAMS =
  'instrument_name! amount contracts type label price time_in_force display_amount post_only reject_post_only ' +
  'reduce_only trigger_price trigger_offset trigger advanced mmp valid_until linked_order_type ' +
  'trigger_fill_condition otoco_config';
const TIMES = 'start_timestamp! end_timestamp!';
const CANCELLED = 'int|[any]';

const SESSION = {
  'public/auth': method(
    'grant_type! client_id client_secret refresh_token timestamp signature nonce data state scope',
    'Token',
  ),
  'public/exchange_token': method('refresh_token! subject_id!', 'Token'),
  'public/fork_token': method('refresh_token! session_name!', 'Token'),
  'private/logout': method('invalidate_token', 'any'),
  'public/get_time': method('', 'ms'),
  'public/test': method('expected_result', '{version:id}'),
  'public/hello': method('client_name! client_version!', '{version:id}'),
  'public/status': method('', '{locked:true|partial|false locked_indices?:[str] exchange_id?:str}'),
  'public/set_heartbeat': method('interval!', 'ok'),
  'public/disable_heartbeat': method('', 'ok'),
  'private/enable_cancel_on_disconnect': method('scope', 'ok'),
  'private/disable_cancel_on_disconnect': method('scope', 'ok'),
  'private/get_cancel_on_disconnect': method('scope', '{scope:connection|account enabled:bool}'),
  'public/subscribe': method('channels!', '[str]'),
  'public/unsubscribe': method('channels!', '[str]'),
  'public/unsubscribe_all': method('', 'ok'),
  'private/subscribe': method('channels! label', '[str]'),
  'private/unsubscribe': method('channels!', '[str]'),
  'private/unsubscribe_all': method('', 'ok'),
};

const MARKET = {
  'public/get_instruments': method('currency! kind expired', '[Instrument]'),
  'public/get_instrument': method('instrument_name!', 'Instrument'),
  'public/ticker': method('instrument_name!', 'Ticker'),
  'public/get_order_book': method('instrument_name! depth', 'OrderBook'),
  'public/get_order_book_by_instrument_id': method('instrument_id! depth', 'OrderBook'),
  'public/get_index_price': method('index_name!', '{index_price:num estimated_delivery_price:num}'),
  'public/get_index_price_names': method('extended', '[str]|[IndexName]'),
  'public/get_supported_index_names': method('type', '[str]|[IndexName]'),
  'public/get_currencies': method('', '[Currency]'),
  'public/get_expirations': method('currency! kind! currency_pair', 'map<any>'),
  'public/get_contract_size': method('instrument_name!', '{contract_size:num}'),
  'public/get_book_summary_by_currency': method('currency! kind', '[BookSummary]'),
  'public/get_book_summary_by_instrument': method('instrument_name!', '[BookSummary]'),
  'public/get_trade_volumes': method(
    'extended',
    '[{currency:ccy calls_volume:num puts_volume:num futures_volume:num spot_volume?:num ' +
      'calls_volume_7d?:num puts_volume_7d?:num futures_volume_7d?:num spot_volume_7d?:num ' +
      'calls_volume_30d?:num puts_volume_30d?:num futures_volume_30d?:num spot_volume_30d?:num}]',
  ),
  'public/get_last_trades_by_instrument': method(
    'instrument_name! start_seq end_seq start_timestamp end_timestamp count sorting',
    'Trades',
  ),
  'public/get_last_trades_by_instrument_and_time': method(
    `instrument_name! ${TIMES} count sorting`,
    'Trades',
  ),
  'public/get_last_trades_by_currency': method(
    'currency! kind start_id end_id start_timestamp end_timestamp count sorting',
    'Trades',
  ),
  'public/get_last_trades_by_currency_and_time': method(
    `currency! kind ${TIMES} count sorting`,
    'Trades',
  ),
  'public/get_tradingview_chart_data': method(
    `instrument_name! ${TIMES} resolution!`,
    '{status:ok|no_data ticks:[ms] volume:[num] cost:[num] open:[num] close:[num] high:[num] low:[num]}',
  ),
  'public/get_funding_rate_value': method(`instrument_name! ${TIMES}`, 'num'),
  'public/get_funding_rate_history': method(
    `instrument_name! ${TIMES}`,
    '[{timestamp:ms prev_index_price:num index_price:num interest_1h:num interest_8h:num}]',
  ),
  'public/get_funding_chart_data': method(
    'instrument_name! length!',
    '{current_interest:num interest_8h:num data:[{timestamp:ms index_price:num interest_8h:num}] max?:num}',
  ),
  'public/get_delivery_prices': method(
    'index_name! offset count',
    '{records_total:int data:[{date:id delivery_price:num}]}',
  ),
  'public/get_last_settlements_by_instrument': method(
    'instrument_name! type count continuation search_start_timestamp',
    'Settlements',
  ),
  'public/get_last_settlements_by_currency': method(
    'currency! type count continuation search_start_timestamp',
    'Settlements',
  ),
  'public/get_historical_volatility': method('currency!', '[[ms,num]]'),
  'public/get_volatility_index_data': method(
    `currency! ${TIMES} resolution!`,
    '{data:[[ms,num,num,num,num]] continuation:int|null}',
  ),
  'public/get_mark_price_history': method(`instrument_name! ${TIMES}`, '[[ms,num]]'),
  'public/get_combos': method('currency!', '[Combo]'),
  'public/get_combo_ids': method('currency! state', '[id]'),
  'public/get_combo_details': method('combo_id!', 'Combo'),
  'public/get_announcements': method('start_timestamp count', '[any]'),
  'public/get_block_rfq_trades': method(
    'currency! continuation count',
    '{block_rfqs:[RfqTape] continuation?:str|null}',
  ),
};

const ORDERS = {
  'private/buy': method(ORDER_PARAMS, 'OrderAndTrades'),
  'private/sell': method(ORDER_PARAMS, 'OrderAndTrades'),
  'private/edit': method(
    'order_id! amount contracts price post_only reduce_only reject_post_only advanced trigger_price ' +
      'trigger_offset mmp valid_until display_amount',
    'OrderAndTrades',
  ),
  'private/edit_by_label': method(
    'label instrument_name! amount contracts price post_only reduce_only reject_post_only advanced ' +
      'trigger_price mmp valid_until',
    'OrderAndTrades',
  ),
  'private/cancel': method('order_id!', 'Order'),
  'private/cancel_by_label': method('label! currency', 'int'),
  'private/cancel_all': method('detailed freeze_quotes', CANCELLED),
  'private/cancel_all_by_currency': method('currency! kind type detailed freeze_quotes', CANCELLED),
  'private/cancel_all_by_currency_pair': method(
    'currency_pair! kind type detailed freeze_quotes',
    CANCELLED,
  ),
  'private/cancel_all_by_instrument': method(
    'instrument_name! type detailed include_combos freeze_quotes',
    CANCELLED,
  ),
  'private/cancel_all_by_kind_or_type': method(
    'currency! kind type detailed freeze_quotes',
    CANCELLED,
  ),
  'private/close_position': method('instrument_name! type! price', 'OrderAndTrades'),
  'private/get_open_orders': method('kind type', '[Order]'),
  'private/get_open_orders_by_currency': method('currency! kind type', '[Order]'),
  'private/get_open_orders_by_instrument': method('instrument_name! type', '[Order]'),
  'private/get_open_orders_by_label': method('currency! label!', '[Order]'),
  'private/get_order_state': method('order_id!', 'Order'),
  'private/get_order_state_by_label': method('currency! label!', '[Order]'),
  'private/get_order_history_by_currency': method(
    'currency! kind count offset include_old include_unfilled with_continuation continuation historical',
    '[Order]|{orders:[Order] continuation?:str|null}',
  ),
  'private/get_order_history_by_instrument': method(
    'instrument_name! count offset include_old include_unfilled with_continuation continuation historical',
    '[Order]|{orders:[Order] continuation?:str|null}',
  ),
  'private/get_trigger_order_history': method(
    'currency! instrument_name count continuation',
    '{entries:[TriggerEntry] continuation?:str|null}',
  ),
  'private/get_order_margin_by_ids': method(
    'ids!',
    '[{order_id:id initial_margin:num initial_margin_currency?:ccy}]',
  ),
  'private/get_margins': method(
    'instrument_name! amount! price!',
    '{buy:num sell:num buy_taker_fee?:num buy_maker_fee?:num sell_taker_fee?:num sell_maker_fee?:num min_price:num max_price:num}',
  ),
};

const OWN_TRADES = {
  'private/get_user_trades_by_currency': method(
    'currency! kind start_id end_id count start_timestamp end_timestamp sorting historical subaccount_id',
    'UserTrades',
  ),
  'private/get_user_trades_by_currency_and_time': method(
    `currency! kind ${TIMES} count sorting historical subaccount_id`,
    'UserTrades',
  ),
  'private/get_user_trades_by_instrument': method(
    'instrument_name! start_seq end_seq count start_timestamp end_timestamp historical sorting subaccount_id',
    'UserTrades',
  ),
  'private/get_user_trades_by_instrument_and_time': method(
    `instrument_name! ${TIMES} count sorting historical subaccount_id`,
    'UserTrades',
  ),
  'private/get_user_trades_by_order': method(
    'order_id! sorting historical subaccount_id',
    '[UserTrade]',
  ),
  'private/get_settlement_history_by_instrument': method(
    'instrument_name! type count continuation search_start_timestamp',
    'Settlements',
  ),
  'private/get_settlement_history_by_currency': method(
    'currency! type count continuation search_start_timestamp',
    'Settlements',
  ),
};

const ACCOUNT = {
  'private/get_positions': method('currency kind subaccount_id', '[Position]'),
  'private/get_position': method('instrument_name!', 'Position'),
  'private/get_account_summary': method('currency! subaccount_id extended', 'AccountSummary'),
  'private/get_account_summaries': method('subaccount_id extended', 'AccountSummaries'),
  'private/get_subaccounts': method('with_portfolio', '[Subaccount]'),
  'private/get_transaction_log': method(
    `currency! ${TIMES} query count subaccount_id continuation`,
    '{continuation:int|null logs:[LogEntry]}',
  ),
  'private/get_currencies': method('', '[Currency]'),
  'private/get_user_locks': method('', '[{currency:ccy enabled:bool message?:str}]'),
  'private/get_access_log': method('offset count', '{records_total:int data:[any]}'),
  'private/get_transfers': method('currency! count offset', '{count:int data:[any]}'),
  'private/get_deposits': method('currency! count offset', '{count:int data:[any]}'),
  'private/get_withdrawals': method('currency! count offset', '{count:int data:[any]}'),
  'private/get_current_deposit_address': method('currency!', 'null|map<any>'),
  'private/set_self_trading_config': method(
    'mode! extended_to_subaccounts! block_rfq_self_match_prevention',
    'ok',
  ),
  'private/get_mmp_config': method('index_name mmp_group block_rfq', '[MmpConfig]'),
  'private/set_mmp_config': method(
    'index_name! interval! frozen_time! mmp_group quantity_limit delta_limit vega_limit max_quote_quantity! ' +
      'block_rfq trade_count_limit',
    '[MmpConfig]',
  ),
  'private/get_mmp_status': method('index_name mmp_group block_rfq', '[MmpStatus]'),
  'private/reset_mmp': method('index_name! mmp_group block_rfq', 'ok'),
  'private/create_combo': method('trades!', 'Combo'),
  'private/get_leg_prices': method(
    'legs! price!',
    '{amount:num legs:[{ratio:num instrument_name:id direction:buy|sell price:num}]}',
  ),
};

const BLOCK_RFQ = {
  'private/create_block_rfq': method('legs! trade_allocations hedge label makers disclosed', 'Rfq'),
  'private/accept_block_rfq': method(
    'block_rfq_id! price! amount! direction! hedge legs! time_in_force!',
    '{trade_trigger?:map<any>|null block_trades:[{id:id timestamp:ms trades:[UserTrade] app_name?:str|null broker_code?:str broker_name?:str}]}',
  ),
  'private/add_block_rfq_quote': method(
    'label block_rfq_id! amount! direction! legs! hedge execution_instruction price expires_at',
    'RfqQuote',
  ),
  'private/edit_block_rfq_quote': method(
    'legs! amount! block_rfq_quote_id label hedge block_rfq_id price',
    'RfqQuote',
  ),
  'private/cancel_block_rfq': method('block_rfq_id!', 'Rfq'),
  'private/cancel_block_rfq_quote': method('block_rfq_quote_id label block_rfq_id', 'RfqQuote'),
  'private/cancel_all_block_rfq_quotes': method('block_rfq_id detailed', CANCELLED),
  'private/cancel_block_rfq_trigger': method('block_rfq_id!', 'ok|Rfq'),
  'private/get_block_rfqs': method(
    'count state role continuation block_rfq_id currency',
    '{block_rfqs:[Rfq] continuation?:str|null}',
  ),
  'private/get_block_rfq_quotes': method('block_rfq_id label block_rfq_quote_id', '[RfqQuote]'),
  'private/get_block_rfq_makers': method('', '[str]'),
  'private/get_block_rfq_user_info': method(
    '',
    '{parent?:{identity?:str is_maker?:bool} users?:[{user_id?:int taker_rating?:num|str identity?:str is_maker?:bool}]}',
  ),
};

export const METHOD_SHAPES: Readonly<Record<string, MethodShape>> = {
  ...SESSION,
  ...MARKET,
  ...ORDERS,
  ...OWN_TRADES,
  ...ACCOUNT,
  ...BLOCK_RFQ,
};

/** Documented, but not served: why the exchange answers them as an unknown method. Shown in `docs/deribit-wire.md`. */
export const NOT_SERVED: Readonly<Record<string, string>> = {
  'public/get_order_book_by_instrument_id':
    'no client is known to use it; `public/get_order_book` does the same by name',
  'public/get_announcements': 'nothing is announced',
  'private/set_self_trading_config': 'the rule for own orders that meet is fixed',
};
