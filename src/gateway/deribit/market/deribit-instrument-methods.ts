// Deribit's public methods about what is listed: instruments, currencies, expiries, index names. Decisions: names of
// indexes are plain text unless `extended` is set; withdrawals cost nothing, because there are none.

import { decimalNumber, ZERO } from '../../../ports/deribit-wire/json-number.ts';
import {
  byExpiryAndKind,
  currencyUuid,
  instrumentJson,
  isPaused,
  type ListedState,
} from '../../../ports/deribit-wire/wire-instrument-rows.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { Instant } from '../../../values/instant.ts';
import { type Instrument, isCombo, kindName } from '../../../values/instrument.ts';
import type { Desks } from '../../desks/desks.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { readCombos } from '../../order-api/combos/find-combos.ts';
import { findInstrument, listAwaited } from '../../order-api/find-instrument.ts';
import { type MarketCall, notFound } from '../../order-api/market/ask-market.ts';
import { InstrumentLists, listsPer } from '../../order-api/market/instrument-lists.ts';
import { done } from '../../order-api/method.ts';
import { choiceField } from '../../wire/field-kinds.ts';
import { optional, optionalOr } from '../../wire/fields.ts';
import { type DeribitMethod, privateMethod, publicMethod } from '../method/deribit-method.ts';
import { flagParam } from '../method/deribit-params.ts';
import {
  currencyParam,
  indexParam,
  instrumentParam,
  kindParam,
} from '../method/instrument-params.ts';

const listsIn = (state: ListedState) =>
  listsPer<Desks>(() => {
    const viewOf = (one: Instrument, now: Instant) => instrumentJson(one, now, state);
    return new InstrumentLists(viewOf, (list) => list.sort(byExpiryAndKind));
  });
const LISTS = { open: listsIn('open'), settlement: listsIn('settlement') };

const instruments = publicMethod({
  row: ROWS.getInstruments,
  params: {
    currency: optionalOr(currencyParam, {}),
    kind: kindParam,
    expired: optionalOr(flagParam('Those that recently expired'), false),
  },
  run: ({ orders, now }, { currency, kind, expired }) => {
    const markets = orders.markets();
    const awaited = listAwaited(markets);
    if (awaited !== undefined) return awaited;
    const question = { currency: currency.code, kinds: kind, expired };
    const at = now();
    const state = markets.some((one) => isPaused(one, at)) ? 'settlement' : 'open';
    const found = LISTS[state](orders).find(markets, question, at);
    return found instanceof Promise ? found.then((json) => done(json)) : done(found);
  },
});

const instrument = publicMethod({
  row: ROWS.getInstrument,
  params: { instrumentName: instrumentParam },
  run: (call, { instrumentName: name }) => {
    const found = findInstrument(call.orders.markets(), name);
    if (found === undefined) return notFound(call, name);
    const { instrument: of, market } = found;
    const now = call.now();
    const state = isPaused(market, now) ? 'settlement' : 'open';
    if (!isCombo(of)) return done(instrumentJson(of, now, state));
    return readCombos(call, (all) => {
      const combo = all.find((one) => one.instrument.name === name);
      const isInactive = combo?.state === 'inactive';
      return done(instrumentJson(of, now, isInactive ? 'inactive' : state));
    });
  },
});

const contractSize = publicMethod({
  row: ROWS.getContractSize,
  params: { instrumentName: instrumentParam },
  run: (call, { instrumentName: name }) => {
    const found = findInstrument(call.orders.markets(), name);
    if (found === undefined) return notFound(call, name);
    return done({ contract_size: decimalNumber(found.instrument.contractSize) });
  },
});

const COINS: Readonly<Record<string, readonly [long: string, type: string]>> = {
  BTC: ['Bitcoin', 'BITCOIN'],
  ETH: ['Ethereum', 'ETHER'],
  USDC: ['USD Coin', 'ETHER'],
  USDT: ['Tether USD', 'ETHER'],
  EURR: ['StablR Euro', 'ETHER'],
};

const listedAt = (orders: Desks): Instrument[] =>
  orders.markets().flatMap((market) => [...market.listed({ expired: false })]);

const listCurrencies = ({ orders }: Pick<MarketCall, 'orders'>): Reply<unknown> => {
  const awaited = listAwaited(orders.markets());
  if (awaited !== undefined) return awaited;
  const codes = new Set(listedAt(orders).flatMap(({ base, settlement }) => [base, settlement]));
  return done(
    [...codes].sort().map((currency) => {
      const [long, type] = COINS[currency] ?? [currency, currency];
      return {
        currency,
        currency_long: long,
        coin_type: type,
        min_confirmations: 1,
        withdrawal_fee: ZERO,
        min_withdrawal_fee: ZERO,
        withdrawal_priorities: [],
        in_cross_collateral_pool: false,
        decimals: 8,
        currency_uuid: currencyUuid(currency),
      };
    }),
  );
};

const currencies = publicMethod({ row: ROWS.getCurrencies, params: {}, run: listCurrencies });

/** The same for every account: none may do more here than another. */
const ownCurrencies = privateMethod({
  row: ROWS.getCurrenciesPrivate,
  params: {},
  run: listCurrencies,
});

type Expirations = Readonly<Partial<Record<'future' | 'option', readonly string[]>>>;

/** `25DEC26`, or `PERPETUAL`: what follows the currency in the name of a future or an option. */
const expiryName = ({ name }: Instrument): string => name.split('-')[1] ?? '';

function expirationsOf(
  listed: readonly Instrument[],
  kinds: readonly ('future' | 'option')[],
): Expirations {
  const inOrder = listed.toSorted(byExpiryAndKind);
  const names = (kind: string): readonly string[] => [
    ...new Set(inOrder.filter((one) => kindName(one.kind) === kind).map(expiryName)),
  ];
  return Object.fromEntries(kinds.map((kind) => [kind, names(kind)]));
}

const EXPIRY_KINDS = {
  future: ['future'],
  option: ['option'],
  any: ['future', 'option'],
} as const satisfies Readonly<Record<string, readonly ('future' | 'option')[]>>;

const expirations = publicMethod({
  row: ROWS.getExpirations,
  params: {
    currency: currencyParam,
    kind: choiceField<readonly ('future' | 'option')[], keyof typeof EXPIRY_KINDS>(
      EXPIRY_KINDS,
      'Kind of the instruments',
    ),
    currency_pair: optional(indexParam),
  },
  run: ({ orders }, { currency: { code }, kind, currency_pair: pair }) => {
    const awaited = listAwaited(orders.markets());
    if (awaited !== undefined) return awaited;
    const listed = listedAt(orders).filter(
      ({ indexName }) => pair === undefined || indexName === pair,
    );
    const settledIn = (wanted: string): Expirations =>
      expirationsOf(
        listed.filter(({ settlement }) => settlement === wanted),
        kind,
      );
    if (code === undefined) return done(expirationsOf(listed, kind));
    const wanted = code === ('GROUPED' as string) ? currenciesOf(listed) : [code];
    return done(Object.fromEntries(wanted.map((one) => [one.toLowerCase(), settledIn(one)])));
  },
});

const currenciesOf = (listed: readonly Instrument[]): readonly string[] =>
  [...new Set(listed.map(({ settlement }) => settlement))].sort();

const indexNamesOf = (orders: Desks): readonly string[] =>
  [...new Set(orders.markets().flatMap((market) => [...market.indexNames()]))].sort();

/** Combos can be created of what settles in coin. */
const namesJson = (names: readonly string[], extended: boolean): unknown =>
  extended
    ? names.map((name) => ({
        name,
        future_combo_creation_enabled: name.endsWith('_usd'),
        option_combo_creation_enabled: name.endsWith('_usd'),
      }))
    : names;

const indexPriceNames = publicMethod({
  row: ROWS.getIndexPriceNames,
  params: { extended: optionalOr(flagParam('With what can be created on each'), false) },
  run: ({ orders }, { extended }) =>
    listAwaited(orders.markets()) ?? done(namesJson(indexNamesOf(orders), extended)),
});

const supportedIndexNames = publicMethod({
  row: ROWS.getSupportedIndexNames,
  params: {
    type: optionalOr(
      choiceField<'all' | 'spot' | 'derivative', 'all' | 'spot' | 'derivative'>(
        { all: 'all', spot: 'spot', derivative: 'derivative' },
        'Indexes of what is traded',
      ),
      'all',
    ),
    extended: optionalOr(flagParam('With what can be created on each'), false),
  },
  run: ({ orders }, { type, extended }) => {
    const awaited = listAwaited(orders.markets());
    if (awaited !== undefined) return awaited;
    const isWanted = ({ kind }: Instrument): boolean =>
      type === 'all' || (kind === 'spot') === (type === 'spot');
    const names = listedAt(orders)
      .filter(isWanted)
      .map(({ indexName }) => indexName);
    return done(namesJson([...new Set(names)].sort(), extended));
  },
});

export const DERIBIT_INSTRUMENT_METHODS: readonly DeribitMethod[] = [
  instruments,
  instrument,
  contractSize,
  currencies,
  ownCurrencies,
  expirations,
  indexPriceNames,
  supportedIndexNames,
];
