// What the bar says of the deployment: whether it may trade, and why not. Requested every few seconds, one request after the
// other, so that it does not depend on the stream.
import { computed, signal } from '@preact/signals';
import type { SwitchRecord } from '../../gateway/client/client.ts';
import { access, request } from '../link/page-session.ts';
import { shownOf } from './panel-state.ts';

export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

export const switches = signal<readonly SwitchRecord[] | undefined>(undefined);
export const readiness = signal<Readiness | undefined>(undefined);
/** When both were last read, by `performance.now()`. */
export const readMs = signal<number | undefined>(undefined);
/** Why they could not be read the last time; empty if they could. */
const stateFault = signal('');

export const switchesShown = computed(() =>
  shownOf(switches.value, { fault: stateFault.value, readMs: readMs.value }),
);

const EVERY_MS = 3_000;

/** The switch over the whole deployment. */
export const deployment = computed(() =>
  switches.value?.find(({ scope }) => scope === 'deployment'),
);

/** Narrower switches that hold something back. */
export const narrower = computed(
  () =>
    switches.value?.filter(({ scope, state }) => scope !== 'deployment' && state !== 'active') ??
    [],
);

export async function readState(): Promise<void> {
  const [state, set] = [
    await request<Readiness>('state'),
    await request<readonly SwitchRecord[]>('api/switches'),
  ];
  if (state.kind === 'done') readiness.value = state.value;
  if (set.kind === 'done') switches.value = set.value;
  const failed = state.kind !== 'done' ? state : set.kind !== 'done' ? set : undefined;
  if (failed === undefined) readMs.value = performance.now();
  stateFault.value = failed?.message ?? '';
}

/** Reads as long as there is a session. */
export async function followState(): Promise<void> {
  while (access.value.kind === 'open') {
    await readState();
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
