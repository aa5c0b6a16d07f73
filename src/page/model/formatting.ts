// How the page writes numbers, durations and dates: one place, so that a figure looks the same on every screen. Decimals arrive
// as text and stay exact; floats are for figures that are computed for display. Times are UTC.
import { atPlaces, grouped } from '../../values/text/written-figures.ts';

/** Of what is not known, which is never shown as zero or as nothing. */
export const NOT_KNOWN = 'not known';
/** In a column of figures, where there is none. */
export const NO_FIGURE = '–';
/** In its place, until it was read for the first time. */
export const AWAITED = '…';

const [SECOND_MS, MINUTE_SEC, HOUR_SEC, DAY_SEC] = [1_000, 60, 3_600, 86_400];
const PERCENT = 100;
/** Dates beyond are those of portfolios without an end. */
const LAST_YEAR = 9_000;

/** A computed figure; what is no number is not known. */
export const figure = (value: number | null | undefined, places = 0): string =>
  isNumber(value) ? atPlaces(plain(value), places) : NOT_KNOWN;

/** With its sign, where it matters which way: +1.80, -0.40, and 0.00 without one. */
export function signed(value: number | null | undefined, places = 0): string {
  const text = figure(value, places);
  return isNumber(value) && value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** Basis points; positive is a cost. */
export const bpsText = (value: number | null | undefined): string =>
  isNumber(value) ? `${signed(value, 2)} bp` : NO_FIGURE;

/** Such as 12.5%, of a share of one. */
export const percent = (share: number, places = 1): string => `${figure(share * PERCENT, places)}%`;

/** So many significant digits, without an exponent. */
export const significant = (value: number, digits = 6): string =>
  isNumber(value) ? grouped(plain(Number(value.toPrecision(digits)))) : NOT_KNOWN;

/** Whole dollars from a thousand on, cents below. */
export const dollars = (usd: number | null | undefined): string =>
  isNumber(usd) ? `${figure(usd, Math.abs(usd) < 1_000 ? 2 : 0)} USD` : NOT_KNOWN;

/** Such as `3 d 04 h`, `2 h 05 min`, `4 min 30 s`, `12 s`; `over` once it is past. */
export function durationText(ms: number): string {
  if (!isNumber(ms)) return NOT_KNOWN;
  if (ms <= 0) return 'over';
  const seconds = Math.ceil(ms / SECOND_MS);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  if (seconds >= DAY_SEC) {
    return `${figure(Math.floor(seconds / DAY_SEC))} d ${two((seconds % DAY_SEC) / HOUR_SEC)} h`;
  }
  if (seconds >= HOUR_SEC) {
    return `${Math.floor(seconds / HOUR_SEC)} h ${two((seconds % HOUR_SEC) / MINUTE_SEC)} min`;
  }
  if (seconds < MINUTE_SEC) return `${seconds} s`;
  return `${Math.floor(seconds / MINUTE_SEC)} min ${two(seconds % MINUTE_SEC)} s`;
}

const UNITS = [
  ['d', DAY_SEC * SECOND_MS],
  ['h', HOUR_SEC * SECOND_MS],
  ['min', MINUTE_SEC * SECOND_MS],
  ['s', SECOND_MS],
  ['ms', 1],
] as const;

/** In the fewest units, as fields for a length of time take it: `1 h`, `1 h 30 min`, `500 ms`. */
export function spanText(ms: number): string {
  if (!isNumber(ms) || ms < 0) return '';
  let left = Math.round(ms);
  const parts = UNITS.flatMap(([unit, unitMs]) => {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

const SPAN = /^(?:\d{1,9}(?:\.\d{1,6})?\s*[a-z]+\s*)+$/;
const SPAN_PART = /([\d.]+)\s*([a-z]+)/g;
const SPAN_UNITS: readonly (readonly [RegExp, number])[] = [
  [/^d(?:ays?)?$/, DAY_SEC * SECOND_MS],
  [/^h(?:(?:ou)?rs?)?$/, HOUR_SEC * SECOND_MS],
  [/^m(?:in(?:ute)?s?)?$/, MINUTE_SEC * SECOND_MS],
  [/^s(?:ec(?:ond)?s?)?$/, SECOND_MS],
  [/^ms$/, 1],
];
const WHOLE_WITHIN = 1e-6;

/** Milliseconds of `1 h`, `1h 30min`, `1.5 hours`, `90 s`; `undefined` of anything else, also of a number without a unit. */
export function spanMs(text: string): number | undefined {
  const plainText = text.trim().toLowerCase();
  if (!SPAN.test(plainText)) return undefined;
  const parts = [...plainText.matchAll(SPAN_PART)].map(([, count, unit = '']) => {
    const [, unitMs = Number.NaN] = SPAN_UNITS.find(([name]) => name.test(unit)) ?? [];
    return Number(count) * unitMs;
  });
  const sum = parts.reduce((a, b) => a + b, 0);
  return Math.abs(sum - Math.round(sum)) < WHOLE_WITHIN ? Math.round(sum) : undefined;
}

/** How long ago: at least a second, because what was just read is not over. */
export const ageText = (ms: number): string => durationText(Math.max(1, ms));

/** For `datetime` attributes; empty of what is no instant. */
export const isoText = (ms: number): string => (isInstant(ms) ? new Date(ms).toISOString() : '');

/** `2026-11-30T08:35:00`, as fields for a date and a time take it; empty of what is no instant. */
export const fieldTime = (ms: number): string => isoText(ms).slice(0, 19);

/** `2026-11-30 08:35:00`. */
export const dateTimeText = (ms: number): string =>
  isInstant(ms) ? fieldTime(ms).replace('T', ' ') : NOT_KNOWN;

/** `2026-11-30`. */
export const dateText = (ms: number): string =>
  isInstant(ms) ? isoText(ms).slice(0, 10) : NOT_KNOWN;

/** `08:35:00`. */
export const timeText = (ms: number): string =>
  isInstant(ms) ? isoText(ms).slice(11, 19) : NOT_KNOWN;

/** `08:35`. */
export const minuteText = (ms: number): string =>
  isInstant(ms) ? isoText(ms).slice(11, 16) : NOT_KNOWN;

/** The end of all time is none. */
const isInstant = (ms: number): boolean => new Date(ms).getUTCFullYear() <= LAST_YEAR;

const isNumber = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** Without an exponent, to as many digits as the float has. */
function plain(value: number): string {
  const text = String(value);
  const [, sign = '', whole = '', fraction = '', power] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text) ?? [];
  if (power === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(power);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0').slice(0, point)}.${digits.slice(point) || '0'}`;
}
