// Requests in flight on one connection, by id. Each ends once: with its answer, its time-out, or the end of the
// connection. An answer that comes later is ignored.
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
/** What a frame of the venue may hold; a longer request would be refused, and the connection with it. */
const FRAME_BYTES_MAX = 32_000;

export class Requests {
  readonly #parts: RequestsOptions;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  constructor(parts: RequestsOptions) {
    this.#parts = parts;
  }

  /** Members of `params` that are undefined are left out. The frame is written before this returns. */
  request(method: string, params: Params): Promise<Outcome> {
    const { clock, timeoutMs, send } = this.#parts;
    if (this.#waiting.size >= IN_FLIGHT_MAX) {
      return Promise.resolve(unsent('too many requests wait for their answer'));
    }
    const id = this.#nextId;
    const frame = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    if (frame.length > FRAME_BYTES_MAX) {
      return Promise.resolve(
        unsent(`the request has ${frame.length} bytes; accepted: ${FRAME_BYTES_MAX}`),
      );
    }
    this.#nextId += 1;
    if (!send(frame)) return Promise.resolve(unsent('the connection takes nothing'));
    return new Promise((end) => {
      const expire = (): void => {
        this.#waiting.delete(id);
        end({ kind: 'unknown', reason: `no answer to ${method} within ${timeoutMs} ms` });
      };
      const stop = clock.at(later(clock.now(), timeoutMs), expire);
      this.#waiting.set(id, { end, stop });
    });
  }

  answer(id: number, outcome: Outcome): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    waiting.stop();
    waiting.end(outcome);
  }

  /** The connection is lost: what was sent may have had its effect. */
  drop(reason: string): void {
    for (const id of [...this.#waiting.keys()]) this.answer(id, { kind: 'unknown', reason });
  }
}
