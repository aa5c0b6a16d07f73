// Follows one portfolio until it ends: news is pushed, and the whole record is read after every interruption.
// An unreachable daemon is waited for, so that a restart does not end the watch; failures are retried with
// exponential back-off, never before the daemon's Retry-After.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../../gateway/client/client.ts';
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { Backoff } from '../../../values/backoff.ts';
import { rng } from '../../../values/rng.ts';
import { CommandFailure } from '../../command-failure.ts';
import { rateLimitedSec, rateLimitedText, valueOrFail } from '../daemon-client.ts';
import { isOver } from '../terminal/terminal-progress.ts';

export interface Follower {
  readonly onRecord: (record: PortfolioRecord) => void;
  /** No news arrives at present; the reason says whether the daemon is unreachable or limits the rate. */
  readonly onSilence: (reason: string) => void;
  /** How long to wait for an unreachable daemon. */
  readonly waitMs: number;
}

/** The passage of time; tests supply their own. */
export interface FollowTime {
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

const PAUSES = { minMs: 500, maxMs: 10_000, heldMs: 10_000 };
const AWAY = 'the daemon does not answer, waiting for it';
const RATE_LIMITED = 429;
const isRefusal = (code: number): boolean => code >= 400 && code < 500 && code !== RATE_LIMITED;

const REAL_TIME: FollowTime = { nowMs: () => performance.now(), pause: (ms) => sleep(ms) };

/** Resolves with the last record. */
export function followPortfolio(
  client: Pick<Client, 'info' | 'watch'>,
  portfolioId: string,
  follower: Follower,
  time: FollowTime = REAL_TIME,
): Promise<PortfolioRecord> {
  return new Following({ client, portfolioId, follower, time }).untilOver();
}

interface FollowingOptions {
  readonly client: Pick<Client, 'info' | 'watch'>;
  readonly portfolioId: string;
  readonly follower: Follower;
  readonly time: FollowTime;
}

class Following {
  readonly #parts: FollowingOptions;
  readonly #pauses = new Backoff(PAUSES, rng(crypto.randomUUID()));
  #latest: PortfolioRecord | undefined;
  #silentSinceMs: number | undefined;

  constructor(parts: FollowingOptions) {
    this.#parts = parts;
  }

  async untilOver(): Promise<PortfolioRecord> {
    await this.#read();
    for (;;) {
      if (this.#latest !== undefined && isOver(this.#latest)) return this.#latest;
      const { nowMs } = this.#parts.time;
      const sinceMs = nowMs();
      const limitedSec = await this.#listen();
      if (this.#latest !== undefined && isOver(this.#latest)) return this.#latest;
      this.#pauses.held(nowMs() - sinceMs);
      await this.#rest(limitedSec);
    }
  }

  /** Listens until the connection or the portfolio ends; returns the seconds to wait after a rate limit. */
  async #listen(): Promise<number | undefined> {
    const { client, portfolioId } = this.#parts;
    for await (const item of client.watch(portfolioId)) {
      if (item.kind === 'ended') {
        if (isRefusal(item.code))
          throw new CommandFailure('refused', [`not allowed: ${item.reason}`]);
        return item.code === RATE_LIMITED ? (item.retryAfterSec ?? 1) : undefined;
      }
      if (item.kind === 'news') this.#take(item.frame.data.portfolio);
      else await this.#read();
      if (this.#latest !== undefined && isOver(this.#latest)) return undefined;
    }
    return undefined;
  }

  /** Reads the record and retries until it is answered. */
  async #read(): Promise<void> {
    const { client, portfolioId } = this.#parts;
    for (;;) {
      const answer = await client.info(portfolioId);
      if (answer.kind === 'done') return this.#take(answer.value);
      const limitedSec = rateLimitedSec(answer);
      const isAnswered = answer.kind === 'refused' && isRefusal(answer.status);
      // Before the first reply it is unknown whether there is a daemon to wait for.
      const isHopeless = isAnswered || this.#latest === undefined;
      if (limitedSec === undefined && isHopeless) valueOrFail(answer);
      await this.#rest(limitedSec);
    }
  }

  #take(record: PortfolioRecord): void {
    this.#silentSinceMs = undefined;
    const { updateTimestamp = 0 } = this.#latest ?? {};
    if (Number(record.updateTimestamp) < Number(updateTimestamp)) return;
    this.#latest = record;
    this.#parts.follower.onRecord(record);
  }

  /** Ends the watch if there was no news for too long. */
  async #rest(limitedSec: number | undefined): Promise<void> {
    const { follower, time, client, portfolioId } = this.#parts;
    this.#silentSinceMs ??= time.nowMs();
    if (time.nowMs() - this.#silentSinceMs > follower.waitMs) {
      valueOrFail(await client.info(portfolioId));
      this.#silentSinceMs = time.nowMs();
    }
    const pauseMs = this.#pauses.nextMs();
    follower.onSilence(limitedSec === undefined ? AWAY : rateLimitedText(limitedSec));
    await time.pause(Math.max(pauseMs, (limitedSec ?? 0) * 1_000));
  }
}
