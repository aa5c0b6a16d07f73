// An account in one currency on Deribit's wire, in answers and on `user.portfolio`.
//
// Decisions: margins are standard and each currency stands alone (`segregated_sm`), so the fields of portfolio margin
// and of cross collateral say that they are off, and those of the totals in USD are absent; projected numbers are the
// present ones; what can be withdrawn is what is free, capped by the cash. The session's realised profit of options includes
// closed ones; a venue that does not report it separately shows that of the open option positions. Members that a margin
// model leaves out are read as zero.
import type { AccountSummary, OpenPosition } from '../../values/account-report.ts';
import {
  type Money,
  minus,
  money,
  plus,
  type Ratio,
  ratio,
  smaller,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import { type AccountId, type Currency, currency } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';
import { idOf, MODEL_OR_ZERO, MONEY, MONEY_OR_ZERO } from './field-forms.ts';
import { decimalNumber, type JsonNumber, modelRatio, ZERO } from './json-number.ts';
import type { Fields } from './message-fields.ts';
import { type JsonObject, recordTable } from './record-table.ts';

/** Of a position; absent for an instrument that has left the list. */
type InstrumentOf = (position: OpenPosition) => Instrument | undefined;

/** What an account has in one currency, with its positions there. */
export interface AccountInCurrency {
  readonly summary: AccountSummary;
  readonly positions: readonly OpenPosition[];
  readonly instrumentOf: InstrumentOf;
}

type ByIndex = Readonly<Record<string, JsonNumber>>;

/** Sums over the positions. */
interface Totals {
  readonly futuresProfit: Money;
  readonly futuresUnrealised: Money;
  readonly optionsProfit: Money;
  readonly optionsRealised: Money;
  readonly optionsDelta: Ratio;
  readonly optionsGamma: ByIndex;
  readonly optionsVega: ByIndex;
  readonly optionsTheta: ByIndex;
  readonly delta: ByIndex;
}

const { field, written, derived, writer, reader } = recordTable<
  AccountSummary,
  Totals,
  { readonly account: AccountId }
>();

const ACCOUNT_ROWS = [
  derived('account', (_, { account }) => account),
  field('currency', 'currency', idOf(currency)),
  field('balance', 'balance', MONEY),
  field('equity', 'equity', MONEY),
  field('margin_balance', 'marginBalance', {
    write: decimalNumber,
    read: (of, name) => money(of.digitsIf(name) ?? of.digitsIf('equity') ?? '0'),
  }),
  field('available_funds', 'availableFunds', MONEY_OR_ZERO),
  written('available_withdrawal_funds', ({ availableFunds, balance }) =>
    decimalNumber(smaller(availableFunds, balance)),
  ),
  field('spot_reserve', 'spotReserve', MONEY_OR_ZERO),
  written('locked_balance', () => ZERO),
  written('additional_reserve', () => ZERO),
  written('fee_balance', () => ZERO),
  field('initial_margin', 'initialMargin', MONEY_OR_ZERO),
  field('maintenance_margin', 'maintenanceMargin', MONEY_OR_ZERO),
  written('projected_initial_margin', ({ initialMargin }) => decimalNumber(initialMargin)),
  written('projected_maintenance_margin', ({ maintenanceMargin }) =>
    decimalNumber(maintenanceMargin),
  ),
  field('session_rpl', 'sessionRealised', MONEY_OR_ZERO),
  field('session_upl', 'sessionUnrealised', MONEY_OR_ZERO),
  written('total_pl', (_, { futuresProfit, optionsProfit }) =>
    decimalNumber(plus(futuresProfit, optionsProfit)),
  ),
  written('futures_pl', (_, { futuresProfit }) => decimalNumber(futuresProfit)),
  written('futures_session_rpl', ({ sessionRealised }, { optionsRealised }) =>
    decimalNumber(minus(sessionRealised, optionsRealised)),
  ),
  written('futures_session_upl', (_, { futuresUnrealised }) => decimalNumber(futuresUnrealised)),
  written('options_pl', (_, { optionsProfit }) => decimalNumber(optionsProfit)),
  written('options_session_rpl', (_, { optionsRealised }) => decimalNumber(optionsRealised)),
  written('options_session_upl', ({ sessionUnrealised }, { futuresUnrealised }) =>
    decimalNumber(minus(sessionUnrealised, futuresUnrealised)),
  ),
  field('options_value', 'optionsValue', MONEY_OR_ZERO),
  written('options_delta', (_, { optionsDelta }) => modelRatio(optionsDelta)),
  field('options_gamma', 'optionsGamma', MODEL_OR_ZERO),
  field('options_vega', 'optionsVega', MODEL_OR_ZERO),
  field('options_theta', 'optionsTheta', MODEL_OR_ZERO),
  written('options_gamma_map', (_, { optionsGamma }) => optionsGamma),
  written('options_vega_map', (_, { optionsVega }) => optionsVega),
  written('options_theta_map', (_, { optionsTheta }) => optionsTheta),
  field('delta_total', 'deltaTotal', MODEL_OR_ZERO),
  written('delta_total_map', (_, { delta }) => delta),
  written('projected_delta_total', ({ deltaTotal }) => modelRatio(deltaTotal)),
  written('portfolio_margining_enabled', () => false),
  written('cross_collateral_enabled', () => false),
  written('margin_model', () => 'segregated_sm'),
];

const write = writer(ACCOUNT_ROWS);
const read = reader(ACCOUNT_ROWS);

export type AccountJson = JsonObject & { readonly currency: Currency };

export const accountJson = (account: AccountInCurrency): AccountJson =>
  Object.assign(write(account.summary, totalsOf(account)), { currency: account.summary.currency });

/** @throws MalformedMessage */
export const summaryIn = (of: Fields, account: AccountId): AccountSummary => read(of, { account });

const NONE = ratio('0');

const profitOf = ({ floatingProfitLoss, realizedProfitLoss }: OpenPosition): Money =>
  plus(floatingProfitLoss, realizedProfitLoss);

const sum = (positions: readonly OpenPosition[], of: (position: OpenPosition) => Money): Money =>
  positions.reduce((all, position) => plus(all, of(position)), ZERO_MONEY);

function totalsOf({ summary, positions, instrumentOf }: AccountInCurrency): Totals {
  const options = positions.filter(({ kind }) => kind === 'option');
  const futures = positions.filter(({ kind }) => kind === 'perpetual' || kind === 'future');
  const byIndex = (of: readonly OpenPosition[], value: (one: OpenPosition) => Ratio | undefined) =>
    perIndex(of, instrumentOf, value);
  return {
    futuresProfit: sum(futures, profitOf),
    futuresUnrealised: sum(futures, ({ floatingProfitLoss }) => floatingProfitLoss),
    optionsProfit: sum(options, profitOf),
    optionsRealised:
      summary.optionsSessionRealised ??
      sum(options, ({ realizedProfitLoss }) => realizedProfitLoss),
    optionsDelta: options.reduce((all, { delta }) => plus(all, delta), NONE),
    optionsGamma: byIndex(options, ({ gamma }) => gamma),
    optionsVega: byIndex(options, ({ vega }) => vega),
    optionsTheta: byIndex(options, ({ theta }) => theta),
    delta: byIndex(positions, ({ delta }) => delta),
  };
}

function perIndex(
  positions: readonly OpenPosition[],
  instrumentOf: InstrumentOf,
  value: (position: OpenPosition) => Ratio | undefined,
): ByIndex {
  const sums = new Map<string, Ratio>();
  for (const position of positions) {
    const index = instrumentOf(position)?.indexName;
    if (index === undefined) continue;
    sums.set(index, plus(sums.get(index) ?? NONE, value(position) ?? NONE));
  }
  return Object.fromEntries([...sums].map(([index, total]) => [index, modelRatio(total)]));
}
