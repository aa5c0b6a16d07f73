// Nudges between the processes of one program, each with an end of its own.
import { type Nudges, nudgeFault } from '../../../src/ports/nudges.ts';

type Listener = (text: string) => void;

export class MemoryNudges {
  readonly #ends = new Set<Map<string, Set<Listener>>>();
  readonly #onFault: (error: unknown) => void;

  /** Exceptions of a listener go to `onFault`. */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** The nudges as one process has them: what it sends reaches all ends but this one. */
  open(): Nudges {
    const own = new Map<string, Set<Listener>>();
    this.#ends.add(own);
    return {
      nudge: (topic, text = '') => {
        const fault = nudgeFault(topic, text);
        if (fault !== undefined) return this.#onFault(fault);
        for (const end of this.#ends) if (end !== own) this.#call(end.get(topic) ?? [], text);
      },
      onNudge: (topic, listener) => {
        const listeners = own.get(topic) ?? new Set();
        own.set(topic, listeners);
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
        };
      },
    };
  }

  #call(listeners: Iterable<Listener>, text: string): void {
    for (const listener of listeners) {
      try {
        listener(text);
      } catch (error) {
        this.#onFault(error);
      }
    }
  }
}
