// Control PT-5: the message budgets of an account, of an instrument, and of this process. A new order or an edit
// waits for the slowest of them; a cancel counts in all of them and never waits.
import type {
  ControlLimits,
  MessageLimits,
  MessageRate,
} from '../../core/risk/gate/control-limits.ts';
import { MessageBudget, messageRate } from '../../core/risk/gate/message-budget.ts';
import { RecentMap } from '../../core/risk/gate/recent-map.ts';
import type { RateBudget } from '../../ports/rate-budget.ts';
import type { Venue } from '../../ports/venue.ts';
import type { AccountId, InstrumentName, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

/** The origin of a message. */
export interface MessageOf {
  readonly venue: Venue;
  readonly account: AccountId;
  /** Absent if the request covers several instruments or names none. */
  readonly instrument?: InstrumentName | undefined;
}

/** A budget, and the version of the rules it applies. */
interface Kept {
  readonly budget: MessageBudget;
  version: string;
}

interface VenueBudgets {
  readonly accounts: Map<AccountId, Kept>;
  /** Limited in size: instruments come and go while the process lives. */
  readonly instruments: RecentMap<Kept>;
}

/** The rules currently in force. */
interface Rules {
  readonly messages: MessageLimits;
  readonly version: string;
  readonly now: Instant;
}

const INSTRUMENTS_MAX = 20_000;

export class MessageBudgets {
  readonly #venues = new Map<VenueName, VenueBudgets>();
  #whole: Kept | undefined;

  /** Milliseconds until a new order or an edit may be sent; 0 if it may be sent now. */
  waitMs(of: MessageOf, { messages, version }: ControlLimits, now: Instant): number {
    if (messages === undefined) return 0;
    const rules = { messages, version, now };
    return Math.max(
      this.#ofAccount(of, rules).waitMs(now),
      this.#ofInstrument(of, rules)?.waitMs(now) ?? 0,
      this.#ofProcess(rules)?.waitMs(now) ?? 0,
    );
  }

  /** Counts a message that is sent. */
  sent(of: MessageOf, { messages, version }: ControlLimits, now: Instant): void {
    if (messages === undefined) return;
    const rules = { messages, version, now };
    this.#ofAccount(of, rules).sent(now);
    this.#ofInstrument(of, rules)?.sent(now);
    this.#ofProcess(rules)?.sent(now);
  }

  /** The remaining budget of each account. */
  *left(now: Instant): Iterable<readonly [venue: VenueName, budget: RateBudget]> {
    for (const [venue, { accounts }] of this.#venues) {
      for (const { budget } of accounts.values()) {
        yield [venue, { bucket: 'messages', ...budget.left(now) }];
      }
    }
  }

  #ofAccount({ venue, account }: MessageOf, rules: Rules): MessageBudget {
    const { accounts } = this.#ofVenue(venue);
    const known = accounts.get(account);
    if (known?.version === rules.version) return known.budget;
    const kept = inForce(known, messageRate(rules.messages, venue.features.orderRate), rules);
    accounts.set(account, kept);
    return kept.budget;
  }

  #ofInstrument({ venue, instrument }: MessageOf, rules: Rules): MessageBudget | undefined {
    const rate = rules.messages.instrument;
    if (instrument === undefined || rate === undefined) return undefined;
    const { instruments } = this.#ofVenue(venue);
    const known = instruments.get(instrument);
    if (known?.version === rules.version) return known.budget;
    const kept = inForce(known, rate, rules);
    if (known === undefined) instruments.set(instrument, kept);
    return kept.budget;
  }

  #ofProcess(rules: Rules): MessageBudget | undefined {
    const rate = rules.messages.process;
    if (rate === undefined) return undefined;
    if (this.#whole?.version !== rules.version) {
      this.#whole = inForce(this.#whole, rate, rules);
    }
    return this.#whole.budget;
  }

  #ofVenue({ name }: Venue): VenueBudgets {
    const known = this.#venues.get(name);
    if (known !== undefined) return known;
    const fresh = { accounts: new Map(), instruments: new RecentMap<Kept>(INSTRUMENTS_MAX) };
    this.#venues.set(name, fresh);
    return fresh;
  }
}

/** Applies changed rules to an existing budget; messages already sent stay counted. */
function inForce(known: Kept | undefined, rate: MessageRate, rules: Rules): Kept {
  const { messages, version, now } = rules;
  if (known === undefined) {
    return { budget: new MessageBudget(rate, messages.cancelReserve, now), version };
  }
  known.budget.retune(rate, messages.cancelReserve, now);
  known.version = version;
  return known;
}
