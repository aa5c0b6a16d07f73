// A value that changes many times a second and is painted a few times a second.
import { type ReadonlySignal, signal } from '@preact/signals';

const PAINT_MS = 200;

export interface Painted<T> {
  readonly shown: ReadonlySignal<T>;
  /** What it reads is shown with the next painting. */
  mark(): void;
}

/** `read` must return a new value each time. */
export function painted<T>(read: () => T): Painted<T> {
  const shown = signal(read());
  let isDue = false;
  return {
    shown,
    mark: () => {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        shown.value = read();
      }, PAINT_MS);
    },
  };
}
