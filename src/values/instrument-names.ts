// Parses the venue's instrument names, whether the instrument is listed or not: BTC-PERPETUAL, BTC_USDC-PERPETUAL,
// BTC-25DEC26, BTC-25DEC26-100000-C, BTC_USDC.
import type { InstrumentName } from './ids.ts';
import { type Instant, utcDay, utcInstant } from './instant.ts';
import type { InstrumentKind, OptionType } from './instrument.ts';

/** Longest text that is considered as a name at all. */
export const NAME_LENGTH_MAX = 64;

export interface NameTerms {
  readonly kind: InstrumentKind;
  readonly base: string;
  /** The text before the first dash: the base, or base and quote. */
  readonly pair: string;
  readonly expiresAt?: Instant | undefined;
  readonly option?: { readonly strike: number; readonly type: OptionType } | undefined;
}

const GRAMMAR =
  /^(?<pair>(?<base>[A-Z][A-Z0-9]{1,11})(?<quote>_[A-Z][A-Z0-9]{1,11})?)(?:-(?:(?<perpetual>PERPETUAL)|(?<day>[1-9]\d?)(?<month>[A-Z]{3})(?<year>\d\d)(?:-(?<strike>\d{1,9}(?:d\d{1,6})?)-(?<type>[CP]))?))?$/;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** Hour of the day, UTC, at which all dated instruments expire. */
export const EXPIRY_HOUR = 8;

/** `undefined` if the text is not an instrument name. */
export function nameTerms(name: string): NameTerms | undefined {
  if (name.length > NAME_LENGTH_MAX) return undefined;
  const found = GRAMMAR.exec(name)?.groups;
  if (found === undefined) return undefined;
  const { base = '', pair = '', quote, perpetual, day, month, year, strike, type } = found;
  if (perpetual !== undefined) return { kind: 'perpetual', base, pair };
  if (day === undefined) return quote === undefined ? undefined : { kind: 'spot', base, pair };
  const expiresAt = expiryOf(Number(day), MONTHS.indexOf(month ?? '') + 1, 2000 + Number(year));
  if (expiresAt === undefined) return undefined;
  if (strike === undefined) return { kind: 'future', base, pair, expiresAt };
  const option = {
    strike: Number(strike.replace('d', '.')),
    type: type === 'C' ? 'call' : 'put',
  } as const;
  return { kind: 'option', base, pair, expiresAt, option };
}

/** The future of the same expiry as an option, listed or not. */
export const futureNameOf = (option: InstrumentName): InstrumentName =>
  option.split('-').slice(0, 2).join('-') as InstrumentName;

/** `undefined` for a day that does not exist in the calendar. */
function expiryOf(day: number, month: number, year: number): Instant | undefined {
  if (month === 0) return undefined;
  const at = utcInstant({ year, month, day, hour: EXPIRY_HOUR });
  return utcDay(at).day === day && utcDay(at).month === month ? at : undefined;
}
