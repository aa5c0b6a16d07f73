// What the charts of a portfolio show: which leg, which part of the time, and the instant that is read off.
import { signal } from '@preact/signals';
import type { Times } from './course-data.ts';

export interface Window {
  readonly from: number;
  readonly to: number;
}

export const chosenLeg = signal(0);
/** Until shortly after now, or until the end of the schedule. */
export const reach = signal<'now' | 'end'>('now');
/** A part that was drawn over; `undefined`: none. */
export const enlarged = signal<Window | undefined>(undefined);
/** The instant of the crosshair; `undefined`: the latest is read off. */
export const crosshairMs = signal<number | undefined>(undefined);

const AHEAD = 0.15;
const AHEAD_LEAST_MS = 30_000;

export function resetChartView(): void {
  chosenLeg.value = 0;
  reach.value = 'now';
  enlarged.value = undefined;
  crosshairMs.value = undefined;
}

/** The time that all charts show. */
export function windowOf({ start, end, now }: Times): Window {
  if (enlarged.value !== undefined) return enlarged.value;
  const last = Math.max(end, now);
  if (reach.value === 'end') return { from: start, to: Math.max(last, start + 1) };
  const ahead = Math.max((now - start) * AHEAD, AHEAD_LEAST_MS);
  return { from: start, to: Math.max(Math.min(last, now + ahead), start + 1) };
}
