// Parses the arguments of the reading commands: currencies, kinds, names, counts; and their word for a side.
import { InvalidArgumentError } from 'commander';
import { paint } from '../terminal/paint.ts';

/** A future is a perpetual or a dated one, as in the interface. */
export const KINDS = [
  'future',
  'perpetual',
  'option',
  'spot',
  'future_combo',
  'option_combo',
] as const;
export type KindWord = (typeof KINDS)[number];

/** Kinds as the daemon is queried: it knows perpetuals only as futures. */
export const daemonKind = (kind: KindWord | undefined) =>
  kind === undefined ? {} : ({ kind: kind === 'perpetual' ? 'future' : kind } as const);

/** How many records are requested from the daemon, where those of dated futures are then left out. */
export const daemonCount = (kind: KindWord | undefined, limit: number): number =>
  kind === 'perpetual' ? LIMIT_MAX : limit;

/** In either case; the daemon reads capitals. */
export function readCurrency(text: string): string {
  const code = text.toUpperCase();
  if (/^[A-Z0-9]{2,12}$/.test(code)) return code;
  throw new InvalidArgumentError('accepted: a currency code such as BTC, ETH or USDC');
}

/** Appends a currency, or several with commas, to those before it. */
export const readCurrencies = (text: string, before: readonly string[] = []): readonly string[] => [
  ...new Set([...before, ...text.split(',').map(readCurrency)]),
];

export function readKind(text: string): KindWord {
  const kind = KINDS.find((one) => one === text.toLowerCase());
  if (kind !== undefined) return kind;
  throw new InvalidArgumentError(`accepted: ${KINDS.join(', ')}`);
}

/** Names of instruments are in capitals, but for the `d` of a decimal strike: `XRP_USDC-27NOV26-2d5-C`. */
export const readName = (text: string): string =>
  text.toUpperCase().replace(/(?<=\d)D(?=\d+-[CP]$)/, 'd');

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 1_000;

export const LIMIT_OPTION = [
  '-n, --limit <count>',
  'at most this many',
  readLimit,
  LIMIT_DEFAULT,
] as const;

/** Of `--limit`. */
export function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw new InvalidArgumentError(`accepted: 1 to ${LIMIT_MAX}`);
}

export const paintedSideWord = (side: string): string =>
  side === 'buy' ? paint.green(side) : paint.red(side);

/** A day of expiry as in names of instruments: `27NOV26`. */
export type ExpiryDay = string;

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The day, UTC, of an expiry in Unix milliseconds, as names of instruments have it. */
export function expiryDay(epochMs: number): ExpiryDay {
  const at = new Date(epochMs);
  return `${at.getUTCDate()}${MONTHS[at.getUTCMonth()]}${String(at.getUTCFullYear()).slice(2)}`;
}

/** Reads `27NOV26` or `2026-11-27`. */
export function readExpiry(text: string): ExpiryDay {
  if (/^[1-9]\d?[a-z]{3}\d\d$/i.test(text) && MONTHS.includes(text.slice(-5, -2).toUpperCase())) {
    return text.toUpperCase();
  }
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return expiryDay(at);
  throw new InvalidArgumentError('accepted: a day such as 27NOV26 or 2026-11-27');
}

/** Whether a text contains the pattern, in either case; `*` stands for anything. */
export function matches(text: string, pattern: string): boolean {
  const within = text.toUpperCase();
  let from = 0;
  for (const part of pattern.toUpperCase().split('*')) {
    const at = within.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}
