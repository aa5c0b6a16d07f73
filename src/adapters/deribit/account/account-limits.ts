// The identity and the rate limits of an account, from its extended summary. With `limits_per_currency` each currency has
// a pool of its own; the smallest then stands for all of them, so that none is ever exceeded.

import { Fields } from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { GrantedRates, Rate } from '../session/credits.ts';
import { DEFAULT_RATES } from '../session/credits.ts';

export interface AccountDetails {
  /** The venue's number of the account; `undefined` if it does not say. */
  readonly userId?: string | undefined;
  readonly rates: GrantedRates;
  /** Whether the account may use the venue's protection; `undefined` if it does not say. */
  readonly mmpEnabled?: boolean | undefined;
  readonly marginModel?: string | undefined;
}

/** @throws MalformedMessage */
export function detailsIn(value: unknown, tally: WireTally): AccountDetails {
  const summary = new Fields('the extended account summary', value, tally);
  return {
    userId: summary.textIf('id'),
    rates: ratesIn(summary.inIf('limits')),
    mmpEnabled: summary.flagIf('mmp_enabled'),
    marginModel: summary.textIf('margin_model'),
  };
}

function ratesIn(limits: Fields | undefined): GrantedRates {
  const engine = limits?.inIf('matching_engine');
  if (limits === undefined || engine === undefined) return DEFAULT_RATES;
  const scopes = limits.flag('limits_per_currency') ? currenciesIn(engine) : [engine];
  const least = (rates: readonly (Rate | undefined)[], otherwise: Rate): Rate =>
    rates.reduce<Rate | undefined>(
      (so, rate) =>
        so !== undefined && (rate === undefined || so.perSecond <= rate.perSecond) ? so : rate,
      undefined,
    ) ?? otherwise;
  return {
    orders: least(
      scopes.map((one) => rateIn(one.inIf('trading')?.inIf('total'))),
      DEFAULT_RATES.orders,
    ),
    cancelAll: rateIn(engine.inIf('cancel_all')) ?? DEFAULT_RATES.cancelAll,
    queries: rateIn(limits.inIf('non_matching_engine')) ?? DEFAULT_RATES.queries,
  };
}

const NOT_CURRENCIES: ReadonlySet<string> = new Set(['cancel_all', 'spot', 'trading']);

const currenciesIn = (engine: Fields): readonly Fields[] =>
  engine.names().flatMap((name) => {
    const of = NOT_CURRENCIES.has(name) ? undefined : engine.raw(name);
    return typeof of === 'object' && of !== null ? [engine.in(name)] : [];
  });

function rateIn(of: Fields | undefined): Rate | undefined {
  const perSecond = of?.floatIf('rate');
  const burst = of?.floatIf('burst');
  if (perSecond === undefined || perSecond <= 0) return undefined;
  return { perSecond, burst: Math.max(1, burst ?? perSecond) };
}
