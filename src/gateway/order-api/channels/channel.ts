// Parses channel names: `ticker.BTC-PERPETUAL.100ms`, `user.orders.any.any.raw`.
import { type Price, price } from '../../../values/amounts.ts';
import {
  type Currency,
  currency,
  type InstrumentName,
  instrumentName,
} from '../../../values/ids.ts';
import type { InstrumentKind } from '../../../values/instrument.ts';
import type { KeyNeed } from '../../auth/key-needs.ts';
import { KINDS } from '../param-fields.ts';
import { type MmpChannel, mmpChannel } from './mmp-channel.ts';
import { type RfqChannel, rfqChannel } from './rfq-channel.ts';

/** `raw`: at once; changes within one millisecond are combined. */
export type Interval = 'raw' | '100ms' | 'agg2';

export const INTERVAL_MS: Readonly<Record<Interval, number>> = {
  raw: 1,
  '100ms': 100,
  agg2: 1_000,
};

/** One instrument, or all of some kinds and a settlement currency; absent means all. */
export type Scope =
  | { readonly instrument: InstrumentName }
  | {
      readonly instrument?: undefined;
      readonly kinds: readonly InstrumentKind[];
      readonly currency: Currency | undefined;
    };

/** Changes to the orders of an account. */
export interface FlowChannel {
  readonly kind: 'user_orders' | 'user_trades' | 'user_combo_trades' | 'user_changes';
  readonly scope: Scope;
  readonly interval: Interval;
}

export type Channel =
  | { readonly kind: 'ticker'; readonly instrument: InstrumentName; readonly interval: Interval }
  | { readonly kind: 'quote'; readonly instrument: InstrumentName }
  | { readonly kind: 'book'; readonly instrument: InstrumentName; readonly interval: Interval }
  | {
      readonly kind: 'grouped_book';
      readonly instrument: InstrumentName;
      /** Width of a price level; absent: levels are not grouped. */
      readonly group: Price | undefined;
      readonly depth: number;
      readonly interval: Interval;
    }
  | { readonly kind: 'trades'; readonly scope: Scope; readonly interval: Interval }
  | FlowChannel
  | { readonly kind: 'user_portfolio'; readonly currency: Currency | undefined }
  | MmpChannel
  | RfqChannel;

/** The permission a key needs to subscribe, for an account of its own; `undefined` for public channels. */
export function needOf({ kind }: Channel): KeyNeed | undefined {
  if (kind.startsWith('user_')) return 'read';
  if (kind === 'mmp_trigger') return 'rfqRead';
  return kind.startsWith('rfq_') && kind !== 'rfq_trades' ? 'rfqRead' : undefined;
}
export const isRaw = (channel: Channel): boolean =>
  'interval' in channel && channel.interval === 'raw';

/** Returns `undefined` for an unknown name. */
export function parseChannel(name: string): Channel | undefined {
  const parts = name.split('.');
  const [first = '', second = '', ...rest] = parts;
  if (first === 'user') return userChannel(second, rest);
  if (first === 'block_rfq') return rfqChannel([second, ...rest]);
  const [third = '', fourth = '', fifth = ''] = rest;
  switch (`${first}/${parts.length}`) {
    case 'quote/2':
      return named(second, (instrument) => ({ kind: 'quote', instrument }));
    case 'ticker/3':
      return timed(third, (interval) =>
        named(second, (instrument) => ({ kind: 'ticker', instrument, interval })),
      );
    case 'book/3':
      return timed(third, (interval) =>
        named(second, (instrument) => ({ kind: 'book', instrument, interval })),
      );
    case 'book/5':
      return timed(fifth, (interval) => groupedBook(second, [third, fourth], interval));
    case 'trades/3':
    case 'trades/4':
      return scoped(parts.slice(1), (scope, interval) => ({ kind: 'trades', scope, interval }));
    default:
      return undefined;
  }
}

const USER_KINDS = {
  orders: 'user_orders',
  trades: 'user_trades',
  combo_trades: 'user_combo_trades',
  changes: 'user_changes',
} as const;

function userChannel(what: string, rest: readonly string[]): Channel | undefined {
  if (what === 'portfolio' && rest.length === 1) {
    const [code = ''] = rest;
    if (code.toLowerCase() === 'any') return { kind: 'user_portfolio', currency: undefined };
    return CURRENCY.test(code.toUpperCase())
      ? { kind: 'user_portfolio', currency: currency(code.toUpperCase()) }
      : undefined;
  }
  if (what === 'mmp_trigger') return rest.length === 1 ? mmpChannel(rest[0] ?? '') : undefined;
  if (!Object.hasOwn(USER_KINDS, what)) return undefined;
  const kind = USER_KINDS[what as keyof typeof USER_KINDS];
  return scoped(rest, (scope, interval) => ({ kind, scope, interval }));
}

const CURRENCY = /^[A-Z0-9]{2,12}$/;
const INSTRUMENT = /^[\w-]{2,64}$/;

const isInterval = (text: string): text is Interval => Object.hasOwn(INTERVAL_MS, text);

const timed = (
  text: string,
  make: (interval: Interval) => Channel | undefined,
): Channel | undefined => (isInterval(text) ? make(text) : undefined);

const named = (text: string, make: (name: InstrumentName) => Channel): Channel | undefined =>
  INSTRUMENT.test(text) ? make(instrumentName(text)) : undefined;

/** `{instrument}.{interval}` or `{kind}.{currency}.{interval}`. */
function scoped(
  parts: readonly string[],
  make: (scope: Scope, interval: Interval) => Channel,
): Channel | undefined {
  const [first = '', second = '', third = ''] = parts;
  if (parts.length === 2) {
    if (!isInterval(second) || !INSTRUMENT.test(first)) return undefined;
    return make({ instrument: instrumentName(first) }, second);
  }
  if (parts.length !== 3 || !isInterval(third) || !Object.hasOwn(KINDS, first)) return undefined;
  if (second !== 'any' && !CURRENCY.test(second)) return undefined;
  const code = second === 'any' ? undefined : currency(second);
  return make({ kinds: KINDS[first] ?? [], currency: code }, third);
}

const GROUPS: ReadonlySet<string> = new Set(['1', '2', '5', '10', '25', '100', '250']);
const DEPTHS: ReadonlySet<string> = new Set(['1', '10', '20']);

/** Groups are in USD; for ETH in hundredths of one. */
function groupedBook(
  name: string,
  [group, depth]: readonly [string, string],
  interval: Interval,
): Channel | undefined {
  if (!DEPTHS.has(depth)) return undefined;
  const width = groupWidth(name, group);
  if (group !== 'none' && width === undefined) return undefined;
  return named(name, (instrument) => ({
    kind: 'grouped_book',
    instrument,
    group: width,
    depth: Number(depth),
    interval,
  }));
}

function groupWidth(name: string, group: string): Price | undefined {
  if (!GROUPS.has(group)) return undefined;
  if (name.startsWith('BTC')) return price(group);
  return name.startsWith('ETH') ? price(String(Number(group) / 100)) : undefined;
}
