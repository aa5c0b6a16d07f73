// Every instrument in trading, read once a minute at most.
import { computed, signal } from '@preact/signals';
import { callMethod } from '../../link/page-session.ts';
import { shownOf } from '../panel-state.ts';
import type { Instrument } from './option-chain.ts';

const catalogue = signal<readonly Instrument[] | undefined>(undefined);
/** Why it could not be read the last time; empty if it could. */
const fault = signal('');
const readMs = signal<number | undefined>(undefined);

export const catalogueShown = computed(() =>
  shownOf(catalogue.value, { fault: fault.value, readMs: readMs.value }),
);

const OLD_MS = 60_000;
let isAsked = false;

/** Reads the instruments unless that was done within the last minute. */
export async function readCatalogue(): Promise<void> {
  const isNew = readMs.value !== undefined && performance.now() - readMs.value < OLD_MS;
  if (isAsked || isNew) return;
  isAsked = true;
  const answer = await callMethod('public/get_instruments', { currency: 'any' });
  isAsked = false;
  fault.value = answer.kind === 'done' ? '' : answer.message;
  if (answer.kind !== 'done') return;
  catalogue.value = answer.value.filter(({ isActive }) => isActive);
  readMs.value = performance.now();
}

export const instrumentOf = (name: string): Instrument | undefined =>
  catalogue.value?.find(({ instrumentName }) => instrumentName === name);
