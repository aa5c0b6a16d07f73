// An instrument as Deribit writes it. Decisions: `instrument_id`, `index_id` and the identifiers of currencies are computed from
// the names; `lot_size`, of which no source says what it counts, is absent;
// `creation_timestamp` is when the options of its expiry are listed, and a fixed day for what never expires; `block_trade_commission` is the taker's commission.
import { listedSince, tenorOf } from '../../../values/expiry/expiry-calendar.ts';
import type { Currency } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { hash32 } from '../../../values/rng.ts';
import { kindName } from '../../order-api/market/instrument-view.ts';
import { decimalNumber, numberOfText } from '../method/json-number.ts';

/** What Deribit writes as the expiry of an instrument without one: the end of the year 3000. */
const NEVER = 32_503_708_800_000;
/** When the venue opened its first perpetual: 14 August 2018. */
const PERPETUALS_SINCE = Date.UTC(2018, 7, 14);

export type SettlementPeriod = 'perpetual' | 'day' | 'week' | 'month';

/** Absent for spot. The last Friday of a month ends a month, any other Friday a week. */
export function settlementPeriod({ kind, expiresAt }: Instrument): SettlementPeriod | undefined {
  if (expiresAt === undefined) return kind === 'perpetual' ? 'perpetual' : undefined;
  const tenor = tenorOf(expiresAt);
  return tenor === 'quarter' ? 'month' : tenor;
}

export const createdAt = ({ expiresAt }: Instrument): number =>
  expiresAt === undefined ? PERPETUALS_SINCE : listedSince(expiresAt);

const LOW_BITS = 1_024;

/** A whole number below 2^42 that is the same for the same name, in every process. */
export const numberOfName = (name: string): number =>
  hash32(name) * LOW_BITS + (hash32(`${name}/low`) % LOW_BITS);

const UUID_SEEDS = [1, 2, 3, 4];
const UUID_FORM = /(.{8})(.{4}).(.{3}).(.{3})(.{12})/;

/** An identifier in the form of a random one that is the same for the same currency, in every process. */
export function currencyUuid(currency: Currency): string {
  const digits = UUID_SEEDS.map((seed) => hash32(currency, seed).toString(16).padStart(8, '0'));
  return digits.join('').replace(UUID_FORM, '$1-$2-4$3-8$4-$5');
}

export const isTrading = ({ expiresAt }: Instrument, now: Instant): boolean =>
  expiresAt === undefined || expiresAt > now;

const MARGIN_NAMES = { inverse: 'reversed', linear: 'linear' } as const;
const PRODUCT_GROUPS: ReadonlySet<string> = new Set(['BTC', 'ETH']);

/** `isInactive`: it is a combo that takes no orders at the moment. */
export function instrumentJson(instrument: Instrument, now: Instant, isInactive = false) {
  const { name, base, quote, option, tickSteps, marginKind, isRouted } = instrument;
  const isListed = isTrading(instrument, now);
  const active = isListed && !isInactive;
  const kind = kindName(instrument.kind);
  const isSpot = kind === 'spot';
  const period = settlementPeriod(instrument);
  return {
    kind,
    instrument_name: name,
    instrument_id: numberOfName(name),
    ...(!isSpot && { settlement_currency: instrument.settlement }),
    base_currency: base,
    base_currency_uuid: currencyUuid(base),
    quote_currency: quote,
    quote_currency_uuid: currencyUuid(quote),
    counter_currency: marginKind === 'inverse' ? 'USD' : quote,
    min_trade_amount: decimalNumber(instrument.minAmount),
    qty_tick_size: decimalNumber(instrument.amountStep),
    contract_size: decimalNumber(instrument.contractSize),
    tick_size: decimalNumber(instrument.tickSize),
    tick_size_steps: tickSteps.map(({ above, tickSize }) => ({
      above_price: decimalNumber(above),
      tick_size: decimalNumber(tickSize),
    })),
    is_active: active,
    state: active ? 'open' : isListed ? 'inactive' : 'delivered',
    ...(period !== undefined && { settlement_period: period }),
    creation_timestamp: createdAt(instrument),
    expiration_timestamp: instrument.expiresAt ?? NEVER,
    ...(option && { option_type: option.type, strike: decimalNumber(option.strike) }),
    ...(kind === 'future' && {
      future_type: MARGIN_NAMES[marginKind],
      max_leverage: 50,
      max_liquidation_commission: numberOfText('0.0075'),
    }),
    instrument_type: MARGIN_NAMES[marginKind],
    maker_commission: decimalNumber(instrument.makerFee),
    taker_commission: decimalNumber(instrument.takerFee),
    block_trade_commission: isRouted === true ? undefined : decimalNumber(instrument.takerFee),
    is_cbe_routed: isRouted,
    is_csr: isRouted,
    price_index: instrument.indexName,
    index_id: hash32(instrument.indexName),
    underlying_type: 'crypto',
    product_group: PRODUCT_GROUPS.has(base) ? base : 'TIER_2',
  };
}

/** By expiry, then by kind, as Deribit lists them. */
export const byExpiryAndKind = (a: Instrument, b: Instrument): number =>
  (a.expiresAt ?? NEVER) - (b.expiresAt ?? NEVER) ||
  (a.kind < b.kind ? -1 : Number(a.kind > b.kind));
