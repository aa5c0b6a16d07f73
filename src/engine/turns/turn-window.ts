// How many turns may be decided and written at the same time. A turn that is decided long before it is durable is decided
// on old prices, and its orders may be too late to be sent: then the work is done and thrown away. So the window narrows
// while turns take too long, and whatever waits for a place is decided when it has one, together with what came meanwhile.
// It is never wider than keeps process and ledger busy: each collection of garbage copies what turns under way hold.
import type { Settings } from '../../core/terms/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import { must } from '../../values/assert.ts';
import type { Waiting } from './waiting-requests.ts';

export interface TurnWindowOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Of requests, from their decision: an order with less than half of it left is not sent. */
  readonly settings: Pick<Settings, 'validForMs'>;
}

const WIDTH_MAX = 4_096;
/** Turns that keep process and ledger busy, for each millisecond of the quickest: twice what one process decides in it. */
const ENOUGH_PER_MS = 16;
/** They are never fewer than this. */
const ENOUGH_MIN = 128;
const NARROWED_TO = 0.7;
const WIDENED_TO = 1.25;
/** Shares of the validity. A turn that takes longer than the first narrows the window if others were much quicker; */
const LONG_SHARE = 1 / 8;
/** one that takes longer than the second does so in any case. */
const TOO_LONG_SHARE = 3 / 8;
/** Where the quickest takes more than this share of the time, the ledger is slow, and a narrower window no help. */
const SLOW_SHARE = 0.5;
/** For this long the quickest turn tells how long one takes at least. */
const QUICKEST_MS = 5_000;

/** How urgent the turn of these commands is. */
export function urgencyOf(waiting: readonly Waiting[]): Urgency {
  if (waiting.some(({ isRequest }) => isRequest)) return 'request';
  return waiting.some(({ command }) => command.kind !== 'advance') ? 'answer' : 'look';
}

/** A turn's place, taken at this moment. */
interface Place {
  readonly fromMs: number;
}

type Enter = (place: Place) => void;

/**
 * Why a turn is wanted, the most urgent first: a client requests something; a request to a venue was answered, and what is
 * begun is ended before anything else begins; something may be due.
 */
const URGENCIES = ['request', 'answer', 'look'] as const;
type Urgency = (typeof URGENCIES)[number];

export class TurnWindow {
  readonly #options: TurnWindowOptions;
  #width = WIDTH_MAX;
  #taken = 0;
  /** Turns taken before this moment say nothing about the present width. */
  #changedMs = Number.NEGATIVE_INFINITY;
  #quickest = { ms: Number.POSITIVE_INFINITY, sinceMs: Number.NEGATIVE_INFINITY };
  /** By urgency, each in the order of arrival. */
  readonly #waiting: Readonly<Record<Urgency, Map<object, Enter>>> = {
    request: new Map(),
    answer: new Map(),
    look: new Map(),
  };

  constructor(options: TurnWindowOptions) {
    this.#options = options;
  }

  /** The number of turns that wait for a place. */
  get waiting(): number {
    const { request, answer, look } = this.#waiting;
    return request.size + answer.size + look.size;
  }

  /** Takes a place, at once if there is one; `key` waits at most once at a time. */
  enter(key: object, urgency: Urgency): Place | Promise<Place> {
    if (this.#taken < this.#places) return this.#take();
    return new Promise((enter) => this.#waiting[urgency].set(key, enter));
  }

  /** What waits under the key, if anything does, is at least as urgent from now on. */
  hasten(key: object, urgency: Urgency): void {
    for (const before of URGENCIES.slice(URGENCIES.indexOf(urgency) + 1)) {
      const enter = this.#waiting[before].get(key);
      if (enter === undefined) continue;
      this.#waiting[before].delete(key);
      this.#waiting[urgency].set(key, enter);
    }
  }

  /** The turn is over: adapts the window, and lets the next ones in. */
  leave({ fromMs }: Place): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#adapt({ fromMs, nowMs });
    this.#taken -= 1;
    while (this.waiting > 0 && this.#taken < this.#places) {
      const urgency = must(
        URGENCIES.find((one) => this.#waiting[one].size > 0),
        'something waits',
      );
      const waiting = this.#waiting[urgency];
      const [key, enter] = must(waiting.entries().next().value, 'the first of them');
      waiting.delete(key);
      enter(this.#take());
    }
  }

  get #places(): number {
    const enough = Math.max(ENOUGH_MIN, ENOUGH_PER_MS * this.#quickest.ms);
    return Math.floor(Math.min(this.#width, enough));
  }

  #take(): Place {
    this.#taken += 1;
    return { fromMs: this.#options.clock.monotonicMs() };
  }

  #adapt({ fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number }): void {
    const tookMs = nowMs - fromMs;
    const isOld = nowMs - this.#quickest.sinceMs > QUICKEST_MS;
    if (isOld || tookMs < this.#quickest.ms) this.#quickest = { ms: tookMs, sinceMs: nowMs };
    if (fromMs < this.#changedMs) return;
    const { validForMs } = this.#options.settings;
    const isQueued = tookMs > validForMs * LONG_SHARE && this.#quickest.ms < tookMs * SLOW_SHARE;
    if (isQueued || tookMs > validForMs * TOO_LONG_SHARE) {
      this.#change(Math.max(1, Math.min(this.#width, this.#taken) * NARROWED_TO), nowMs);
    } else if (this.waiting > 0) {
      this.#change(Math.min(WIDTH_MAX, this.#width * WIDENED_TO + 1), nowMs);
    }
  }

  #change(width: number, nowMs: number): void {
    this.#width = width;
    this.#changedMs = nowMs;
  }
}
