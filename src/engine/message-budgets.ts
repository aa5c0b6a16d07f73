// PT-5 in every place it counts: messages of an account, on an instrument, and of this process. A new order
// or an edit waits for the slowest of them; a cancel is counted in all and waits for none.
import type {
  ControlLimits,
  MessageLimits,
  MessageRate,
} from '../core/risk/gate/control-limits.ts';
import { MessageBudget, messageRate } from '../core/risk/gate/message-budget.ts';
import { RecentMap } from '../core/risk/gate/recent-map.ts';
import type { RateBudget } from '../ports/rate-budget.ts';
import type { Venue } from '../ports/venue.ts';
import type { AccountId, InstrumentName, VenueName } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';

/** Whose message it is. */
export interface MessageOf {
  readonly venue: Venue;
  readonly account: AccountId;
  /** Absent where it is of several or where the request does not say. */
  readonly instrument?: InstrumentName | undefined;
}

interface VenueBudgets {
  readonly accounts: Map<AccountId, MessageBudget>;
  /** Bounded: instruments come and go for as long as the process lives. */
  readonly instruments: RecentMap<MessageBudget>;
}

const INSTRUMENTS_MAX = 20_000;

export class MessageBudgets {
  readonly #venues = new Map<VenueName, VenueBudgets>();
  #process: MessageBudget | undefined;
  /** Of the rules that all of them were made by. */
  #version = '';

  /** Milliseconds until a new order or an edit may be sent; 0 when it may now. */
  waitMs(of: MessageOf, limits: ControlLimits, now: Instant): number {
    const { messages } = limits;
    if (messages === undefined) return 0;
    this.#renew(limits);
    return Math.max(
      this.#ofAccount(of, messages, now).waitMs(now),
      this.#ofInstrument(of, messages, now)?.waitMs(now) ?? 0,
      this.#ofProcess(messages, now)?.waitMs(now) ?? 0,
    );
  }

  /** Counts a message that leaves. */
  sent(of: MessageOf, limits: ControlLimits, now: Instant): void {
    const { messages } = limits;
    if (messages === undefined) return;
    this.#renew(limits);
    this.#ofAccount(of, messages, now).sent(now);
    this.#ofInstrument(of, messages, now)?.sent(now);
    this.#ofProcess(messages, now)?.sent(now);
  }

  /** What is left to each account. */
  *left(now: Instant): Iterable<readonly [venue: VenueName, budget: RateBudget]> {
    for (const [venue, { accounts }] of this.#venues) {
      for (const budget of accounts.values()) {
        yield [venue, { bucket: 'messages', ...budget.left(now) }];
      }
    }
  }

  #renew({ version }: ControlLimits): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#venues.clear();
    this.#process = undefined;
  }

  #ofAccount({ venue, account }: MessageOf, limits: MessageLimits, now: Instant): MessageBudget {
    const { accounts } = this.#ofVenue(venue);
    const known = accounts.get(account);
    if (known !== undefined) return known;
    const fresh = budget(messageRate(limits, venue.features.orderRate), limits, now);
    accounts.set(account, fresh);
    return fresh;
  }

  #ofInstrument(
    { venue, instrument }: MessageOf,
    limits: MessageLimits,
    now: Instant,
  ): MessageBudget | undefined {
    if (instrument === undefined || limits.instrument === undefined) return undefined;
    const { instruments } = this.#ofVenue(venue);
    const known = instruments.get(instrument);
    if (known !== undefined) return known;
    const fresh = budget(limits.instrument, limits, now);
    instruments.set(instrument, fresh);
    return fresh;
  }

  #ofProcess(limits: MessageLimits, now: Instant): MessageBudget | undefined {
    if (limits.process === undefined) return undefined;
    this.#process ??= budget(limits.process, limits, now);
    return this.#process;
  }

  #ofVenue({ name }: Venue): VenueBudgets {
    const known = this.#venues.get(name);
    if (known !== undefined) return known;
    const fresh = {
      accounts: new Map(),
      instruments: new RecentMap<MessageBudget>(INSTRUMENTS_MAX),
    };
    this.#venues.set(name, fresh);
    return fresh;
  }
}

const budget = (rate: MessageRate, { cancelReserve }: MessageLimits, now: Instant): MessageBudget =>
  new MessageBudget(rate, cancelReserve, now);
