// Limits that fill up, in words, with the share of each that is used.
import type { LimitRecord } from '../../../gateway/client/client.ts';

/** From this share on a limit is named among what is wrong. */
export const NEARLY_FULL = 0.8;

export const CONTROL_NAMES = {
  gross: 'working and traded today (PT-9)',
  slippage: 'cost of execution today (PT-20)',
  position: 'position with its orders filled (PT-8)',
  messages: 'messages, used for now (PT-5)',
  venue_messages: 'orders and changes at the venue',
  venue_questions: 'queries at the venue',
} as const;

/** Of one: above 1 where more is used than allowed; `undefined`: not known, or no limit is set. */
export function usedShare({
  used,
  limit,
}: Pick<LimitRecord, 'used' | 'limit'>): number | undefined {
  if (used === null || limit === null) return undefined;
  const share = Number(used) / Number(limit);
  if (Number.isNaN(share)) return undefined;
  return Math.max(0, share);
}

/** Those that block orders first, then by the share that is used. */
export const fullestFirst = (all: readonly LimitRecord[]): readonly LimitRecord[] =>
  all.toSorted((a, b) => (usedShare(b) ?? Infinity) - (usedShare(a) ?? Infinity) || 0);
