// The objects of Deribit's published schemas; nothing of `src/gateway/deribit` is used here.
// What recordings of the wire have beyond the schema, or what we add, is in `ADDITIONS` with the reason.
import { ShapeBook } from './json-shape.ts';

const KIND = 'future|option|spot|future_combo|option_combo';
const STATE = 'open|settlement|delivered|inactive|locked|halted|archivized';
const SIDE = 'buy|sell';
const TRIGGER = 'index_price|mark_price|last_price';

/** Members that are on the wire although the schema does not have them. */
const ADDITIONS: readonly {
  readonly shape: string;
  readonly member: string;
  readonly reason: string;
}[] = [
  { shape: 'Order', member: 'user_id?:int', reason: 'in recordings of the wire' },
  { shape: 'Order', member: 'max_show?:num', reason: 'the older name of display_amount' },
  { shape: 'UserTrade', member: 'user_id?:int', reason: 'in recordings of the wire' },
  { shape: 'UserTrade', member: 'self_trade?:bool', reason: 'in recordings of the wire' },
  { shape: 'Stats', member: 'volume_notional?:num', reason: 'in recordings; read by ccxt' },
];

const OBJECTS: Readonly<Record<string, string>> = {
  Order: `
    order_id:id order_state:open|filled|rejected|cancelled|untriggered|triggered|speed_bumped
    order_type:market|limit|stop_market|stop_limit|take_market|take_limit|trailing_stop
    original_order_type?:market|market_limit
    time_in_force:good_til_cancelled|good_til_day|fill_or_kill|immediate_or_cancel
    is_rebalance?:bool is_liquidation?:bool instrument_name:id
    creation_timestamp:ms last_update_timestamp:ms direction:${SIDE} price:num|market_price label:str
    post_only:bool reject_post_only?:bool reduce_only?:bool api:bool web?:bool mobile?:bool
    refresh_amount?:num display_amount?:num amount?:num contracts?:num filled_amount?:num average_price?:num
    advanced?:usd|implv implv?:num usd?:num triggered?:bool trigger?:${TRIGGER}
    trigger_price?:num trigger_offset?:num trigger_reference_price?:num block_trade?:bool mmp?:bool
    risk_reducing?:bool replaced?:bool auto_replaced?:bool quote?:bool mmp_group?:str quote_set_id?:str
    quote_id?:str trigger_order_id?:id combo_order_id?:id app_name?:str mmp_cancelled?:bool
    cancel_reason?:user_request|autoliquidation|cancel_on_disconnect|risk_mitigation|pme_risk_reduction|pme_account_locked|position_locked|mmp_trigger|mmp_config_curtailment|edit_post_only_reject|oco_other_closed|oto_primary_closed|settlement|order_overlap|order_overlap_another_sub
    oto_order_ids?:[id] trigger_fill_condition?:first_hit|complete_fill|incremental oco_ref?:str
    primary_order_id?:id is_secondary_oto?:bool is_primary_otoco?:bool`,
  TradeLeg: `
    trade_id:id trade_seq:int instrument_name:id timestamp:ms order_id?:id order_type?:limit|market|liquidation
    direction:${SIDE} tick_direction:int index_price:num mark_price:num price:num amount:num contracts?:num
    iv?:num underlying_price?:num liquidity?:M|T fee?:num fee_currency?:ccy label?:str
    state?:open|filled|rejected|cancelled|untriggered|archive combo_id?:id combo_trade_id?:id
    post_only?:bool reduce_only?:bool mmp?:bool risk_reducing?:bool api?:bool profit_loss?:num
    matching_id?:str|null self_trade?:bool block_trade_id?:id block_trade_leg_count?:int user_id?:int`,
  UserTrade: `
    trade_id:id trade_seq:int instrument_name:id timestamp:ms order_type?:limit|market|liquidation
    original_order_type?:market|market_limit advanced?:usd|implv order_id:id matching_id:str|null
    direction:${SIDE} tick_direction:int index_price:num price:num amount:num contracts?:num iv?:num
    underlying_price?:num liquidation?:M|T|MT liquidity?:M|T fee:num fee_currency:ccy label?:str
    state:open|filled|rejected|cancelled|untriggered|archive block_trade_id?:id block_trade_leg_count?:int
    block_rfq_id?:int block_rfq_quote_id?:int reduce_only?:bool post_only?:bool mmp?:bool risk_reducing?:bool
    api?:bool profit_loss?:num mark_price:num legs?:[TradeLeg] combo_id?:id combo_trade_id?:id|int
    quote_set_id?:str quote_id?:str
    trade_allocations?:[{user_id?:int amount:num fee:num client_info?:{client_id?:int client_link_id?:int name?:str}}]`,
  PublicTrade: `
    trade_id:id trade_seq:int instrument_name:id timestamp:ms direction:${SIDE} tick_direction:int
    index_price:num price:num amount:num contracts?:num iv?:num liquidation?:M|T|MT mark_price:num
    block_trade_id?:id block_trade_leg_count?:int combo_id?:id combo_trade_id?:id|int block_rfq_id?:int legs?:[TradeLeg]`,
  Greeks: 'delta:num gamma:num rho:num theta:num vega:num',
  Stats: 'volume:num low:num|null high:num|null price_change?:num|null volume_usd?:num',
  Ticker: `
    instrument_name:id timestamp:ms state:${STATE} stats:Stats open_interest:num
    best_bid_price:num|null best_bid_amount:num best_ask_price:num|null best_ask_amount:num
    index_price:num min_price:num max_price:num mark_price:num last_price:num|null
    underlying_price?:num underlying_index?:id interest_rate?:num bid_iv?:num ask_iv?:num mark_iv?:num
    greeks?:Greeks funding_8h?:num current_funding?:num interest_value?:num delivery_price?:num
    settlement_price?:num estimated_delivery_price:num
    is_anchor_breached?:bool anchor_min_price?:num anchor_max_price?:num`,
  OrderBook: '...Ticker bids:[[num,num]] asks:[[num,num]] change_id:int',
  Instrument: `
    kind:${KIND} settlement_currency?:ccy counter_currency?:ccy base_currency:ccy quote_currency:ccy
    min_trade_amount:num instrument_name:id instrument_id?:int is_active:bool
    settlement_period?:day|week|month|perpetual creation_timestamp:ms tick_size:num
    tick_size_steps?:[{above_price:num tick_size:num}] expiration_timestamp?:ms strike?:num
    option_type?:call|put future_type?:linear|reversed instrument_type?:linear|reversed contract_size:num lot_size?:num
    maker_commission?:num taker_commission?:num max_liquidation_commission?:num block_trade_commission?:num
    block_trade_tick_size?:num block_trade_min_trade_amount?:num max_leverage?:int price_index:id
    underlying_type?:crypto|equity|commodity|preipo|equity_etf|crypto_index|adr|foreign_equity|equity_index|commodity_index|commodity_etf|otc
    state?:${STATE} base_currency_uuid?:str quote_currency_uuid?:str qty_tick_size?:num index_id?:int
    product_group?:BTC|ETH|TIER_2|TIER_3 is_csr?:bool is_cbe_routed?:bool`,
  Position: `
    instrument_name:id kind:future|option|future_combo|option_combo average_price:num direction:buy|sell|zero
    mark_price:num delta:num gamma?:num vega?:num theta?:num index_price:num initial_margin:num
    maintenance_margin:num settlement_price:num total_profit_loss:num floating_profit_loss:num
    realized_profit_loss:num size:num size_currency?:num average_price_usd?:num floating_profit_loss_usd?:num
    leverage?:int realized_funding?:num interest_value?:num estimated_liquidation_price?:num|null
    open_orders_margin?:num`,
  BookSummary: `
    instrument_name:id high:num|null low:num|null base_currency:ccy quote_currency:ccy volume:num
    bid_price:num|null ask_price:num|null mid_price:num|null mark_price:num last:num|null open_interest:num
    creation_timestamp:ms estimated_delivery_price?:num volume_usd?:num volume_notional?:num
    current_funding?:num funding_8h?:num mark_iv?:num interest_rate?:num underlying_index?:id
    underlying_price?:num price_change?:num|null`,
  Currency: `
    withdrawal_fee:num withdrawal_priorities?:[{name:str value:num}] min_withdrawal_fee?:num currency:ccy
    currency_long:id min_confirmations:int coin_type:id in_cross_collateral_pool:bool apr?:num
    network_fee?:num network_currency?:ccy decimals?:int currency_uuid?:str`,
  IndexName: 'name:id future_combo_creation_enabled?:bool option_combo_creation_enabled?:bool',
  Portfolio: `
    currency:ccy equity:num balance:num available_funds:num available_withdrawal_funds:num margin_balance:num
    initial_margin:num maintenance_margin:num projected_initial_margin?:num projected_maintenance_margin:num
    session_upl:num session_rpl:num total_pl:num futures_pl:num futures_session_upl:num futures_session_rpl:num
    options_pl:num options_value:num options_session_upl:num options_session_rpl:num options_delta:num
    options_gamma:num options_theta:num options_vega:num options_gamma_map:map<num> options_theta_map:map<num>
    options_vega_map:map<num> delta_total?:num delta_total_map:map<num> projected_delta_total:num
    portfolio_margining_enabled:bool cross_collateral_enabled:bool margin_model:str total_equity_usd?:num
    total_initial_margin_usd?:num total_maintenance_margin_usd?:num total_margin_balance_usd?:num
    total_delta_total_usd?:num locked_balance?:num fee_balance?:num additional_reserve?:num
    close_out_margin?:num projected_close_out_margin?:num spot_reserve?:num`,
  Rate: 'burst:int rate:int',
  Limits: `
    non_matching_engine:Rate limits_per_currency:bool
    matching_engine:{trading:{total:Rate}|map<any> spot?:Rate cancel_all?:Rate maximum_quotes?:any
      maximum_mass_quotes?:any guaranteed_mass_quotes?:any}`,
  Product: 'product:str enabled:bool overwriteable:bool requires_consent:bool',
  Fee: 'currency?:ccy fee_type?:str instrument_type?:str index_name?:str kind?:str maker_fee?:num taker_fee?:num value?:any',
  CurrencySummary: `
    total_pl:num session_rpl:num session_upl:num available_funds:num available_withdrawal_funds:num
    margin_balance?:num balance:num spot_reserve?:num locked_balance?:num additional_reserve?:num fee_balance?:num
    fee_group?:str currency:ccy delta_total:num projected_delta_total:num delta_total_map?:map<num>
    deposit_address?:str equity:num futures_pl:num futures_session_rpl:num futures_session_upl:num
    initial_margin:num maintenance_margin:num options_delta:num options_gamma:num options_pl:num
    options_session_rpl:num options_session_upl:num options_theta:num options_value:num options_vega:num
    options_gamma_map:map<num> options_theta_map:map<num> options_vega_map:map<num>
    projected_initial_margin?:num projected_maintenance_margin:num close_out_margin?:num
    projected_close_out_margin?:num portfolio_margining_enabled?:bool cross_collateral_enabled?:bool
    margin_model?:str total_equity_usd?:num total_initial_margin_usd?:num total_maintenance_margin_usd?:num
    total_margin_balance_usd?:num total_delta_total_usd?:num limits?:Limits has_non_block_chain_equity?:bool
    fees?:[Fee] affiliate_promotion_fee?:num trading_products_details?:[Product] receive_notifications?:bool`,
  AccountHead: `
    id?:int system_name?:str username?:str type?:main|subaccount login_enabled?:bool email?:str
    security_keys_enabled?:bool mmp_enabled?:bool interuser_transfers_enabled?:bool referrer_id?:str|null
    creation_timestamp?:ms self_trading_reject_mode?:reject_taker|cancel_maker
    self_trading_extended_to_subaccounts?:bool block_rfq_self_match_prevention?:bool
    is_direct_access_allowed?:bool`,
  AccountSummary: '...CurrencySummary ...AccountHead',
  AccountSummaries: `...AccountHead affiliate_promotion_fee?:num trading_products_details?:[Product]
    receive_notifications?:bool summaries:[CurrencySummary]`,
  Subaccount: `
    username:str type:main|subaccount id:int email:str not_confirmed_email?:str security_keys_enabled:bool
    security_keys_assignments?:[any] system_name:str receive_notifications:bool is_password:bool
    margin_model?:str proof_id?:str proof_id_signature?:str login_enabled?:bool
    portfolio?:map<{margin_balance:num currency:str maintenance_margin:num initial_margin:num equity:num
      balance:num available_withdrawal_funds:num available_funds:num additional_reserve:num spot_reserve:num}>`,
  LogEntry: `
    id:int currency:ccy timestamp:ms user_id:int username?:str commission:num cashflow:num balance:num
    change:num user_seq:int type:id role?:source|destination info?:any equity?:num mark_price?:num
    settlement_price?:num index_price?:num instrument_name?:id position?:num side?:str amount?:num price?:num
    price_currency?:str trade_id?:id order_id?:id user_role?:maker|taker fee_role?:maker|taker
    profit_as_cashflow?:bool interest_pl?:num block_rfq_id?:int ip?:str session_rpl?:num session_upl?:num
    total_interest_pl?:num contracts?:num fee_balance?:num`,
  Settlement: `
    funding?:num funded?:num index_price?:num instrument_name?:id mark_price?:num position?:num
    profit_loss?:num|null session_bankruptcy?:num session_profit_loss?:num session_tax?:num
    session_tax_rate?:num socialized?:num timestamp:ms type:settlement|delivery|bankruptcy`,
  TriggerEntry: `
    timestamp:ms trigger:${TRIGGER} trigger_price:num|null trigger_offset:num|null trigger_order_id:id
    order_id:id|null order_state:id instrument_name:id request:id direction:${SIDE} price:num|market_price|null
    amount:num last_update_timestamp?:ms reduce_only:bool post_only:bool order_type:limit|market label?:str
    is_secondary_oto?:bool oco_ref?:str source?:str`,
  MmpConfig: `
    index_name:id interval:int frozen_time:int id?:int mmp_group?:str quantity_limit?:num delta_limit?:num
    vega_limit?:num max_quote_quantity?:num block_rfq?:bool trade_count_limit?:int`,
  MmpStatus: 'index_name:id frozen_until:int mmp_group?:str block_rfq?:bool',
  Combo: `
    id:id instrument_id?:int state:active|inactive state_timestamp:ms creation_timestamp:ms
    legs:[{instrument_name:id amount:int}]`,
  RfqLeg: 'ratio:int instrument_name:id direction:buy|sell price?:num|null',
  RfqHedge: 'amount:num instrument_name:id direction:buy|sell price:num',
  Rfq: `
    creation_timestamp:ms expiration_timestamp:ms block_rfq_id:int role:taker|maker|any
    state:open|filled|cancelled|expired taker_rating?:str|num amount:num min_trade_amount?:num legs:[RfqLeg]
    hedge?:RfqHedge combo_id?:str|null disclosed?:bool taker?:str index_prices?:map<num>
    included_in_taker_rating?:bool
    trades?:[{direction:buy|sell price:num|null amount:num maker?:str hedge_amount?:num}]
    makers?:[str] bids?:[RfqOffer] asks?:[RfqOffer] label?:str app_name?:str mark_price?:num
    trade_trigger?:{state:str price:num direction:buy|sell cancel_reason?:str} trade_allocations?:[any]`,
  RfqOffer: `
    makers:[str] price:num last_update_timestamp:ms execution_instruction:all_or_none|any_part_of amount:num
    expires_at?:ms`,
  RfqQuote: `
    creation_timestamp:ms last_update_timestamp:ms block_rfq_id:int block_rfq_quote_id:int
    quote_state:open|filled|cancelled|expired quote_state_reason?:str
    execution_instruction:all_or_none|any_part_of price?:num amount:num direction:buy|sell filled_amount:num
    legs:[RfqLeg] hedge?:RfqHedge replaced:bool label?:str app_name?:str expires_at?:ms`,
  RfqTape: `
    id:int timestamp:ms direction:buy|sell amount:num mark_price?:num|null legs:[RfqLeg] combo_id?:str|null
    hedge?:RfqHedge trades:[{direction:buy|sell price:num amount:num hedge_amount?:num}] index_prices?:map<num>`,
  OrderAndTrades: 'order:Order trades:[UserTrade]',
  Trades: 'trades:[PublicTrade] has_more:bool',
  UserTrades: 'trades:[UserTrade] has_more:bool',
  Settlements: 'continuation?:str|null settlements:[Settlement]',
  Token: `
    access_token:id expires_in:int refresh_token:id scope:id token_type:bearer sid?:id enabled_features?:[str]
    state?:str mandatory_tfa_status?:str google_login?:bool`,
  BookChange: `
    type:snapshot|change timestamp:ms instrument_name:id change_id:int prev_change_id?:int
    bids:[[new|change|delete,num,num]] asks:[[new|change|delete,num,num]]`,
  GroupedBook: 'timestamp:ms instrument_name:id change_id:int bids:[[num,num]] asks:[[num,num]]',
  Quote: `
    timestamp:ms instrument_name:id best_bid_price:num|null best_bid_amount:num best_ask_price:num|null
    best_ask_amount:num`,
  UserChanges: 'instrument_name:id orders:[Order] trades:[UserTrade] positions:[Position]',
};

const withAdditions = Object.fromEntries(
  Object.entries(OBJECTS).map(([name, members]) => {
    const added = ADDITIONS.filter((one) => one.shape === name).map((one) => one.member);
    return [name, [members, ...added].join(' ')];
  }),
);

export const WIRE = new ShapeBook(withAdditions);
