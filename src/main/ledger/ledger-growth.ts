// How fast a ledger grows, from what its latest whole days added, and how large it will be.
import type { DaySize } from '../../adapters/postgres/dump/ledger-sizes.ts';

export interface Growth {
  /** Whole days that the mean is of; 0: not known yet. */
  readonly days: number;
  readonly bytesADay: number;
  /** If it continues like that. */
  readonly inThirtyDays: number;
  readonly inAYear: number;
}

/** More days would hide that trading has grown. */
const DAYS_MAX = 14;

/** `today`, such as 2026-11-24, is not over and does not count; days on which nothing was stored do, between others. */
export function growthOf(
  { bytes, days }: { readonly bytes: number; readonly days: readonly DaySize[] },
  today: string,
): Growth {
  const first = new Date(Date.parse(today) - DAYS_MAX * 86_400_000).toISOString().slice(0, 10);
  const past = days.filter(({ day }) => day >= first && day < today);
  const oldest = past[0];
  const counted = oldest === undefined ? 0 : daysBetween(oldest.day, today);
  const added = past.reduce((sum, one) => sum + one.bytes, 0);
  const bytesADay = counted === 0 ? 0 : Math.round(added / counted);
  return {
    days: counted,
    bytesADay,
    inThirtyDays: bytes + 30 * bytesADay,
    inAYear: bytes + 365 * bytesADay,
  };
}

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
