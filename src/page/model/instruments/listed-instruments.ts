// Every instrument in trading, read once a minute at most.
import { signal } from '@preact/signals';
import { callMethod } from '../../link/page-session.ts';
import type { Instrument } from './option-chain.ts';

export const catalogue = signal<readonly Instrument[] | undefined>(undefined);
/** Why it could not be read; empty if it could. */
export const catalogueFault = signal('');

const OLD_MS = 60_000;
let readAtMs = Number.NEGATIVE_INFINITY;

/** Reads the instruments unless that was done within the last minute. */
export async function readCatalogue(): Promise<void> {
  if (performance.now() - readAtMs < OLD_MS) return;
  readAtMs = performance.now();
  const answer = await callMethod('public/get_instruments', { currency: 'any' });
  catalogueFault.value = answer.kind === 'done' ? '' : answer.message;
  if (answer.kind === 'done') catalogue.value = answer.value.filter(({ isActive }) => isActive);
  else readAtMs = Number.NEGATIVE_INFINITY;
}

export const instrumentOf = (name: string): Instrument | undefined =>
  catalogue.value?.find(({ instrumentName }) => instrumentName === name);
