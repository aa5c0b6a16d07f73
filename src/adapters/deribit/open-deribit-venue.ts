// Opens Deribit as a venue: its connections, the local copies of its data, and the listeners of what it publishes.

import type { VenueFeatures } from '../../core/portfolio/admission/admit-context.ts';
import type { Clock } from '../../ports/clock.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import type { AccountId, Currency, VenueName } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import type { Rng } from '../../values/rng.ts';
import { AccountFeed, REQUIRED_CHANNELS } from './account/account-feed.ts';
import type { AccountDetails } from './account/account-limits.ts';
import { DeribitAccountDesk } from './account/deribit-account-desk.ts';
import { DeribitMarginDesk } from './account/deribit-margin-desk.ts';
import { greetAccount } from './account/greet-account.ts';
import type { ProtectionSetup } from './account/protection-state.ts';
import { VenueProtection } from './account/venue-protection.ts';
import { DeribitVenue } from './deribit-venue.ts';
import { DeribitComboDesk } from './market/deribit-combo-desk.ts';
import { DeribitMarket } from './market/deribit-market.ts';
import { type CancelAll, DeribitOrderDesk } from './orders/deribit-order-desk.ts';
import type { TermsOf } from './orders/order-message.ts';
import { OrderReader } from './orders/order-reader.ts';
import { OrderSides } from './orders/order-sides.ts';
import { OwnOrders } from './orders/own-orders.ts';
import { replyOf, resultOf, type SendRequest } from './outcome.ts';
import { DeribitRfqDesk } from './rfq/deribit-rfq-desk.ts';
import { requestOverHttp } from './session/emergency-http.ts';
import { Questions } from './session/questions.ts';
import type { SessionRules } from './session/rpc-session.ts';
import { type AccountKey, Sessions } from './session/sessions.ts';
import { SparseFaults } from './sparse-faults.ts';
import { checkVenue, type Expected, isLive } from './venue-check.ts';
import { Fields } from './wire/message-fields.ts';
import { WireTally } from './wire/wire-tally.ts';

export interface DeribitVenueOptions {
  readonly name: VenueName;
  /** Address of the WebSocket. */
  readonly url: string;
  /** Where public channels are served without a login, if that is elsewhere. */
  readonly marketUrl?: string | undefined;
  readonly expected: Expected;
  /** Whether orders with real money were asked for explicitly. */
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
/** A malformed notice makes the account be compared, at most this often. */
const COMPARE_PAUSE_MS = 10_000;

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
  const { name, clock, accounts, rng, skewMaxMs, url } = options;
  const rules = { ...SESSION_RULES, ...options.rules };
  const faults = new SparseFaults(clock, options.onFault);
  const onFault = (error: unknown): void => faults.report(error);
  const tally = new WireTally((what) => options.onUnknown?.(what));
  const details = new Map<AccountId, AccountDetails>();
  const own = new OwnOrders();
  const requestMarket: SendRequest = (method, params) => sessions.requestMarket(method, params);
  const venueNow = () => sessions.venueNow();
  const market: DeribitMarket = new DeribitMarket({
    clock,
    own,
    tally,
    onFault,
    venueNow,
    request: requestMarket,
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
  const compared = new Map<AccountId, number>();
  const feed = new AccountFeed({
    reader,
    own,
    tally,
    onFault,
    // What comes before an account is up is part of the comparison that follows.
    notify: (account, notice) => {
      if (sessions.isUp(account)) venue.notify(notice);
    },
    onGap: (account) => {
      const nowMs = clock.monotonicMs();
      if (nowMs - (compared.get(account) ?? Number.NEGATIVE_INFINITY) < COMPARE_PAUSE_MS) return;
      compared.set(account, nowMs);
      venue.publishReconnected(account);
    },
  });
  const checkUp = (): void => {
    if (sessions.trouble() === undefined) onAllUp();
  };
  const sessions: Sessions = new Sessions({
    url,
    accounts,
    clock,
    rng,
    rules,
    tally,
    onFault,
    marketUrl: options.marketUrl,
    accountChannels: REQUIRED_CHANNELS,
    checkVenue: (testnet) => checkVenue(options, testnet),
    identify: (request) => identify(request, options, tally),
    greetMarket: async (request) => {
      await market.greet(request);
      await rfqs.greetMarket(request);
    },
    greetAccount: async (greeting) => {
      const { account, request } = greeting;
      await greetAccount(greeting, {
        reader,
        own,
        tally,
        onFault,
        bindAccount: options.bindAccount,
        cancelOnDisconnect: options.cancelOnDisconnect ?? false,
        onDetails: (of, found) => details.set(of, found),
      });
      await protection.greet(account, request);
      await rfqs.greet(greeting);
    },
    onMarketUp: () => {
      market.up();
      // No account missed anything, but a reader of the market did.
      venue.notify({ kind: 'reconnected', accounts: [] });
      checkUp();
    },
    onMarketDown: () => market.down(),
    onAccountUp: (account) => {
      venue.publishReconnected(account);
      checkUp();
    },
    onAccountDown: () => undefined,
    onMarketMessage: (channel, data) => {
      if (!rfqs.receive(undefined, channel, data)) market.receive(channel, data);
    },
    onAccountMessage: (account, channel, data) => {
      if (!sessions.isAttached(account)) return;
      if (feed.receive(account, channel, data) || protection.receive(account, channel, data))
        return;
      rfqs.receive(account, channel, data);
    },
  });
  const questions = new Questions({ sessions, tally, onFault });
  const sendElsewhere = async <T>(account: AccountId, { method, params, read }: CancelAll<T>) => {
    const key = sessions.keyOf(account);
    const { timeoutMs } = rules;
    const outcome =
      key === undefined || !sessions.isAttached(account)
        ? ({ kind: 'unsent', reason: `account ${account} is not attached` } as const)
        : await requestOverHttp({ url, key, now: venueNow(), timeoutMs, tally }, method, params);
    return replyOf(outcome, (value) => read(value, `the answer to ${method}`, tally), onFault);
  };
  const orders = new DeribitOrderDesk({
    questions,
    reader,
    termsOf,
    currencies,
    venueNow,
    sendElsewhere,
    own,
    now: () => clock.now(),
    validMs: rules.timeoutMs,
    onWrongTick: (instrument) => void instruments.readAgain(instrument),
  });
  const accountDesk = new DeribitAccountDesk({ questions, reader, termsOf, currencies, venueNow });
  const rfqs: DeribitRfqDesk = new DeribitRfqDesk({
    questions,
    reader,
    termsOf,
    currencies,
    venueNow,
    clock,
    tally,
    onFault,
    trades: (query) => accountDesk.trades(query),
    userIdOf: (account) => details.get(account)?.userId,
  });
  const venue: DeribitVenue = new DeribitVenue({
    name,
    sessions,
    market,
    rfqs,
    orders,
    protection,
    tally,
    details,
    skewMaxMs,
    faults,
    quietWindows: options.quietWindows,
    combos: new DeribitComboDesk({ questions, instruments }),
    margins: new DeribitMarginDesk(questions),
    accounts: accountDesk,
    now: () => clock.now(),
  });
  for (const { account } of options.attaches === false ? [] : accounts) {
    sessions.attach(account).catch((error: unknown) => {
      // A refusal of the credentials is reported as the connection's trouble.
      if (isProgrammingError(error)) options.onFault(error);
    });
  }
  return venue;
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
