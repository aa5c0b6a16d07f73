// The connections of the venue: one for the markets, because a reader that falls behind is cut off, and one for each
// attached account, because credentials and rate limits belong to an account.
import type { Clock } from '../../../ports/clock.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { RateBudget } from '../../../ports/rate-budget.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Rng } from '../../../values/rng.ts';
import { type Outcome, type SendRequest, unsent } from '../outcome.ts';
import { Credits, type Rate } from './credits.ts';
import type { Key } from './login.ts';
import {
  type Granted,
  type LoginRefused,
  Session,
  type SessionRules,
  venueTime,
} from './rpc-session.ts';
import { VenueClock } from './venue-clock.ts';
import type { OpenSocket } from './venue-socket.ts';

export interface AccountKey {
  readonly account: AccountId;
  readonly key: Key;
}

export interface SessionsOptions {
  readonly url: string;
  /** Where public channels are served, if that is elsewhere. */
  readonly marketUrl?: string | undefined;
  /** Those that may be attached; none for market data alone. */
  readonly accounts: readonly AccountKey[];
  readonly clock: Clock;
  readonly rng: Rng;
  readonly rules: SessionRules;
  readonly tally: WireTally;
  readonly open: OpenSocket;
  readonly checkVenue: (testnet: boolean | undefined) => void;
  readonly identify: (request: SendRequest) => Promise<void>;
  /** Channels without which no account is traded. */
  readonly accountChannels: readonly string[];
  readonly greetMarket: (request: SendRequest) => Promise<void>;
  readonly prepareAccount: (of: Greeting) => Promise<void>;
  readonly onMarketUp: () => void;
  readonly onMarketDown: () => void;
  readonly onAccountUp: (account: AccountId) => void;
  readonly onAccountDown: (account: AccountId) => void;
  readonly onMarketMessage: (channel: string, data: unknown) => void;
  readonly onAccountMessage: (account: AccountId, channel: string, data: unknown) => void;
  /** A message of the account may be lost, because a frame could not be read. */
  readonly onAccountUnreadable: (account: AccountId) => void;
  readonly onFault: (error: unknown) => void;
}

/** A connection of an account before it is used. */
export interface Greeting {
  readonly account: AccountId;
  readonly request: SendRequest;
  readonly granted: Granted | undefined;
  readonly credits: Credits;
}

interface Attached {
  readonly session: Session;
  readonly credits: Credits;
  /** Settled by the first login that succeeds or is refused. */
  readonly first: PromiseWithResolvers<void>;
}

export class Sessions {
  readonly #parts: SessionsOptions;
  readonly #market: Session;
  readonly #attached = new Map<AccountId, Attached>();
  readonly #credits = new Map<AccountId, Credits>();
  readonly #venueClock = new VenueClock();
  /** Read for every message; forgotten where an account is attached, logged in or detached. */
  #orderRate: Rate | undefined;

  /** Connects the markets. */
  constructor(parts: SessionsOptions) {
    this.#parts = parts;
    const [first] = parts.accounts;
    const isElsewhere = parts.marketUrl !== undefined;
    this.#market = new Session({
      ...this.#common(parts.marketUrl ?? parts.url, 'market'),
      // Limits of a stranger are unpublished: where it can, it logs in.
      key: isElsewhere ? undefined : first?.key,
      trades: false,
      credits: this.#creditsOf(isElsewhere ? undefined : first?.account),
      channels: [],
      greet: parts.greetMarket,
      onUp: parts.onMarketUp,
      onDown: parts.onMarketDown,
      onRefused: () => undefined,
      onMessage: parts.onMarketMessage,
      // Books find their gaps by the numbers of their changes.
      onUnreadable: () => undefined,
    });
  }

  readonly requestMarket: SendRequest = (method, params) => this.#market.request(method, params);

  request(account: AccountId, ...[method, params]: Parameters<SendRequest>): Promise<Outcome> {
    const session = this.#attached.get(account)?.session;
    if (session !== undefined) return session.request(method, params);
    return Promise.resolve(
      this.#keyOf(account) === undefined
        ? { kind: 'error', code: UNAUTHORIZED, message: 'unauthorized' }
        : unsent(`account ${account} is detached`),
    );
  }

  /** Resolves once the account's connection is up; rejects if the venue refuses its credentials. */
  attach(account: AccountId): Promise<void> {
    const attached = this.#attached.get(account) ?? this.#open(account);
    return attached.first.promise;
  }

  detach(account: AccountId): void {
    this.#attached.get(account)?.session.logOut();
    this.#attached.delete(account);
    this.#orderRate = undefined;
  }

  isAttached(account: AccountId): boolean {
    return this.#attached.has(account);
  }

  /** Whether its requests can be sent. */
  isUp(account: AccountId): boolean {
    const attached = this.#attached.get(account);
    return attached !== undefined && attached.session.trouble === undefined;
  }

  keyOf(account: AccountId): Key | undefined {
    return this.#keyOf(account);
  }

  /** Why an account, or any attached account, cannot be traded; `undefined` if all can. */
  trouble(account?: AccountId): string | undefined {
    if (account !== undefined) return this.#attached.get(account)?.session.trouble;
    if (this.#market.trouble !== undefined) return this.#market.trouble;
    for (const { session } of this.#attached.values()) {
      if (session.trouble !== undefined) return session.trouble;
    }
    return undefined;
  }

  /** Why the markets are not connected; `undefined` if they are. */
  get marketTrouble(): string | undefined {
    return this.#market.trouble;
  }

  /** What the last login of an account granted. */
  scopeOf(account: AccountId): string | undefined {
    return this.#attached.get(account)?.session.granted?.scope;
  }

  get budgets(): readonly RateBudget[] {
    const nowMs = this.#parts.clock.monotonicMs();
    return [...this.#attached].flatMap(([account, { credits }]) =>
      credits.budgets(nowMs).map((budget) => ({ ...budget, account })),
    );
  }

  /** The smallest that any attached account has, or any at all while none is; `undefined` without one. */
  get orderRate(): Rate | undefined {
    this.#orderRate ??= this.#leastRate();
    return this.#orderRate;
  }

  /** Our own time until the venue's is known. */
  venueNow(): Instant {
    return venueTime(this.#venueClock, this.#parts.clock);
  }

  /** Ends the market's connection, and connects again. */
  reconnectMarket(reason: string): void {
    this.#market.reconnect(reason);
  }

  close(): void {
    this.#market.close();
    for (const { session } of this.#attached.values()) session.close();
  }

  #leastRate(): Rate | undefined {
    const all = this.#parts.accounts.map(({ account }) => account);
    const accounts = this.#attached.size > 0 ? [...this.#attached.keys()] : all;
    const rates = accounts.map((account) => this.#creditsOf(account).orderRate);
    return rates.reduce<Rate | undefined>(
      (least, rate) => (least !== undefined && least.perSecond <= rate.perSecond ? least : rate),
      undefined,
    );
  }

  #open(account: AccountId): Attached {
    const key = this.#keyOf(account);
    if (key === undefined) throw new Error(`no credentials of this venue are for ${account}`);
    const { url, accountChannels, prepareAccount, onAccountUp, onAccountDown } = this.#parts;
    const { onAccountMessage, onAccountUnreadable } = this.#parts;
    const first = Promise.withResolvers<void>();
    // Unexamined: a rejection is handled by the caller that waits for it.
    first.promise.catch(() => undefined);
    const credits = this.#creditsOf(account);
    const session: Session = new Session({
      ...this.#common(url, account),
      key,
      credits,
      trades: true,
      channels: accountChannels,
      greet: (request) => prepareAccount({ account, request, credits, granted: session.granted }),
      onUp: () => {
        this.#orderRate = undefined;
        first.resolve();
        onAccountUp(account);
      },
      onDown: () => onAccountDown(account),
      onRefused: (error: LoginRefused) => first.reject(error),
      onMessage: (channel, data) => onAccountMessage(account, channel, data),
      onUnreadable: () => onAccountUnreadable(account),
    });
    const attached = { session, credits, first };
    this.#attached.set(account, attached);
    this.#orderRate = undefined;
    return attached;
  }

  #common(url: string, name: string) {
    const { clock, rng, rules, tally, open, checkVenue, identify, onFault } = this.#parts;
    const venueClock = this.#venueClock;
    return {
      url,
      name,
      clock,
      venueClock,
      rules,
      tally,
      open,
      checkVenue,
      identify,
      onFault,
      rng: rng.split(name),
    };
  }

  #keyOf(account: AccountId): Key | undefined {
    return this.#parts.accounts.find((one) => one.account === account)?.key;
  }

  /** A stranger's are kept under no account. */
  #creditsOf(account: AccountId | undefined): Credits {
    const nowMs = this.#parts.clock.monotonicMs();
    if (account === undefined) return new Credits(nowMs);
    const credits = this.#credits.get(account) ?? new Credits(nowMs);
    this.#credits.set(account, credits);
    return credits;
  }
}

const UNAUTHORIZED = 13009;
