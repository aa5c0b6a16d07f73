// Idempotency keys: the first request with a key is executed, a repetition gets its answer, and a different
// request under the same key is refused. Refused requests are not kept, because nothing was done.
import { createHash } from 'node:crypto';
import type { KeptAnswers } from '../../ports/kept-answers.ts';
import { DAY_MS, type Instant, later } from '../../values/instant.ts';
import type { ReportError } from '../wire/http-faults.ts';

/** How long answers are kept. */
export const ANSWERS_KEPT_MS = 7 * DAY_MS;

/** The accepted form of a key. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,64}$/;

export interface IdempotencyOptions {
  readonly kept: KeptAnswers;
  readonly now: () => Instant;
  readonly report: ReportError;
}

export interface Asked<T> {
  /** The client's key, prefixed with its owner. */
  readonly key: string;
  /** The request body; compared as JSON, regardless of field order. */
  readonly body: unknown;
  readonly act: () => Promise<T>;
  /** False if nothing was done: the key can then be used again. */
  readonly isDone: (answer: T) => boolean;
}

export type IdempotentAnswer<T> =
  | { readonly kind: 'answered'; readonly answer: T; readonly isRepeated: boolean }
  /** The first request may have been executed, but its answer is not known. */
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'other' };

interface UnderWay {
  readonly digest: string;
  readonly asking: Promise<IdempotentAnswer<unknown>>;
}

export class IdempotencyStore {
  readonly #parts: IdempotencyOptions;
  /** Requests under way in this process; a repetition waits for the first one's answer. */
  readonly #underWay = new Map<string, UnderWay>();

  constructor(parts: IdempotencyOptions) {
    this.#parts = parts;
  }

  /** Rejects with the store's error before anything is done, and afterwards with any error of `act`. */
  async run<T>({ key, body, act, isDone }: Asked<T>): Promise<IdempotentAnswer<T>> {
    const digest = digestOf(body);
    const before = this.#underWay.get(key);
    if (before !== undefined) return await repeated<T>(before, digest);
    const asking = this.#answer({ key, digest, act, isDone });
    this.#underWay.set(key, { digest, asking });
    try {
      return await asking;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #answer<T>(
    asked: Omit<Asked<T>, 'body'> & { digest: string },
  ): Promise<IdempotentAnswer<T>> {
    const { kept, now } = this.#parts;
    const { key, digest } = asked;
    const claim = await kept.claim({ key, digest, until: later(now(), ANSWERS_KEPT_MS) });
    switch (claim.kind) {
      case 'first':
        return { kind: 'answered', answer: await this.#first(asked), isRepeated: false };
      case 'again':
        return { kind: 'answered', answer: JSON.parse(claim.answer) as T, isRepeated: true };
      default:
        return claim;
    }
  }

  async #first<T>({ key, act, isDone }: Omit<Asked<T>, 'body'>): Promise<T> {
    const answer = await act();
    const { kept, report } = this.#parts;
    try {
      if (isDone(answer)) await kept.keep(key, JSON.stringify(answer));
      else await kept.release(key);
    } catch (error) {
      // The request was executed: the client gets the answer even though it could not be stored for a
      // repetition.
      report(error, 'idempotency');
    }
    return answer;
  }
}

/** Answers a repetition; a request with a different digest is refused. */
async function repeated<T>(
  { digest, asking }: UnderWay,
  own: string,
): Promise<IdempotentAnswer<T>> {
  if (digest !== own) return { kind: 'other' };
  const answer = (await asking) as IdempotentAnswer<T>;
  return answer.kind === 'answered' ? { ...answer, isRepeated: true } : answer;
}

/** Digest of the JSON with the fields of every object sorted. */
const digestOf = (body: unknown): string =>
  createHash('sha256').update(JSON.stringify(body, sorted)).digest('base64');

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
