// Keeps the book of one instrument. A gap, a malformed message or a book that stays wrong drops it: the channel is
// unsubscribed from and subscribed to again, and there is no book until its snapshot has come. Repeated drops wait with
// growing pauses, because each costs two calls.
import type { Clock, StopTimer } from '../../../ports/clock.ts';
import { MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import { Backoff, type BackoffRule } from '../../../values/backoff.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { type Instant, later } from '../../../values/instant.ts';
import type { Rng } from '../../../values/rng.ts';
import { bookFrameIn } from './book-message.ts';
import { isCrossed, type LevelBook, withFrame } from './level-book.ts';
import type { PublicChannels } from './public-channels.ts';

export interface BookKeeperOptions {
  readonly name: InstrumentName;
  readonly subscriptions: PublicChannels;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly tally: WireTally;
  /** The book changed; not called when it is dropped. */
  readonly onChange: () => void;
  readonly onFault: (error: unknown) => void;
}

const RENEWAL: BackoffRule = { minMs: 1_000, maxMs: 60_000, heldMs: 0 };
/** A book dropped longer ago than this does not delay the next drop. */
const CALM_MS = 120_000;
/** The longest wait for a snapshot. */
const SNAPSHOT_MS = 10_000;
/** A crossed book that lasts longer was not read in the middle of a change. */
const CROSSED_MS = 2_000;

export class BookKeeper {
  readonly #parts: BookKeeperOptions;
  readonly #channel: string;
  readonly #leave: () => void;
  #book: LevelBook | undefined;
  #seenAt: Instant;
  /** When it became crossed. */
  #crossedAt: Instant | undefined;
  #renewals: Backoff;
  #renewedAt: Instant | undefined;
  /** Present while a renewal waits for its pause to end. */
  #stopRenewal: StopTimer | undefined;

  constructor(parts: BookKeeperOptions) {
    this.#parts = parts;
    this.#channel = `book.${parts.name}.100ms`;
    this.#renewals = new Backoff(RENEWAL, parts.rng);
    this.#seenAt = parts.clock.now();
    this.#leave = parts.subscriptions.listen(this.#channel, (data) => this.#receive(data));
  }

  /** `undefined` while there is none that is whole. A crossed book is returned too; see `isCrossed`. */
  get book(): LevelBook | undefined {
    return this.#book;
  }

  /** When its last message arrived. */
  get seenAt(): Instant {
    return this.#seenAt;
  }

  close(): void {
    this.down();
    this.#leave();
  }

  down(): void {
    this.#stopRenewal?.();
    this.#stopRenewal = undefined;
    this.#book = undefined;
    this.#crossedAt = undefined;
    this.#seenAt = this.#parts.clock.now();
  }

  /** The book cannot be right. */
  drop(reason: string): void {
    const { name, onFault } = this.#parts;
    if (this.#stopRenewal !== undefined) return;
    onFault(new Error(`the book of ${name} is read anew: ${reason}`));
    this.down();
    this.#renew();
  }

  /** Called periodically: finds a snapshot that never came, and a book that stays crossed. */
  check(): void {
    const { clock, subscriptions } = this.#parts;
    const now = clock.now();
    if (this.#book !== undefined) {
      const crossedAt = this.#crossedAt;
      if (crossedAt !== undefined && now - crossedAt > CROSSED_MS) this.drop('it stays crossed');
    } else if (!subscriptions.isHeld(this.#channel)) {
      this.#seenAt = now;
    } else if (now - this.#seenAt > SNAPSHOT_MS) {
      this.drop('its snapshot did not come');
    }
  }

  #receive(data: unknown): void {
    const { clock, tally, onChange, onFault } = this.#parts;
    // What still arrives of the subscription that is being ended is no news.
    if (this.#stopRenewal !== undefined) return;
    let next: ReturnType<typeof withFrame>;
    try {
      next = withFrame(this.#book, bookFrameIn(data, tally));
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      onFault(error);
      return this.drop('a message is malformed');
    }
    if ('gap' in next) return this.#missed(next.gap);
    this.#book = next;
    const now = clock.now();
    this.#seenAt = now;
    this.#crossedAt = isCrossed(next) ? (this.#crossedAt ?? now) : undefined;
    onChange();
  }

  /** Before the first snapshot of a subscription, changes of the one before it may arrive. */
  #missed(reason: string): void {
    if (this.#book !== undefined) this.drop(reason);
  }

  #renew(): void {
    const { clock, rng } = this.#parts;
    const now = clock.now();
    const before = this.#renewedAt;
    const isCalm = before === undefined || now - before > CALM_MS;
    if (isCalm) this.#renewals = new Backoff(RENEWAL, rng);
    const at = isCalm ? now : later(now, this.#renewals.nextMs());
    this.#renewedAt = at;
    if (at === now) return this.#renewNow();
    this.#stopRenewal = clock.at(at, () => {
      this.#stopRenewal = undefined;
      this.#renewNow();
    });
  }

  #renewNow(): void {
    this.#seenAt = this.#parts.clock.now();
    this.#parts.subscriptions.renew(this.#channel);
  }
}
