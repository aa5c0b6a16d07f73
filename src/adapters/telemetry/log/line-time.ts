// The time stamp and request context of a line: those of now, or those of the moment at which its observation
// was deferred.

export interface Moment {
  readonly atMs: number;
  readonly context: object | undefined;
}

const SECOND_MS = 1_000;
const NO_CONTEXT = Object.freeze({});

/**
 * Adds the context's fields before the line's own, which take precedence; copies only if there is a
 * context.
 */
export const withContext = (line: object, context: object): object =>
  context === NO_CONTEXT ? line : { ...context, ...line };

export class LineTime {
  readonly #contextNow: () => object | undefined;
  #past: Moment | undefined;
  #second = Number.NaN;
  #start = '';

  constructor(contextNow: () => object | undefined = () => undefined) {
    this.#contextNow = contextNow;
  }

  moment(): Moment {
    return { atMs: Date.now(), context: this.#contextNow() };
  }

  /** Lines that `observe` writes about `observation` carry that moment. */
  asOf<T>(moment: Moment, observe: (observation: T) => void, observation: T): void {
    const before = this.#past;
    this.#past = moment;
    try {
      observe(observation);
    } finally {
      this.#past = before;
    }
  }

  /** Fields of the moment. */
  readonly context = (): object =>
    (this.#past === undefined ? this.#contextNow() : this.#past.context) ?? NO_CONTEXT;

  /** The time stamp of a line in pino's format. Everything but the milliseconds is formatted once a second. */
  readonly stamp = (): string => {
    const now = this.#past?.atMs ?? Date.now();
    const milli = now % SECOND_MS;
    if (now - milli !== this.#second) {
      this.#second = now - milli;
      this.#start = `,"time":"${new Date(this.#second).toISOString().slice(0, -'000Z'.length)}`;
    }
    return `${this.#start}${String(milli).padStart(3, '0')}Z"`;
  };
}
