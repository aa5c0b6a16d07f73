// Opens Deribit as a venue: its connections, the local copies of its data, and the listeners of what it publishes.

import type { VenueFeatures } from '../../core/portfolio/admission/admit-context.ts';
import type { Clock } from '../../ports/clock.ts';
import { Fields } from '../../ports/deribit-wire/message-fields.ts';
import { WireTally } from '../../ports/deribit-wire/wire-tally.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import type { AccountId, Currency, VenueName } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import type { TermsOf } from '../../values/instrument.ts';
import type { Rng } from '../../values/rng.ts';
import { AccountFeed, REQUIRED_CHANNELS } from './account/account-feed.ts';
import type { AccountDetails } from './account/account-limits.ts';
import { DeribitAccountDesk } from './account/deribit-account-desk.ts';
import { DeribitMarginDesk } from './account/deribit-margin-desk.ts';
import { prepareAccount } from './account/prepare-account.ts';
import type { ProtectionSetup } from './account/protection-state.ts';
import { VenueProtection } from './account/venue-protection.ts';
import { DeribitVenue } from './deribit-venue.ts';
import { DeribitComboDesk } from './market/deribit-combo-desk.ts';
import { DeribitMarket } from './market/deribit-market.ts';
import { type CancelAll, DeribitOrderDesk } from './orders/deribit-order-desk.ts';
import { OrderReader } from './orders/order-reader.ts';
import { OrderSides } from './orders/order-sides.ts';
import { OwnOrders } from './orders/own-orders.ts';
import { replyOf, resultOf, type SendRequest } from './outcome.ts';
import { DeribitRfqDesk } from './rfq/deribit-rfq-desk.ts';
import { type Post, postOverHttp, requestOverHttp } from './session/emergency-http.ts';
import { Questions } from './session/questions.ts';
import type { SessionRules } from './session/rpc-session.ts';
import { type AccountKey, Sessions, type SessionsOptions } from './session/sessions.ts';
import { type OpenSocket, openSocket } from './session/venue-socket.ts';
import { SparseComparisons } from './sparse-comparisons.ts';
import { SparseFaults } from './sparse-faults.ts';
import { checkVenue, type Expected, isLive } from './venue-check.ts';

/** How a venue is reached. */
export interface VenueLine {
  readonly open: OpenSocket;
  readonly post: Post;
}

export const NETWORK: VenueLine = { open: openSocket, post: postOverHttp };

export interface DeribitVenueOptions {
  readonly name: VenueName;
  readonly line: VenueLine;
  /** Address of the WebSocket. */
  readonly url: string;
  /** Where public channels are served without a login, if that is elsewhere. */
  readonly marketUrl?: string | undefined;
  readonly expected: Expected;
  /** Whether orders with real money were requested explicitly. */
  readonly allowsLive: boolean;
  /** One connection each, and one for the markets. */
  readonly accounts: readonly AccountKey[];
  /** Whether they are attached when the venue opens; default yes. */
  readonly attaches?: boolean | undefined;
  readonly clock: Clock;
  /** Jitter of connection attempts. */
  readonly rng: Rng;
  readonly rules?: Partial<SessionRules>;
  readonly cancelOnDisconnect?: boolean;
  /** The venue's own market-maker protection, to be configured at each login. */
  readonly protection?: readonly ProtectionSetup[];
  /** Blackout windows of each day that portfolios may avoid. Default none. */
  readonly quietWindows?: VenueFeatures['quietWindows'];
  /** Largest accepted difference between the clocks. */
  readonly skewMaxMs: number;
  /**
   * Called with the identity of the exchange at each new connection, and whether real money is traded there; rejects to
   * refuse the connection, as if the ledger belongs to another exchange.
   */
  readonly bind?: ((exchangeId: string, isLive: boolean) => Promise<void>) | undefined;
  /** The same for the venue's number of an account. */
  readonly bindAccount?: ((account: AccountId, userId: string) => Promise<void>) | undefined;
  /** Longest wait for the first connections; afterwards the start continues without them. */
  readonly firstWaitMs?: number | undefined;
  /** Receives broken connections, malformed messages and listeners that throw. */
  readonly onFault: (error: unknown) => void;
  /** Receives once each what the venue sends beyond what is known. */
  readonly onUnknown?: ((what: string) => void) | undefined;
}

/** A lock wait at the venue alone may take five seconds: a shorter time-out makes unknown outcomes of late answers. */
export const SESSION_RULES: SessionRules = {
  timeoutMs: 10_000,
  probeMs: 5_000,
  backoff: { minMs: 500, maxMs: 30_000, heldMs: 30_000 },
  heartbeatSec: 10,
};
const FIRST_WAIT_MS = 5_000;

/** Resolves when every connection is up, or when the first wait has ended. */
export async function openDeribitVenue(options: DeribitVenueOptions): Promise<DeribitVenue> {
  const { clock, firstWaitMs = FIRST_WAIT_MS } = options;
  const { promise, resolve } = Promise.withResolvers<void>();
  const venue = assembled(options, resolve);
  const stop = clock.at(later(clock.now(), firstWaitMs), resolve);
  await promise;
  stop();
  return venue;
}

function assembled(options: DeribitVenueOptions, onAllUp: () => void): DeribitVenue {
  const { name, clock, skewMaxMs, quietWindows } = options;
  const upcoming: Upcoming = { sessions: () => sessions, rfqs: () => rfqs, venue: () => venue };
  const local = localCopies(options, upcoming);
  const { market, protection, comparisons, details, tally, faults, onFault, own, rules, readers } =
    local;
  const sessions: Sessions = new Sessions({
    ...connectionRules(options, local),
    ...greetings(options, local, upcoming),
    ...listeners(local, upcoming, onAllUp),
  });
  const questions = new Questions({ sessions, tally, onFault });
  const now = () => clock.now();
  const { instruments } = market;
  const orders = new DeribitOrderDesk({
    ...readers,
    questions,
    own,
    now,
    sendElsewhere: emergencyRequests(options, local, sessions),
    validMs: rules.timeoutMs,
    onWrongTick: (instrument) => void instruments.readAgain(instrument),
  });
  const accounts = new DeribitAccountDesk({ ...readers, questions });
  const rfqs: DeribitRfqDesk = new DeribitRfqDesk({
    ...readers,
    questions,
    clock,
    tally,
    onFault,
    trades: (query) => accounts.trades(query),
    userIdOf: (account) => details.get(account)?.userId,
  });
  const venue: DeribitVenue = new DeribitVenue({
    name,
    sessions,
    market,
    rfqs,
    orders,
    accounts,
    protection,
    tally,
    details,
    skewMaxMs,
    faults,
    comparisons,
    quietWindows,
    combos: new DeribitComboDesk({ questions, instruments }),
    margins: new DeribitMarginDesk(questions),
    now,
  });
  attachAccounts(options, sessions);
  return venue;
}

/** Parts created after the callbacks that use them. Nothing is received before they exist. */
interface Upcoming {
  readonly sessions: () => Sessions;
  readonly rfqs: () => DeribitRfqDesk;
  readonly venue: () => DeribitVenue;
}

/** What is known here of the venue between its messages, and how messages are read. */
interface LocalCopies {
  readonly market: DeribitMarket;
  readonly protection: VenueProtection;
  readonly feed: AccountFeed;
  readonly comparisons: SparseComparisons<AccountId>;
  readonly own: OwnOrders;
  readonly details: Map<AccountId, AccountDetails>;
  readonly tally: WireTally;
  readonly faults: SparseFaults;
  readonly onFault: (error: unknown) => void;
  readonly rules: SessionRules;
  readonly readers: Readers;
}

/** What every desk reads its answers with. */
interface Readers {
  readonly reader: OrderReader;
  readonly termsOf: TermsOf;
  readonly currencies: () => readonly Currency[] | undefined;
  readonly venueNow: () => Instant;
}

function localCopies(options: DeribitVenueOptions, upcoming: Upcoming): LocalCopies {
  const { clock, rng } = options;
  const rules = { ...SESSION_RULES, ...options.rules };
  const faults = new SparseFaults(clock, options.onFault);
  const onFault = (error: unknown): void => faults.report(error);
  const tally = new WireTally((what) => options.onUnknown?.(what));
  const own = new OwnOrders();
  const venueNow = (): Instant => upcoming.sessions().venueNow();
  const market = new DeribitMarket({
    clock,
    own,
    tally,
    onFault,
    venueNow,
    request: (method, params) => upcoming.sessions().requestMarket(method, params),
    rng: rng.split('market'),
  });
  const { instruments } = market;
  const termsOf: TermsOf = (one) => instruments.known(one);
  const currencies = (): readonly Currency[] | undefined => instruments.currencies();
  const reader = new OrderReader(termsOf, new OrderSides());
  const protection = new VenueProtection({
    tally,
    termsOf,
    onFault,
    setups: options.protection ?? [],
    venueNow,
  });
  const comparisons = new SparseComparisons<AccountId>(clock, (account) =>
    upcoming.venue().publishReconnected(account),
  );
  const feed = new AccountFeed({
    reader,
    own,
    tally,
    onFault,
    // What comes before an account is up is part of the comparison that follows.
    notify: (account, notice) => {
      if (upcoming.sessions().isUp(account)) upcoming.venue().notify(notice);
    },
    onGap: (account) => comparisons.lost(account),
  });
  const details = new Map<AccountId, AccountDetails>();
  const readers = { reader, termsOf, currencies, venueNow };
  const told = { tally, faults, onFault };
  return { market, protection, feed, comparisons, own, details, ...told, rules, readers };
}

type Listener = 'Up' | 'Down' | 'Message';
type Listeners = Pick<
  SessionsOptions,
  `on${'Market' | 'Account'}${Listener}` | 'onAccountUnreadable'
>;
type Greetings = Pick<SessionsOptions, 'greetMarket' | 'prepareAccount'>;

/** Where the connections lead, and what they check before they are used. */
const connectionRules = (
  options: DeribitVenueOptions,
  { rules, tally, onFault }: LocalCopies,
): Omit<SessionsOptions, keyof Listeners | keyof Greetings> => ({
  url: options.url,
  open: options.line.open,
  accounts: options.accounts,
  clock: options.clock,
  rng: options.rng,
  rules,
  tally,
  onFault,
  marketUrl: options.marketUrl,
  accountChannels: REQUIRED_CHANNELS,
  checkVenue: (testnet) => checkVenue(options, testnet),
  identify: (request) => identify(request, options, tally),
});

/** What is read over a new connection before it counts as up. */
const greetings = (
  { bindAccount, cancelOnDisconnect = false }: DeribitVenueOptions,
  { market, protection, own, details, tally, onFault, readers: { reader } }: LocalCopies,
  upcoming: Upcoming,
): Greetings => ({
  greetMarket: async (request) => {
    await market.greet(request);
    await upcoming.rfqs().greetMarket(request);
  },
  prepareAccount: async (greeting) => {
    const { account, request } = greeting;
    await prepareAccount(greeting, {
      reader,
      own,
      tally,
      onFault,
      bindAccount,
      cancelOnDisconnect,
      onDetails: (of, found) => details.set(of, found),
    });
    await protection.greet(account, request);
    await upcoming.rfqs().greet(greeting);
  },
});

/** Who receives the messages of a connection, and that it is up or down. */
function listeners(
  { market, protection, feed, comparisons }: LocalCopies,
  upcoming: Upcoming,
  onAllUp: () => void,
): Listeners {
  const checkUp = (): void => {
    if (upcoming.sessions().trouble() === undefined) onAllUp();
  };
  return {
    onMarketUp: () => {
      market.up();
      // No account missed anything, but a reader of the market did.
      upcoming.venue().notify({ kind: 'reconnected', accounts: [] });
      checkUp();
    },
    onMarketDown: () => market.down(),
    onAccountUp: (account) => {
      upcoming.venue().publishReconnected(account);
      checkUp();
    },
    onAccountDown: () => undefined,
    onMarketMessage: (channel, data) => {
      if (!upcoming.rfqs().receive(undefined, channel, data)) market.receive(channel, data);
    },
    onAccountUnreadable: (account) => comparisons.lost(account),
    onAccountMessage: (account, channel, data) => {
      if (!upcoming.sessions().isAttached(account)) return;
      if (feed.receive(account, channel, data) || protection.receive(account, channel, data))
        return;
      upcoming.rfqs().receive(account, channel, data);
    },
  };
}

/** Cancels over a connection of its own, where that of the account does not answer. */
const emergencyRequests =
  (
    { url, line: { post } }: DeribitVenueOptions,
    { rules: { timeoutMs }, tally, onFault, readers: { venueNow } }: LocalCopies,
    sessions: Sessions,
  ) =>
  async <T>(account: AccountId, { method, params, read }: CancelAll<T>): Promise<Reply<T>> => {
    const key = sessions.keyOf(account);
    const outcome =
      key === undefined || !sessions.isAttached(account)
        ? ({ kind: 'unsent', reason: `account ${account} is not attached` } as const)
        : await requestOverHttp(
            { url, key, now: venueNow(), timeoutMs, tally, post },
            method,
            params,
          );
    return replyOf(outcome, (value) => read(value, `the answer to ${method}`, tally), onFault);
  };

function attachAccounts(
  { accounts, attaches = true, onFault }: DeribitVenueOptions,
  sessions: Sessions,
): void {
  if (!attaches) return;
  for (const { account } of accounts) {
    sessions.attach(account).catch((error: unknown) => {
      // A refusal of the credentials is reported as the connection's trouble.
      if (isProgrammingError(error)) onFault(error);
    });
  }
}

/** Deribit itself has no identity but its environment; the paper exchange has one. */
async function identify(
  request: SendRequest,
  options: DeribitVenueOptions,
  tally: WireTally,
): Promise<void> {
  const { bind, expected, url } = options;
  if (bind === undefined) return;
  const method = 'public/status';
  const outcome = await request(method, {});
  const status = new Fields('the status', resultOf(outcome, method), tally);
  const { host } = new URL(url);
  const id = status.textIf('exchange_id') ?? (expected === 'any' ? host : `deribit ${expected}`);
  await bind(id, isLive(options, outcome.kind === 'result' ? outcome.testnet : undefined));
}
