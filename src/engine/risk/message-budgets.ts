// Control PT-5: the message budgets of an account, of an instrument, and of this process. A new order or an edit
// waits for the slowest of them; a cancel counts in all of them and never waits.
import type {
  ControlLimits,
  MessageLimits,
  MessageRate,
} from '../../core/risk/gate/control-limits.ts';
import { MessageBudget, messageRate } from '../../core/risk/gate/message-budget.ts';
import { RecentMap } from '../../core/risk/gate/recent-map.ts';
import type { BudgetRoom, MessageRoom } from '../../core/risk/message-room.ts';
import type { RateBudget } from '../../ports/rate-budget.ts';
import type { Venue } from '../../ports/venue.ts';
import {
  type AccountId,
  type ChildLabel,
  type InstrumentName,
  instrumentName,
  type VenueName,
} from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

/** The origin of a message. */
export interface MessageOf {
  readonly venue: Venue;
  readonly account: AccountId;
  /** Of a request that names one instrument. */
  readonly instrument?: InstrumentName | undefined;
}

/** How full a budget is. */
export interface BudgetLevel {
  /** Below zero after a burst of cancels. */
  readonly tokens: number;
  readonly at: Instant;
}

/** A budget, and the version of the rules it applies. */
interface Kept {
  readonly budget: MessageBudget;
  version: string;
  /** What the venue granted when they were applied; a login may change it. */
  granted?: MessageRate | undefined;
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
  /** From which the budgets that daemons share are filled here; `undefined`: they begin full. */
  #joined: BudgetLevel | undefined;
  /** From which the budgets of accounts are filled that had another owner before. */
  readonly #levels = new Map<AccountId, BudgetLevel>();
  /** The budgets that hold a message for an intended order, by its label. */
  readonly #promised = new Map<ChildLabel, readonly MessageBudget[]>();

  /**
   * This daemon takes its share of the budgets of instruments and of the process from now on, alongside others, or after
   * them, that may just have spent theirs: its share begins empty, so that together they never send more than is configured.
   */
  joined(now: Instant): void {
    this.#joined = { tokens: 0, at: now };
    this.#whole = undefined;
    for (const { instruments } of this.#venues.values()) instruments.clear();
  }

  /** How full the account's own budget is; `undefined` if messages are not limited. */
  levelOf(
    of: Omit<MessageOf, 'instrument'>,
    { messages, version }: ControlLimits,
    now: Instant,
  ): BudgetLevel | undefined {
    if (messages === undefined) return undefined;
    return { tokens: this.#ofAccount(of, { messages, version, now }).level(now), at: now };
  }

  /** The account's own budget is as full as that, whatever was counted here. */
  fill({ venue, account }: Omit<MessageOf, 'instrument'>, level: BudgetLevel): void {
    this.#levels.set(account, level);
    this.#ofVenue(venue).accounts.delete(account);
  }

  /** Milliseconds until a new order or an edit may be sent; 0 if it may be sent now. */
  waitMs(of: MessageOf, { messages, version }: ControlLimits, now: Instant): number {
    if (messages === undefined) return 0;
    const budgets = this.#budgetsOf(of, { messages, version, now });
    return Math.max(...budgets.map((budget) => budget.waitMs(now)));
  }

  /** Counts a message that is sent. */
  sent(of: MessageOf, { messages, version }: ControlLimits, now: Instant): void {
    if (messages === undefined) return;
    for (const budget of this.#budgetsOf(of, { messages, version, now })) budget.sent(now);
  }

  /** Holds a message for an order that is intended, until it is withdrawn; repeating it has no effect. */
  promise(label: ChildLabel, of: MessageOf, limits: ControlLimits, now: Instant): void {
    const { messages, version } = limits;
    if (messages === undefined || this.#promised.has(label)) return;
    const budgets = this.#budgetsOf(of, { messages, version, now });
    for (const budget of budgets) budget.promise();
    this.#promised.set(label, budgets);
  }

  /** The order leaves now, or never. */
  withdraw(label: ChildLabel): void {
    for (const budget of this.#promised.get(label) ?? []) budget.withdraw();
    this.#promised.delete(label);
  }

  /** What is left for orders about these instruments that are not intended yet; `undefined` if nothing is limited. */
  room(
    of: Omit<MessageOf, 'instrument'>,
    instruments: Iterable<string>,
    {
      limits: { messages, version },
      now,
    }: { readonly limits: ControlLimits; readonly now: Instant },
  ): MessageRoom | undefined {
    if (messages === undefined) return undefined;
    const rules = { messages, version, now };
    const shared = this.#budgetsOf(of, rules).map((budget) => budget.room(now));
    const own = new Map<string, BudgetRoom>();
    for (const name of messages.instrument === undefined ? [] : instruments) {
      const budget = this.#ofInstrument({ ...of, instrument: instrumentName(name) }, rules);
      if (budget !== undefined) own.set(name, budget.room(now));
    }
    return { at: now, shared, instruments: own };
  }

  /** How much of the account's own budget is used; `undefined` if messages are not limited. */
  useOf(
    of: Omit<MessageOf, 'instrument'>,
    { messages, version }: ControlLimits,
    now: Instant,
  ): ReturnType<MessageBudget['use']> | undefined {
    if (messages === undefined) return undefined;
    return this.#ofAccount(of, { messages, version, now }).use(now);
  }

  /** The remaining budget of each account. */
  *left(now: Instant): Iterable<readonly [venue: VenueName, budget: RateBudget]> {
    for (const [venue, { accounts }] of this.#venues) {
      for (const { budget } of accounts.values()) {
        yield [venue, { bucket: 'messages', ...budget.left(now) }];
      }
    }
  }

  /** Every budget that a message counts in. */
  #budgetsOf(of: MessageOf, rules: Rules): readonly MessageBudget[] {
    const budgets = [this.#ofAccount(of, rules)];
    const [instrument, whole] = [this.#ofInstrument(of, rules), this.#ofProcess(rules)];
    if (instrument !== undefined) budgets.push(instrument);
    if (whole !== undefined) budgets.push(whole);
    return budgets;
  }

  #ofAccount({ venue, account }: MessageOf, rules: Rules): MessageBudget {
    const { accounts } = this.#ofVenue(venue);
    const known = accounts.get(account);
    const granted = venue.features.orderRate;
    if (known?.version === rules.version && isSame(known.granted, granted)) return known.budget;
    const rate = messageRate(rules.messages, granted);
    const kept = inForce(known, rate, rules, this.#levels.get(account));
    kept.granted = granted;
    this.#levels.delete(account);
    accounts.set(account, kept);
    return kept.budget;
  }

  #ofInstrument({ venue, instrument }: MessageOf, rules: Rules): MessageBudget | undefined {
    const rate = rules.messages.instrument;
    if (instrument === undefined || rate === undefined) return undefined;
    const { instruments } = this.#ofVenue(venue);
    const known = instruments.get(instrument);
    if (known?.version === rules.version) return known.budget;
    const kept = inForce(known, rate, rules, this.#joined);
    if (known === undefined) instruments.set(instrument, kept);
    return kept.budget;
  }

  #ofProcess(rules: Rules): MessageBudget | undefined {
    const rate = rules.messages.process;
    if (rate === undefined) return undefined;
    if (this.#whole?.version !== rules.version) {
      this.#whole = inForce(this.#whole, rate, rules, this.#joined);
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

const isSame = (one: MessageRate | undefined, other: MessageRate | undefined): boolean =>
  one === other || (one?.perSecond === other?.perSecond && one?.burst === other?.burst);

/** Applies changed rules to an existing budget; messages already sent stay counted. A new one begins at the level, or full. */
function inForce(
  known: Kept | undefined,
  rate: MessageRate,
  { messages, version, now }: Rules,
  level?: BudgetLevel,
): Kept {
  if (known === undefined) {
    const { cancelReserve: reserve } = messages;
    const { tokens, at } = level ?? { tokens: rate.burst, at: now };
    // By another clock it may be of a moment that is not yet here.
    const budget = new MessageBudget(rate, reserve, at < now ? at : now, tokens);
    return { budget, version };
  }
  known.budget.retune(rate, messages.cancelReserve, now);
  known.version = version;
  return known;
}
