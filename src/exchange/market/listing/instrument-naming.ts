// The venue's grammar of instrument names: BTC-PERPETUAL, BTC_USDC-PERPETUAL, BTC-25DEC26,
// BTC-25DEC26-100000-C, BTC_USDC. Days have no leading zero.
import { type InstrumentName, instrumentName } from '../../../values/ids.ts';
import { type Instant, utcDay } from '../../../values/instant.ts';
import type { OptionType } from '../../../values/instrument.ts';

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

/** The date of an expiry as `25DEC26`. */
function expiryText(expiresAt: Instant): string {
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
