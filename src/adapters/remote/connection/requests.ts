// Requests in flight, by rid. Each ends once: with its answer, its time-out, or the end of the connection.
// Later answers are ignored.
import type { Clock, StopTimer } from '../../../ports/clock.ts';
import { later } from '../../../values/instant.ts';
import { type Outcome, type Params, unsent } from '../outcome.ts';

export interface RequestsOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Writes a frame; false if not a byte of it will be sent. */
  readonly send: (text: string) => boolean;
}

interface Waiting {
  readonly end: (outcome: Outcome) => void;
  readonly stop: StopTimer;
}

const IN_FLIGHT_MAX = 5_000;

export class Requests {
  readonly #parts: RequestsOptions;
  readonly #waiting = new Map<number, Waiting>();
  #nextRid = 1;

  constructor(parts: RequestsOptions) {
    this.#parts = parts;
  }

  ask(method: string, params: Params): Promise<Outcome> {
    const { clock, timeoutMs, send } = this.#parts;
    if (this.#waiting.size >= IN_FLIGHT_MAX) {
      return Promise.resolve(unsent('too many requests wait for their answer'));
    }
    const rid = this.#nextRid++;
    if (!send(JSON.stringify({ rid, method, params }))) {
      return Promise.resolve(unsent('the connection takes nothing'));
    }
    return new Promise((end) => {
      const late = (): void => {
        this.#waiting.delete(rid);
        end({ kind: 'unknown', reason: `no answer to ${method} within ${timeoutMs} ms` });
      };
      const stop = clock.at(later(clock.now(), timeoutMs), late);
      this.#waiting.set(rid, { end, stop });
    });
  }

  answer(rid: number, outcome: Outcome): void {
    const waiting = this.#waiting.get(rid);
    if (waiting === undefined) return;
    this.#waiting.delete(rid);
    waiting.stop();
    waiting.end(outcome);
  }

  /** The connection is lost: requests that were sent may have had their effect. */
  drop(reason: string): void {
    for (const rid of [...this.#waiting.keys()]) this.answer(rid, { kind: 'unknown', reason });
  }
}
