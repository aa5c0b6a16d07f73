// What a screen asks of the gateway while it is shown: read every few seconds, one request after the other. What was read last
// stays, with its age, while the gateway does not answer.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Answer, access } from '../../link/page-session.ts';
import { type Shown, shownOf } from '../panel-state.ts';

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

/** Of some accounts; `fault` says of which it could not be read, and why. */
export interface PartAnswer<T> {
  readonly kind: 'part';
  readonly value: T;
  readonly fault: string;
}

export function reading<T>(request: () => Promise<Answer<T> | PartAnswer<T>>): Reading<T> {
  const missing = signal('');
  const value = signal<T | undefined>(undefined);
  const fault = signal('');
  const readMs = signal<number | undefined>(undefined);
  const shown = computed((): Shown<T> => {
    const whole = shownOf(value.value, { fault: fault.value, readMs: readMs.value });
    const isPart = whole.kind === 'read' && missing.value !== '';
    return isPart ? { kind: 'partial', value: whole.value, fault: missing.value } : whole;
  });
  return {
    value,
    fault,
    readMs,
    shown,
    read: async () => {
      const answer = await request();
      if (answer.kind === 'done' || answer.kind === 'part') {
        value.value = answer.value;
        readMs.value = performance.now();
        missing.value = answer.kind === 'part' ? answer.fault : '';
        fault.value = '';
      } else fault.value = answer.message;
    },
  };
}

/** Reads each as long as the component is shown; what could not be read, not later than after {@link EVERY_MS}. */
export function useReadings(readings: readonly Reading<unknown>[], everyMs = EVERY_MS): void {
  useEffect(() => {
    let isShown = true;
    const follow = async (): Promise<void> => {
      while (isShown && access.value.kind === 'open') {
        for (const one of readings) if (isShown) await one.read();
        const isFaulty = readings.some(({ fault }) => fault.value !== '');
        const restMs = isFaulty ? Math.min(everyMs, EVERY_MS) : everyMs;
        await new Promise((resolve) => setTimeout(resolve, restMs));
      }
    };
    void follow();
    return () => {
      isShown = false;
    };
  }, []);
}
