// Positions and account summaries as Deribit reports them. Members that a margin model leaves out are zero.
import type { AccountSummary, OpenPosition } from '../../../values/account-report.ts';
import {
  absolute,
  isZero,
  type Money,
  money,
  negated,
  price,
  type Quantity,
  type Ratio,
  ratio,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import { type AccountId, currency, instrumentName } from '../../../values/ids.ts';
import type { TermsOf } from '../orders/order-message.ts';
import type { Fields } from '../wire/message-fields.ts';

const KINDS = ['future', 'option', 'spot', 'future_combo', 'option_combo'] as const;
const DIRECTIONS = ['buy', 'sell', 'zero'] as const;

const moneyOf = (of: Fields, name: string): Money => money(of.digitsIf(name) ?? '0');
const ratioOf = (of: Fields, name: string): Ratio => ratio(of.digitsIf(name) ?? '0');
const ratioIf = (of: Fields, name: string): Ratio | undefined =>
  of.has(name) ? ratioOf(of, name) : undefined;

/** @throws MalformedMessage */
export function positionIn(of: Fields, account: AccountId, termsOf: TermsOf): OpenPosition {
  const instrument = instrumentName(of.text('instrument_name'));
  const kind = of.word('kind', KINDS, 'future' as const);
  return {
    account,
    instrument,
    // On the wire a perpetual is a future.
    kind: termsOf(instrument)?.kind ?? kind,
    quantity: signedSize(of),
    averagePrice: of.priceIf('average_price') ?? price('0'),
    markPrice: of.priceIf('mark_price'),
    indexPrice: of.priceIf('index_price'),
    settlementPrice: of.priceIf('settlement_price'),
    floatingProfitLoss: moneyOf(of, 'floating_profit_loss'),
    realizedProfitLoss: moneyOf(of, 'realized_profit_loss'),
    delta: ratioOf(of, 'delta'),
    gamma: ratioIf(of, 'gamma'),
    vega: ratioIf(of, 'vega'),
    theta: ratioIf(of, 'theta'),
    initialMargin: moneyOf(of, 'initial_margin'),
    maintenanceMargin: moneyOf(of, 'maintenance_margin'),
    openOrdersMargin: moneyOf(of, 'open_orders_margin'),
    realizedFunding: of.has('realized_funding') ? moneyOf(of, 'realized_funding') : undefined,
  };
}

/** A short is sent with either sign; its direction is safe. */
function signedSize(of: Fields): Quantity {
  const size = of.quantityIf('size') ?? ZERO_QUANTITY;
  const direction = of.wordIf('direction', DIRECTIONS, undefined);
  if (direction === undefined || isZero(size)) return size;
  if (direction === 'zero') return ZERO_QUANTITY;
  return direction === 'sell' ? negated(absolute(size)) : absolute(size);
}

/** @throws MalformedMessage */
export function summaryIn(of: Fields, account: AccountId): AccountSummary {
  return {
    account,
    currency: currency(of.text('currency')),
    balance: money(of.digits('balance')),
    equity: money(of.digits('equity')),
    availableFunds: moneyOf(of, 'available_funds'),
    marginBalance: of.has('margin_balance') ? moneyOf(of, 'margin_balance') : moneyOf(of, 'equity'),
    initialMargin: moneyOf(of, 'initial_margin'),
    maintenanceMargin: moneyOf(of, 'maintenance_margin'),
    sessionRealised: moneyOf(of, 'session_rpl'),
    sessionUnrealised: moneyOf(of, 'session_upl'),
    optionsValue: moneyOf(of, 'options_value'),
    spotReserve: moneyOf(of, 'spot_reserve'),
    deltaTotal: ratioOf(of, 'delta_total'),
    optionsGamma: ratioOf(of, 'options_gamma'),
    optionsVega: ratioOf(of, 'options_vega'),
    optionsTheta: ratioOf(of, 'options_theta'),
  };
}
