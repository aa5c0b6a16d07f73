// Positions, summaries and subaccounts.
//
// Decisions: a flat position has zeros and the prices of its ticker; an account is never locked.

import { noPosition, positionJson } from '../../../ports/deribit-wire/position-rows.ts';
import { MarketUnanswered } from '../../../ports/market-reads.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { Instrument, InstrumentKind } from '../../../values/instrument.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { findInstrument, ifListed } from '../../order-api/find-instrument.ts';
import { answered, done } from '../../order-api/method.ts';
import { KINDS } from '../../order-api/param-fields.ts';
import { invalidParam } from '../../order-api/refusals.ts';
import { field, optional, optionalOr } from '../../wire/fields.ts';
import { accountLimits } from '../method/credit-rules.ts';
import { type DeribitMethod, type PrivateCall, privateMethod } from '../method/deribit-method.ts';
import { flagParam } from '../method/deribit-params.ts';
import { currencyParam, instrumentParam } from '../method/instrument-params.ts';
import { asSubaccount, subaccountParam } from '../method/private-params.ts';
import { currenciesOf, readCurrencies, readCurrency } from './account-reads.ts';
import { feesJson, ownerJson, rulesJson } from './deribit-account-owner.ts';

/** Spot is held as balances, not as positions. */
const positionKind = optional(
  field<readonly InstrumentKind[], string>({
    schema: { type: 'string', enum: Object.keys(KINDS).filter((kind) => kind !== 'spot') },
    description: 'Kind of the instruments; all when absent',
    accepted: 'future, option, future_combo, option_combo, any; there are no positions in spot',
    read: (value) =>
      typeof value === 'string' && value !== 'spot' && Object.hasOwn(KINDS, value)
        ? KINDS[value]
        : undefined,
  }),
);

const positions = privateMethod({
  row: ROWS.getPositions,
  params: {
    currency: optional(currencyParam),
    kind: positionKind,
    subaccount_id: subaccountParam,
  },
  run: (call, { currency, kind: kinds, subaccount_id: id }) =>
    asSubaccount(call, id, ({ account, desk }) =>
      answered(desk.positions({ account, currency: currency?.code, kinds }), (found) =>
        found
          .filter(({ kind }) => kind !== 'spot')
          .map((one) => positionJson(one, desk.instrument(one.instrument))),
      ),
    ),
});

const position = privateMethod({
  row: ROWS.getPosition,
  params: { instrumentName: instrumentParam },
  run: (call, { instrumentName: name }) =>
    ifListed(call, name, (instrument) =>
      instrument.kind === 'spot'
        ? invalidParam('instrument_name', 'is spot; accepted: an instrument that has positions')
        : readPosition(call, instrument),
    ),
});

async function readPosition(call: PrivateCall, instrument: Instrument): Promise<Reply<unknown>> {
  const { account, desk } = call;
  const reply = await desk.positions({ account, instrument: instrument.name });
  if (reply.kind !== 'done') return reply;
  const [found] = reply.value;
  return done(
    found === undefined
      ? noPosition(account, instrument, await pricesOf(call, instrument))
      : positionJson(found, instrument),
  );
}

async function pricesOf({ orders }: PrivateCall, { name }: Instrument) {
  try {
    const ticker = await findInstrument(orders.markets(), name)?.market.ticker(name);
    const { mark: markPrice, index: indexPrice, settlementPrice } = ticker ?? {};
    return { markPrice, indexPrice, settlementPrice };
  } catch (error) {
    if (error instanceof MarketUnanswered) return {};
    throw error;
  }
}

const extended = optionalOr(flagParam('The owner, limits and fees too'), false);

const summary = privateMethod({
  row: ROWS.getAccountSummary,
  params: { currency: currencyParam, extended, subaccount_id: subaccountParam },
  run: (call, { currency: { code }, extended: isWhole, subaccount_id: id }) =>
    code === undefined
      ? invalidParam('currency', 'is any; accepted: one currency such as BTC')
      : asSubaccount(call, id, ({ account, desk, login, orders, credits }) =>
          answered(readCurrency({ account, desk }, code), (numbers) => ({
            ...numbers,
            ...(isWhole && {
              ...ownerJson(login.key, account),
              ...rulesJson(orders.mmp !== undefined),
              limits: accountLimits(credits),
              fees: feesJson(desk, code),
            }),
          })),
        ),
});

const summaries = privateMethod({
  row: ROWS.getAccountSummaries,
  params: { extended, subaccount_id: subaccountParam },
  run: (call, { extended: isWhole, subaccount_id: id }) =>
    asSubaccount(call, id, ({ account, desk, login, orders, credits }) =>
      answered(readCurrencies({ account, desk }), (numbers) => ({
        ...ownerJson(login.key, account),
        ...(isWhole && rulesJson(orders.mmp !== undefined)),
        summaries: numbers.map((one) => ({
          ...one,
          ...(isWhole && { limits: accountLimits(credits), fees: feesJson(desk, one.currency) }),
        })),
      })),
    ),
});

const PORTFOLIO = [
  'currency',
  'balance',
  'equity',
  'margin_balance',
  'available_funds',
  'available_withdrawal_funds',
  'initial_margin',
  'maintenance_margin',
  'spot_reserve',
  'additional_reserve',
] as const;

const subaccounts = privateMethod({
  row: ROWS.getSubaccounts,
  params: { with_portfolio: optionalOr(flagParam('The balances of each too'), false) },
  run: async (call, { with_portfolio: withPortfolio }) => {
    const { key } = call.login;
    const shown: unknown[] = [];
    for (const account of key.accounts) {
      const desk = call.orders.forAccount(account);
      if (desk === undefined) continue;
      const numbers = withPortfolio ? await readCurrencies({ account, desk }) : done([]);
      if (numbers.kind !== 'done') return numbers;
      shown.push({
        ...ownerJson(key, account),
        is_password: false,
        margin_model: 'segregated_sm',
        security_keys_assignments: [],
        ...(withPortfolio && { portfolio: portfolioJson(numbers.value) }),
      });
    }
    return done(shown);
  },
});

type Numbers = Extract<
  Awaited<ReturnType<typeof readCurrency>>,
  { readonly kind: 'done' }
>['value'];

/** Keyed by currency in lower case, as documented. */
const portfolioJson = (numbers: readonly Numbers[]) =>
  Object.fromEntries(
    numbers.map((one) => {
      const code = one.currency.toLowerCase();
      const fields = Object.fromEntries(PORTFOLIO.map((name) => [name, one[name]]));
      return [code, { ...fields, currency: code }];
    }),
  );

const userLocks = privateMethod({
  row: ROWS.getUserLocks,
  params: {},
  run: ({ desk }) => done(currenciesOf(desk).map((currency) => ({ currency, enabled: false }))),
});

export const DERIBIT_ACCOUNT_QUERIES: readonly DeribitMethod[] = [
  positions,
  position,
  summary,
  summaries,
  subaccounts,
  userLocks,
];
