// An account in one currency as Deribit's wire shows it, in answers and on `user.portfolio`.
//
// Decisions: margins are standard and each currency stands alone (`segregated_sm`), so the fields of portfolio margin
// and of cross collateral say that they are off, and those of the totals in USD are absent; projected numbers are the
// present ones; what can be withdrawn is what is free, capped by the cash. The session's realised profit of options includes
// closed ones; a venue that does not report it separately shows that of the open option positions.
import type { AccountSummary, OpenPosition } from '../../../values/account-report.ts';
import {
  type Money,
  minus,
  plus,
  type Ratio,
  ratio,
  smaller,
  ZERO_MONEY,
} from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { decimalNumber, type JsonNumber } from '../method/json-number.ts';
import { modelText, ZERO } from './deribit-position-json.ts';

/** What an account has in one currency, with its positions there. */
export interface AccountInCurrency {
  readonly summary: AccountSummary;
  readonly positions: readonly OpenPosition[];
  /** Of a position; absent for an instrument that has left the list. */
  readonly instrumentOf: (position: OpenPosition) => Instrument | undefined;
}

export function accountJson({ summary, positions, instrumentOf }: AccountInCurrency) {
  const options = positions.filter(({ kind }) => kind === 'option');
  const futures = positions.filter(({ kind }) => kind === 'perpetual' || kind === 'future');
  const optionsRealised =
    summary.optionsSessionRealised ?? sum(options, ({ realizedProfitLoss }) => realizedProfitLoss);
  const futuresUnrealised = sum(futures, ({ floatingProfitLoss }) => floatingProfitLoss);
  const futuresProfit = sum(futures, profitOf);
  const optionsProfit = sum(options, profitOf);
  const byIndex = (of: readonly OpenPosition[], value: (one: OpenPosition) => Ratio | undefined) =>
    perIndex(of, instrumentOf, value);
  return {
    currency: summary.currency,
    balance: decimalNumber(summary.balance),
    equity: decimalNumber(summary.equity),
    margin_balance: decimalNumber(summary.marginBalance),
    available_funds: decimalNumber(summary.availableFunds),
    available_withdrawal_funds: decimalNumber(withdrawable(summary)),
    spot_reserve: decimalNumber(summary.spotReserve),
    locked_balance: ZERO,
    additional_reserve: ZERO,
    fee_balance: ZERO,
    initial_margin: decimalNumber(summary.initialMargin),
    maintenance_margin: decimalNumber(summary.maintenanceMargin),
    projected_initial_margin: decimalNumber(summary.initialMargin),
    projected_maintenance_margin: decimalNumber(summary.maintenanceMargin),
    session_rpl: decimalNumber(summary.sessionRealised),
    session_upl: decimalNumber(summary.sessionUnrealised),
    total_pl: decimalNumber(plus(futuresProfit, optionsProfit)),
    futures_pl: decimalNumber(futuresProfit),
    futures_session_rpl: decimalNumber(minus(summary.sessionRealised, optionsRealised)),
    futures_session_upl: decimalNumber(futuresUnrealised),
    options_pl: decimalNumber(optionsProfit),
    options_session_rpl: decimalNumber(optionsRealised),
    options_session_upl: decimalNumber(minus(summary.sessionUnrealised, futuresUnrealised)),
    options_value: decimalNumber(summary.optionsValue),
    options_delta: modelText(options.reduce((all, { delta }) => plus(all, delta), NONE)),
    options_gamma: modelText(summary.optionsGamma),
    options_vega: modelText(summary.optionsVega),
    options_theta: modelText(summary.optionsTheta),
    options_gamma_map: byIndex(options, ({ gamma }) => gamma),
    options_vega_map: byIndex(options, ({ vega }) => vega),
    options_theta_map: byIndex(options, ({ theta }) => theta),
    delta_total: modelText(summary.deltaTotal),
    delta_total_map: byIndex(positions, ({ delta }) => delta),
    projected_delta_total: modelText(summary.deltaTotal),
    portfolio_margining_enabled: false,
    cross_collateral_enabled: false,
    margin_model: 'segregated_sm',
  };
}

const NONE = ratio('0');

const profitOf = ({ floatingProfitLoss, realizedProfitLoss }: OpenPosition): Money =>
  plus(floatingProfitLoss, realizedProfitLoss);

const sum = (positions: readonly OpenPosition[], of: (position: OpenPosition) => Money): Money =>
  positions.reduce((all, position) => plus(all, of(position)), ZERO_MONEY);

/** Profit of the session is not paid yet. */
const withdrawable = ({ availableFunds, balance }: AccountSummary): Money =>
  smaller(availableFunds, balance);

function perIndex(
  positions: readonly OpenPosition[],
  instrumentOf: AccountInCurrency['instrumentOf'],
  value: (position: OpenPosition) => Ratio | undefined,
): Readonly<Record<string, JsonNumber>> {
  const sums = new Map<string, Ratio>();
  for (const position of positions) {
    const index = instrumentOf(position)?.indexName;
    if (index === undefined) continue;
    sums.set(index, plus(sums.get(index) ?? NONE, value(position) ?? NONE));
  }
  return Object.fromEntries([...sums].map(([index, total]) => [index, modelText(total)]));
}
