// The connections of one venue, one per key, and the accounts each of them serves. The handshake of a
// connection reads the venue's time and sets up heartbeats, cancel on disconnect and the channels of its
// accounts.
import { z } from 'zod';
import type { Clock } from '../../../ports/clock.ts';
import type { RateBudget } from '../../../ports/rate-budget.ts';
import { must } from '../../../values/assert.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Rng } from '../../../values/rng.ts';
import { type Ask, type Outcome, type Params, readAs, unsent } from '../outcome.ts';
import { instantIn } from '../wire-fields.ts';
import type { ChannelMessage } from './frame-wire.ts';
import { Line, type LineRules } from './line.ts';
import type { RemoteKey } from './signed-handshake.ts';
import { VenueClock } from './venue-clock.ts';

export interface Credentials extends RemoteKey {
  readonly accounts: readonly AccountId[];
}

export interface LinesOptions {
  readonly url: string;
  readonly credentials: readonly Credentials[];
  readonly clock: Clock;
  readonly rng: Rng;
  readonly rules: LineRules;
  readonly heartbeatSec: number;
  readonly cancelOnDisconnect: boolean;
  /** Rejects if the ledger belongs to a different exchange. */
  readonly bind?: ((exchangeId: string) => Promise<void>) | undefined;
  /** Further set-up of a new connection before it is used; the first one also carries the markets. */
  readonly greetAccount: (account: AccountId, ask: Ask) => Promise<void>;
  readonly greetMarkets: (ask: Ask) => Promise<void>;
  readonly onUp: (accounts: readonly AccountId[], isMarkets: boolean) => void;
  readonly onDown: (isMarkets: boolean) => void;
  readonly onMessage: (message: ChannelMessage) => void;
  readonly onGap: (accounts: readonly AccountId[]) => void;
  readonly onFault: (error: unknown) => void;
}

/** Queries of the venue's time before anything depends on it. */
const FIRST_TIMES = 3;

export const USER_CHANNELS = {
  orders: 'user.orders.any.any.raw',
  trades: 'user.trades.any.any.raw',
  portfolio: 'user.portfolio.any',
} as const;

export class Lines {
  readonly #parts: LinesOptions;
  readonly #lines: readonly Line[];
  readonly #byAccount = new Map<AccountId, Line>();
  readonly #detached = new Set<AccountId>();
  readonly #venueClock = new VenueClock();

  constructor(parts: LinesOptions) {
    this.#parts = parts;
    this.#lines = parts.credentials.map((one, index) => this.#lineOf(one, index === 0));
    for (const [index, { accounts }] of parts.credentials.entries()) {
      for (const account of accounts)
        this.#byAccount.set(account, must(this.#lines[index], 'line'));
    }
  }

  /** `undefined` for an account without a key here. */
  askFor(account: AccountId): Ask | undefined {
    if (!this.#detached.has(account)) return this.#byAccount.get(account)?.ask;
    return () => Promise.resolve(unsent(`account ${account} is detached`));
  }

  /** The connection stays as it is: other accounts may share it. Returns whether that changes anything. */
  attach(account: AccountId): boolean {
    if (!this.#byAccount.has(account)) throw new Error(`no key of this venue is for ${account}`);
    return this.#detached.delete(account);
  }

  detach(account: AccountId): void {
    this.#detached.add(account);
  }

  isAttached(account: AccountId): boolean {
    return !this.#detached.has(account);
  }

  /** Public requests use the first connection. */
  readonly askMarkets: Ask = (method, params) => must(this.#lines[0], 'line').ask(method, params);

  get accounts(): readonly AccountId[] {
    return [...this.#byAccount.keys()];
  }

  /** Why an account, or any account, cannot be traded; `undefined` if all can. */
  trouble(account?: AccountId): string | undefined {
    if (account !== undefined) return this.#byAccount.get(account)?.trouble;
    for (const { trouble } of this.#lines) if (trouble !== undefined) return trouble;
    return undefined;
  }

  get budgets(): readonly RateBudget[] {
    return this.#lines.map(({ budget }) => budget);
  }

  /** Our own time until the venue has reported its time. */
  venueNow(): Instant {
    const { clock } = this.#parts;
    return this.#venueClock.now(clock.monotonicMs()) ?? clock.now();
  }

  close(): void {
    for (const line of this.#lines) line.close();
  }

  #lineOf({ accounts, ...key }: Credentials, isMarkets: boolean): Line {
    const { url, clock, rng, rules, onUp, onDown, onMessage, onGap, onFault } = this.#parts;
    return new Line({
      ...{ url, key, clock, rules, onMessage, onFault },
      rng: rng.split(key.keyId),
      greet: (ask) => this.#greet(accounts, isMarkets, ask),
      probe: (ask) => this.#askTime(ask),
      onUp: () => onUp(accounts, isMarkets),
      onDown: () => onDown(isMarkets),
      onGap: () => onGap(accounts),
    });
  }

  async #greet(accounts: readonly AccountId[], isMarkets: boolean, ask: Ask): Promise<void> {
    const { heartbeatSec, cancelOnDisconnect, greetAccount, greetMarkets } = this.#parts;
    // Before any query whose answer would be attributed to the known exchange.
    await this.#identify(ask);
    for (let time = 0; time < FIRST_TIMES; time += 1)
      resultOf(await this.#askTime(ask), 'get_time');
    const needed = async (method: string, params: Params) =>
      resultOf(await ask(method, params), method);
    await needed('public/set_heartbeat', { interval: heartbeatSec });
    if (isMarkets) await greetMarkets(ask);
    for (const accountId of accounts) {
      if (cancelOnDisconnect) {
        await needed('private/enable_cancel_on_disconnect', { accountId, scope: 'connection' });
      }
      const channels = Object.values(USER_CHANNELS);
      const granted = await needed('private/subscribe', { accountId, channels });
      const missing = channels.filter((one) => !isListed(granted, one));
      if (missing.length > 0) throw new Error(`not granted: ${missing.join(', ')}`);
      await greetAccount(accountId, ask);
    }
  }

  /** An exchange that reports no identity is accepted. */
  async #identify(ask: Ask): Promise<void> {
    const { bind } = this.#parts;
    if (bind === undefined) return;
    const status = resultOf(await ask('public/status', {}), 'public/status');
    const read = readAs(statusIn, status, 'the answer to public/status');
    if ('fault' in read) throw read.fault;
    if (read.value.exchangeId !== undefined) await bind(read.value.exchangeId);
  }

  async #askTime(ask: Ask): Promise<Outcome> {
    const { clock, onFault } = this.#parts;
    const askedMs = clock.monotonicMs();
    const outcome = await ask('public/get_time', {});
    if (outcome.kind !== 'result') return outcome;
    const read = readAs(instantIn, outcome.value, 'the answer to public/get_time');
    if ('fault' in read) onFault(read.fault);
    else this.#venueClock.note(read.value, askedMs, clock.monotonicMs());
    return outcome;
  }
}

const listIn = z.array(z.string());
const statusIn = z.object({ exchangeId: z.string().optional() });

function isListed(granted: unknown, channel: string): boolean {
  const read = listIn.safeParse(granted);
  return read.success && read.data.includes(channel);
}

/** The result of a handshake request; without it the connection is unusable. */
export function resultOf(outcome: Outcome, method: string): unknown {
  if (outcome.kind === 'result') return outcome.value;
  const why = 'reason' in outcome ? outcome.reason : `${outcome.code} ${outcome.message}`;
  throw new Error(`${method}: ${why}`);
}
