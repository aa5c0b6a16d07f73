// What a screen asks of the gateway while it is shown: read every few seconds, one request after the other. What was read last
// stays, with its age, while the gateway does not answer.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Answer, access } from '../../link/page-session.ts';
import { type Shown, shownOf } from '../shown.ts';

export interface Reading<T> {
  readonly value: Signal<T | undefined>;
  /** Why the last request failed; empty if it did not. */
  readonly fault: Signal<string>;
  /** When the value was read, by `performance.now()`. */
  readonly readMs: Signal<number | undefined>;
  /** The same three as one state. */
  readonly shown: ReadonlySignal<Shown<T>>;
  read(): Promise<void>;
}

const EVERY_MS = 3_000;

export function reading<T>(request: () => Promise<Answer<T>>): Reading<T> {
  const value = signal<T | undefined>(undefined);
  const fault = signal('');
  const readMs = signal<number | undefined>(undefined);
  const shown = computed(() => shownOf(value.value, { fault: fault.value, readMs: readMs.value }));
  return {
    value,
    fault,
    readMs,
    shown,
    read: async () => {
      const answer = await request();
      if (answer.kind === 'done') {
        value.value = answer.value;
        readMs.value = performance.now();
      }
      fault.value = answer.kind === 'done' ? '' : answer.message;
    },
  };
}

/** Reads each as long as the component is shown. */
export function useReadings(readings: readonly Reading<unknown>[], everyMs = EVERY_MS): void {
  useEffect(() => {
    let isShown = true;
    const follow = async (): Promise<void> => {
      while (isShown && access.value.kind === 'open') {
        for (const one of readings) if (isShown) await one.read();
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
    };
    void follow();
    return () => {
      isShown = false;
    };
  }, []);
}
