// Logs everything that is retried in the same way: the first failure of an outage with its stack, a line a
// minute while it lasts, and the number of failures at its end. Failures that differ only in numbers count as
// the same.

import type { Logger } from 'pino';
import { cutText } from '../../../values/text/text-length.ts';
import { errorFields } from './error-fields.ts';

export interface Failure {
  /** Default: `failed`. */
  readonly event?: 'failed' | 'programming_error';
  readonly where: string;
  readonly error: unknown;
  readonly portfolio?: string | undefined;
}

export interface FailureLogOptions {
  readonly log: Pick<Logger, 'error' | 'warn'>;
  /** Monotonic milliseconds. */
  readonly nowMs?: () => number;
  readonly after?: (ms: number, then: () => void) => void;
}

interface Outage {
  readonly event: 'failed' | 'programming_error';
  readonly where: string;
  readonly sinceMs: number;
  readonly portfolios: Set<string>;
  lastMs: number;
  toldMs: number;
  /** Failures after the first. */
  repeats: number;
  reason: string;
}

/** An outage has ended once there was no failure for this long. */
const QUIET_MS = 10_000;
const REMIND_MS = 60_000;
const OUTAGES_MAX = 200;
const PORTFOLIOS_SHOWN_MAX = 20;
const KEY_LENGTH_MAX = 200;

export class FailureLog {
  readonly #log: FailureLogOptions['log'];
  readonly #nowMs: () => number;
  readonly #after: (ms: number, then: () => void) => void;
  readonly #outages = new Map<string, Outage>();

  constructor({ log, nowMs = () => performance.now(), after = afterwards }: FailureLogOptions) {
    this.#log = log;
    this.#nowMs = nowMs;
    this.#after = after;
  }

  report({ where, error, portfolio, event = 'failed' }: Failure): void {
    const { type, message, code } = errorFields(error);
    const said = `${where} ${type} ${code} ${message}`;
    const key = cutText(said.replaceAll(/\d+/g, '#'), KEY_LENGTH_MAX);
    const nowMs = this.#nowMs();
    const known = this.#outages.get(key);
    if (known !== undefined) return this.#again(known, { nowMs, portfolio, reason: message });
    const words = event === 'failed' ? 'failed' : 'programming error';
    this.#log.error({ event, where, portfolio, err: error }, `${words}: ${where}`);
    const begun = {
      event,
      where,
      sinceMs: nowMs,
      lastMs: nowMs,
      toldMs: nowMs,
      repeats: 0,
      reason: message,
    };
    this.#outages.set(key, { ...begun, portfolios: new Set() });
    this.#checkLater(key, QUIET_MS);
    const [oldest] = this.#outages.keys();
    if (this.#outages.size > OUTAGES_MAX && oldest !== undefined) this.#end(oldest);
  }

  #again(
    outage: Outage,
    { nowMs, portfolio, reason }: { nowMs: number; portfolio: string | undefined; reason: string },
  ): void {
    outage.repeats += 1;
    outage.lastMs = nowMs;
    outage.reason = reason;
    if (portfolio !== undefined && outage.portfolios.size < PORTFOLIOS_SHOWN_MAX) {
      outage.portfolios.add(portfolio);
    }
    if (nowMs - outage.toldMs < REMIND_MS) return;
    outage.toldMs = nowMs;
    this.#log.error(fieldsOf(outage), `still failing: ${outage.where}`);
  }

  #checkLater(key: string, restMs: number): void {
    this.#after(restMs, () => {
      const outage = this.#outages.get(key);
      if (outage === undefined) return;
      const quietMs = this.#nowMs() - outage.lastMs;
      if (quietMs < QUIET_MS) this.#checkLater(key, QUIET_MS - quietMs);
      else this.#end(key);
    });
  }

  #end(key: string): void {
    const outage = this.#outages.get(key);
    this.#outages.delete(key);
    if (outage === undefined || outage.repeats === 0) return;
    this.#log.warn(fieldsOf(outage), `no longer failing: ${outage.where}`);
  }
}

function fieldsOf({ event, where, repeats, reason, sinceMs, lastMs, portfolios }: Outage): object {
  const among = portfolios.size === 0 ? {} : { portfolios: [...portfolios] };
  const times = repeats + 1;
  return {
    event,
    where,
    times,
    lastedMs: Math.round(lastMs - sinceMs),
    reason,
    ...among,
  };
}

function afterwards(ms: number, then: () => void): void {
  setTimeout(then, ms).unref();
}
