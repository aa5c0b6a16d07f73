// Keeps private connections to the venues for the accounts that this daemon owns or is about to take. The connection of any
// other account is opened when a request needs it, as the mass cancel of a halt does, and closed when it has not been used
// for a while. What was learned over a connection is valid while it is open: listeners catch up on one that is kept, and
// forget when it ends.

import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import type { AccountId } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import { ConnectedVenue } from './connected-venue.ts';

export interface AccountConnectionsOptions {
  readonly clock: Clock;
  /** As opened: none of their accounts need be attached. */
  readonly venues: VenueDirectory;
  readonly observer: Observer;
}

/** Catches up with an account whose connection is kept from now on. */
export type CatchUp = (account: AccountId) => Promise<void>;

/** How long requests wait for a connection that is being opened; afterwards the venue says why there is none. */
const OPEN_MS_MAX = 5_000;
/** How long a connection that nothing needs stays open. */
const LINGER_MS = 5_000;
/** How long an account that another daemon is about to give up is waited for. */
const EXPECTED_MS = 10_000;

const NO_TIMER: StopTimer = () => undefined;

interface Connection {
  readonly account: AccountId;
  readonly venue: Venue;
  /** Resolves when requests need not wait any more: it is open, was refused, or takes too long. */
  readonly attempted: Promise<void>;
  isAttempted: boolean;
  stopWaiting: StopTimer;
  /** Requests that have no answer yet. */
  requests: number;
  isOwned: boolean;
  isExpected: boolean;
  stopExpecting: StopTimer;
  stopLingering: StopTimer | undefined;
  /** Present once it is kept; resolves when the listeners have caught up, or could not. */
  catchingUp: Promise<void> | undefined;
  isCaughtUp: boolean;
}

export class AccountConnections {
  /** The venues for everything else: a request for an account goes over its connection. */
  readonly venues: VenueDirectory;
  readonly #options: AccountConnectionsOptions;
  readonly #connections = new Map<AccountId, Connection>();
  readonly #catchUps: CatchUp[] = [];
  readonly #ends: ((account: AccountId) => void)[] = [];
  #isStopped = false;

  constructor(options: AccountConnectionsOptions) {
    this.#options = options;
    const connected = new Map<Venue, Venue>();
    const over = (venue: Venue): Venue => {
      const known = connected.get(venue) ?? new ConnectedVenue(venue, this);
      connected.set(venue, known);
      return known;
    };
    const { venues } = options;
    this.venues = {
      forAccount: (account) => {
        const venue = venues.forAccount(account);
        return venue && over(venue);
      },
      all: () => venues.all().map(over),
      ...(venues.accounts && { accounts: () => venues.accounts?.() ?? [] }),
    };
  }

  /** Calls `catchUp` with each account whose connection is kept from now on, and `ended` when it ends. */
  follow(catchUp: CatchUp, ended: (account: AccountId) => void = () => undefined): void {
    this.#catchUps.push(catchUp);
    this.#ends.push(ended);
  }

  /** Keeps the connections of these accounts until {@link disown}. Resolves when they are caught up, or cannot be for now. */
  async own(accounts: readonly AccountId[]): Promise<void> {
    await this.#keep(accounts, (connection) => {
      connection.isOwned = true;
    });
  }

  /** Closes the connections of these accounts after a while. */
  disown(accounts: readonly AccountId[]): void {
    for (const account of accounts) {
      const connection = this.#connections.get(account);
      if (connection === undefined) continue;
      connection.isOwned = false;
      this.#review(connection);
    }
  }

  /**
   * Another daemon is about to give these accounts up, or may be gone: their connections are kept for a while, so that
   * the daemon that takes them has caught up by then. Resolves like {@link own}.
   */
  async expect(accounts: readonly AccountId[]): Promise<void> {
    const { clock } = this.#options;
    await this.#keep(accounts, (connection) => {
      connection.isExpected = true;
      connection.stopExpecting();
      connection.stopExpecting = clock.at(later(clock.now(), EXPECTED_MS), () => {
        connection.isExpected = false;
        this.#review(connection);
      });
    });
  }

  /** Whether the connection is kept, so that what is published about the account arrives here. */
  isKept(account: AccountId): boolean {
    const connection = this.#connections.get(account);
    return connection !== undefined && isKept(connection);
  }

  /** Resolves when a kept connection is caught up, or cannot be for now; at once for any other. */
  async caughtUp(account: AccountId): Promise<void> {
    await this.#connections.get(account)?.catchingUp;
  }

  isCaughtUp(account: AccountId): boolean {
    return this.#connections.get(account)?.isCaughtUp === true;
  }

  /** A query or a cancel, which waits for the connection and opens it if there is none. */
  request<T>(account: AccountId, send: () => Promise<T>): Promise<T> {
    const connection = this.#isStopped ? undefined : this.#connectionOf(account);
    if (connection === undefined) return send();
    return this.#using(connection, () =>
      connection.isAttempted ? send() : connection.attempted.then(send),
    );
  }

  /** A request that may trade: it goes out at once or not at all, and opens nothing. */
  trade<T>(account: AccountId, send: () => Promise<T>): Promise<T> {
    const connection = this.#connections.get(account);
    return connection === undefined ? send() : this.#using(connection, send);
  }

  /**
   * Opens and closes nothing more: what is open is closed with the venues. With `logsOut` it ends with a logout now, after which a
   * venue with cancel on disconnect leaves the orders open.
   */
  stop({ logsOut }: { readonly logsOut: boolean }): void {
    this.#isStopped = true;
    for (const connection of this.#connections.values()) {
      stopTimers(connection);
      if (logsOut) this.#detach(connection);
    }
  }

  async #keep(
    accounts: readonly AccountId[],
    begin: (connection: Connection) => void,
  ): Promise<void> {
    if (this.#isStopped) return;
    const kept = accounts.flatMap((account) => this.#connectionOf(account) ?? []);
    for (const connection of kept) {
      begin(connection);
      this.#review(connection);
    }
    await Promise.all(kept.map(({ catchingUp }) => catchingUp));
  }

  /** `undefined` for an account without a venue. */
  #connectionOf(account: AccountId): Connection | undefined {
    const known = this.#connections.get(account);
    if (known !== undefined) return known;
    const venue = this.#options.venues.forAccount(account);
    if (venue === undefined) return undefined;
    const { clock } = this.#options;
    const { promise: attempted, resolve } = Promise.withResolvers<void>();
    const connection: Connection = {
      account,
      venue,
      attempted,
      isAttempted: false,
      requests: 0,
      isOwned: false,
      isExpected: false,
      isCaughtUp: false,
      catchingUp: undefined,
      stopExpecting: NO_TIMER,
      stopLingering: undefined,
      stopWaiting: NO_TIMER,
    };
    const end = (): void => {
      connection.isAttempted = true;
      connection.stopWaiting();
      resolve();
    };
    connection.stopWaiting = clock.at(later(clock.now(), OPEN_MS_MAX), end);
    this.#connections.set(account, connection);
    const failed = (error: unknown): void => {
      // A refusal is reported by the venue, as the reason why it sends nothing.
      if (isProgrammingError(error))
        this.#options.observer.observe({ event: 'failed', where: 'connections', error });
      end();
    };
    void venue.attach(account).then(end, failed);
    return connection;
  }

  async #using<T>(connection: Connection, send: () => Promise<T>): Promise<T> {
    connection.requests += 1;
    connection.stopLingering?.();
    connection.stopLingering = undefined;
    try {
      return await send();
    } finally {
      connection.requests -= 1;
      this.#review(connection);
    }
  }

  #review(connection: Connection): void {
    if (this.#isStopped || !this.#isCurrent(connection)) return;
    if (isKept(connection)) connection.catchingUp ??= this.#catchUp(connection);
    if (isKept(connection) || connection.requests > 0) {
      connection.stopLingering?.();
      connection.stopLingering = undefined;
      return;
    }
    const { clock } = this.#options;
    connection.stopLingering ??= clock.at(later(clock.now(), LINGER_MS), () =>
      this.#close(connection),
    );
  }

  async #catchUp(connection: Connection): Promise<void> {
    const { account, attempted } = connection;
    await attempted;
    if (!this.#isCurrent(connection)) return;
    for (const done of await Promise.allSettled(this.#catchUps.map((one) => one(account)))) {
      if (done.status === 'rejected') {
        this.#options.observer.observe({
          event: 'failed',
          where: 'connections',
          error: done.reason,
        });
      }
    }
    connection.isCaughtUp = true;
  }

  #close(connection: Connection): void {
    const { account, catchingUp } = connection;
    this.#connections.delete(account);
    stopTimers(connection);
    if (catchingUp !== undefined) for (const ended of this.#ends) ended(account);
    this.#detach(connection);
  }

  #detach({ account, venue }: Connection): void {
    venue
      .detach(account)
      .catch((error: unknown) =>
        this.#options.observer.observe({ event: 'failed', where: 'connections', error }),
      );
  }

  #isCurrent(connection: Connection): boolean {
    return this.#connections.get(connection.account) === connection;
  }
}

function stopTimers({ stopWaiting, stopExpecting, stopLingering }: Connection): void {
  stopWaiting();
  stopExpecting();
  stopLingering?.();
}

const isKept = ({ isOwned, isExpected }: Connection): boolean => isOwned || isExpected;

export type Connections = Pick<
  AccountConnections,
  'follow' | 'own' | 'disown' | 'expect' | 'isKept' | 'caughtUp' | 'isCaughtUp' | 'stop'
>;

/** For venues that are connected for every account from the start on: nothing is opened, closed or caught up with. */
export const ALL_CONNECTED: Connections = {
  follow: () => undefined,
  own: () => Promise.resolve(),
  disown: () => undefined,
  expect: () => Promise.resolve(),
  isKept: () => true,
  caughtUp: () => Promise.resolve(),
  isCaughtUp: () => true,
  stop: () => undefined,
};
