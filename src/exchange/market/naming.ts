// The venue's grammar of instrument names: BTC-PERPETUAL, BTC_USDC-PERPETUAL, BTC-25DEC26,
// BTC-25DEC26-100000-C, BTC_USDC. Days have no leading zero.
import { type InstrumentName, instrumentName } from '../../values/ids.ts';
import { type Instant, utcDay, utcInstant } from '../../values/instant.ts';
import type { OptionType } from '../../values/instrument.ts';

/** Hour of the day, UTC, at which everything that expires does. */
export const EXPIRY_HOUR = 8;

export type NamedInstrument =
  | { readonly kind: 'perpetual'; readonly base: string; readonly quote: string | undefined }
  | { readonly kind: 'spot'; readonly base: string; readonly quote: string }
  | { readonly kind: 'future'; readonly base: string; readonly expiresAt: Instant }
  | {
      readonly kind: 'option';
      readonly base: string;
      readonly expiresAt: Instant;
      readonly strike: number;
      readonly type: OptionType;
    };

const MONTHS = [
  'JAN',
  'FEB',
  'MAR',
  'APR',
  'MAY',
  'JUN',
  'JUL',
  'AUG',
  'SEP',
  'OCT',
  'NOV',
  'DEC',
] as const;

const NAME =
  /^([A-Z]{2,6})(?:_([A-Z]{2,6}))?(?:-(PERPETUAL)|-(\d{1,2})([A-Z]{3})(\d{2})(?:-(\d{1,9})-([CP]))?)?$/;

/** `25DEC26` of an expiry. */
export function expiryText(expiresAt: Instant): string {
  const { year, month, day } = utcDay(expiresAt);
  return `${day}${MONTHS[month - 1]}${String(year % 100).padStart(2, '0')}`;
}

export function nameOf(named: NamedInstrument): InstrumentName {
  const { base } = named;
  switch (named.kind) {
    case 'perpetual':
      return instrumentName(
        named.quote === undefined ? `${base}-PERPETUAL` : `${base}_${named.quote}-PERPETUAL`,
      );
    case 'spot':
      return instrumentName(`${base}_${named.quote}`);
    case 'future':
      return instrumentName(`${base}-${expiryText(named.expiresAt)}`);
    case 'option': {
      const type = named.type === 'call' ? 'C' : 'P';
      return instrumentName(`${base}-${expiryText(named.expiresAt)}-${named.strike}-${type}`);
    }
  }
}

/** What a name says; `undefined` for names outside the grammar. */
export function parseName(text: string): NamedInstrument | undefined {
  const match = NAME.exec(text);
  if (match === null) return undefined;
  const [, base = '', quote, perpetual, day, month, year, strike, type] = match;
  if (perpetual !== undefined) return { kind: 'perpetual', base, quote };
  if (day === undefined) return quote === undefined ? undefined : { kind: 'spot', base, quote };
  const expiresAt = expiryOf({ day, month: month ?? '', year: year ?? '' });
  if (expiresAt === undefined || quote !== undefined) return undefined;
  if (strike === undefined) return { kind: 'future', base, expiresAt };
  return {
    kind: 'option',
    base,
    expiresAt,
    strike: Number(strike),
    type: type === 'C' ? 'call' : 'put',
  };
}

function expiryOf(date: { day: string; month: string; year: string }): Instant | undefined {
  const month = (MONTHS as readonly string[]).indexOf(date.month) + 1;
  if (month === 0) return undefined;
  const day = Number(date.day);
  const at = utcInstant({ year: 2000 + Number(date.year), month, day, hour: EXPIRY_HOUR });
  return utcDay(at).day === day ? at : undefined;
}
