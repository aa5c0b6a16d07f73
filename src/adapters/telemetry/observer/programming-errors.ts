// The mistakes of the program that this process has met lately, as reasons of GET /readyz: what and where, never the
// message, which may contain an order. The log has the stack.
import { errorFields } from '../log/error-fields.ts';

/** A reason stays for this long after the last time; the metric and its alert stay until the restart. */
const SHOWN_MS = 600_000;
/** Places shown; of more, the one seen longest ago is left out. */
const PLACES_MAX = 20;

interface Seen {
  readonly reason: string;
  times: number;
  lastMs: number;
}

export class ProgrammingErrors {
  readonly #nowMs: () => number;
  /** By place and type, the latest last. */
  readonly #seen = new Map<string, Seen>();

  /** @param nowMs monotonic milliseconds */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** @param place without names of portfolios or strategies: the reasons are open to any client */
  note(place: string, error: unknown): void {
    const reason = `${rootType(error)} in ${place}`;
    const times = (this.#seen.get(reason)?.times ?? 0) + 1;
    this.#seen.delete(reason);
    this.#seen.set(reason, { reason, times, lastMs: this.#nowMs() });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > PLACES_MAX && oldest !== undefined) this.#seen.delete(oldest);
  }

  reasons(): readonly string[] {
    const shownFromMs = this.#nowMs() - SHOWN_MS;
    return [...this.#seen.values()]
      .filter(({ lastMs }) => lastMs >= shownFromMs)
      .map(
        ({ reason, times }) =>
          `programming error: ${reason}, ${times === 1 ? 'once' : `${times} times`}; the log has its stack`,
      );
  }
}

/** Of the error that the others wrap. */
function rootType(error: unknown): string {
  const fields = errorFields(error);
  let { type, cause } = fields;
  while (cause !== undefined) ({ type, cause } = cause);
  return type;
}
