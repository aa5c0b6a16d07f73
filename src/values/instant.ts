// Instants and durations. One of the two importers of luxon; nothing here reads a clock.
import { DateTime, IANAZone } from 'luxon';

declare const brand: unique symbol;
/** Milliseconds since the Unix epoch, UTC. */
export type Instant = number & { readonly [brand]: 'instant' };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The latest instant accepted anywhere: the end of the year 2199. */
export const INSTANT_MAX = Date.UTC(2200, 0, 1) as Instant;

export const instant = (epochMs: number): Instant => epochMs as Instant;
export const later = (at: Instant, byMs: number): Instant => (at + byMs) as Instant;
export const earliest = (a: Instant, b: Instant): Instant => (a <= b ? a : b);
export const latest = (a: Instant, b: Instant): Instant => (a >= b ? a : b);

/** ISO 8601 in UTC with milliseconds, for logs and people. */
export const isoText = (at: Instant): string => new Date(at).toISOString();

/** Parses ISO 8601; text without an offset is read in `zone`. `undefined` if it is not a valid instant. */
export function parseIso(text: string, zone = 'utc'): Instant | undefined {
  const parsed = DateTime.fromISO(text, { zone });
  return parsed.isValid ? (parsed.toMillis() as Instant) : undefined;
}

/** True for an IANA zone name such as `Europe/London`. */
export const isZone = (name: string): boolean => IANAZone.isValidZone(name);

/** The next daily instant at `hourUtc` strictly after `at`. */
export function nextDailyUtc(at: Instant, hourUtc: number): Instant {
  const midnight = Math.floor(at / DAY_MS) * DAY_MS;
  const today = midnight + hourUtc * HOUR_MS;
  return (today > at ? today : today + DAY_MS) as Instant;
}

/** A calendar day in UTC: month 1 to 12, weekday 0 (Sunday) to 6. */
export interface UtcDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
}

export function utcDay(at: Instant): UtcDay {
  const date = new Date(at);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
  };
}

/** The instant of a full hour in UTC. Months and days beyond their range carry over. */
export const utcInstant = (of: Omit<UtcDay, 'weekday'> & { readonly hour: number }): Instant =>
  Date.UTC(of.year, of.month - 1, of.day, of.hour) as Instant;
