// Documented members that no answer in the tests has, with the reason. A member that begins to be filled, or is filled
// no more, fails the test.

const SUMMARIES = ['AccountSummary', 'CurrencySummary'];
const EQUITIES = [...SUMMARIES, 'Portfolio'];
const TICKERS = ['Ticker', 'OrderBook'];
const of = (shapes: readonly string[], members: string): string[] =>
  shapes.flatMap((shape) => members.split(' ').map((member) => `${shape}.${member}`));

const LEG =
  'api block_trade_id block_trade_leg_count iv label matching_id mmp post_only profit_loss reduce_only ' +
  'risk_reducing self_trade underlying_price user_id';

const REASONS: Readonly<Record<string, readonly string[]>> = {
  'the exchange has no wallet, no blockchain and no fee groups': [
    ...of(SUMMARIES, 'deposit_address fee_group has_non_block_chain_equity'),
    ...of(['Currency'], 'apr network_currency network_fee'),
  ],
  'keys are configured: there is no user account behind them': [
    ...of([...SUMMARIES, 'AccountSummaries'], 'affiliate_promotion_fee'),
    'CurrencySummary.trading_products_details',
    ...of(['AccountSummary', 'AccountSummaries'], 'creation_timestamp referrer_id'),
    'CurrencySummary.receive_notifications',
    ...of(['Subaccount'], 'not_confirmed_email proof_id proof_id_signature'),
    ...of(['Token'], 'google_login mandatory_tfa_status'),
    ...of(['Rfq', 'RfqQuote'], 'app_name'),
    ...of(['Order'], 'app_name mobile'),
    'LogEntry.ip',
  ],
  'each currency has margin of its own; nothing is counted across currencies': [
    ...of(EQUITIES, 'close_out_margin projected_close_out_margin total_delta_total_usd'),
    ...of(EQUITIES, 'total_equity_usd total_initial_margin_usd total_maintenance_margin_usd'),
    ...of(EQUITIES, 'total_margin_balance_usd'),
  ],
  'nobody is liquidated in the course': of(['PublicTrade', 'UserTrade'], 'liquidation'),
  'the exchange does not keep it': [
    ...of(['LogEntry'], 'equity fee_balance price_currency role'),
    ...of(['LogEntry'], 'session_rpl session_upl settlement_price total_interest_pl'),
    ...of(['Settlement'], 'funded session_bankruptcy session_tax session_tax_rate socialized'),
    ...of(TICKERS, 'anchor_max_price anchor_min_price is_anchor_breached'),
    ...of(['Fee'], 'index_name kind value'),
    ...of(['Instrument'], 'is_cbe_routed is_csr lot_size'),
    ...of(['Instrument'], 'block_trade_min_trade_amount block_trade_tick_size'),
  ],
  'only after a daily settlement': ['LogEntry.interest_pl'],
  'only after a delivery': of(TICKERS, 'delivery_price'),
  'mass quotes are not served': [
    ...of(['Order'], 'quote quote_id quote_set_id'),
    ...of(['UserTrade'], 'quote_id quote_set_id'),
  ],
  'a leg of a trade has what is its own, and the combo of the course is one of futures': [
    ...of(['TradeLeg'], LEG),
    'Order.combo_order_id',
  ],
  'the exchange does not tell it of a block': [
    'RfqTape.index_prices',
    'UserTrade.block_trade_leg_count',
  ],
  'the public tape has no block trades': of(
    ['PublicTrade'],
    'block_rfq_id block_trade_id block_trade_leg_count',
  ),
  'the course has one group of protection, and nothing that it cancels': [
    ...of(['MmpConfig'], 'mmp_group trade_count_limit vega_limit'),
    ...of(['MmpStatus'], 'block_rfq mmp_group'),
    ...of(['Order'], 'mmp_cancelled mmp_group'),
  ],
  'the course has no order in dollars and no block of orders': [
    ...of(['Order'], 'block_trade usd'),
    'UserTrade.advanced',
  ],
  'a market order is shown with its own type': of(['Order', 'UserTrade'], 'original_order_type'),
};

export const NOT_FILLED: ReadonlySet<string> = new Set(Object.values(REASONS).flat());
