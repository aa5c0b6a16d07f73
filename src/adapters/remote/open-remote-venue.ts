// Opens a remote venue: its connections, the local copies of its data, and the listeners of what it
// publishes.
import type { VenueFeatures } from '../../core/portfolio/admission/admit-context.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AccountId, VenueName } from '../../values/ids.ts';
import { later, MINUTE_MS } from '../../values/instant.ts';
import type { Rng } from '../../values/rng.ts';
import { Channels } from './connection/channels.ts';
import type { ChannelMessage } from './connection/frame-wire.ts';
import type { LineRules } from './connection/line.ts';
import { type Credentials, Lines, resultOf, USER_CHANNELS } from './connection/lines.ts';
import { Questions } from './connection/questions.ts';
import { InstrumentList } from './market/instrument-list.ts';
import { QuoteBoard } from './market/quote-board.ts';
import { RemoteMarketDesk } from './market/remote-market-desk.ts';
import { orderIn } from './order-wire.ts';
import { type Ask, readAs } from './outcome.ts';
import { OwnOrders } from './own-orders.ts';
import { ofAccount, ordersIn } from './remote-order-desk.ts';
import { RemoteVenue } from './remote-venue.ts';
import { RemoteRfqDesk } from './rfq/remote-rfq-desk.ts';
import { RemoteRfqNotices } from './rfq/remote-rfq-notices.ts';
import { rfqCurrency } from './rfq/rfq-currency.ts';
import { SparseFaults } from './sparse-faults.ts';
import { tradeIn } from './trade-wire.ts';

export interface RemoteVenueOptions {
  readonly name: VenueName;
  /** `ws:`, `wss:`, `http:` or `https:`, without the path of the order methods. */
  readonly url: string;
  /** One connection each; the first one also carries the markets. */
  readonly credentials: readonly Credentials[];
  readonly clock: Clock;
  /** Jitter of connection attempts. */
  readonly rng: Rng;
  readonly rules?: Partial<LineRules>;
  /** Interval of heartbeats, 10 to 3600. */
  readonly heartbeatSec?: number;
  readonly cancelOnDisconnect?: boolean;
  /** Blackout windows of each day that portfolios may avoid. Default none. */
  readonly quietWindows?: VenueFeatures['quietWindows'];
  /** Largest accepted difference between the clocks. */
  readonly skewMaxMs: number;
  /**
   * Called with the identity of the exchange at each new connection, before it is used; rejects if it is not
   * the exchange whose orders are known, and the connection is then closed. Default: any exchange is
   * accepted.
   */
  readonly bind?: ((exchangeId: string) => Promise<void>) | undefined;
  /** Interval at which the list of instruments is refreshed. */
  readonly refreshMs?: number;
  /** Longest wait for the first connection; afterwards the start continues without it. */
  readonly firstWaitMs?: number;
  /** Receives broken connections, malformed frames and listeners that throw. */
  readonly onFault: (error: unknown) => void;
}

export const LINE_RULES: LineRules = {
  timeoutMs: 5_000,
  probeMs: 5_000,
  backoff: { minMs: 250, maxMs: 10_000, heldMs: 10_000 },
  // Below the limit that the venue grants a key.
  pace: { perSecond: 400, burst: 1_000 },
};
const HEARTBEAT_SEC = 30;
const FIRST_WAIT_MS = 3_000;
const METHODS_PATH = '/ws/api';

/** Resolves when every connection is up, or when the first wait has ended. */
export async function openRemoteVenue(options: RemoteVenueOptions): Promise<RemoteVenue> {
  const { clock, firstWaitMs = FIRST_WAIT_MS } = options;
  const { promise, resolve } = Promise.withResolvers<void>();
  const venue = assembled(options, resolve);
  const stop = clock.at(later(clock.now(), firstWaitMs), resolve);
  await promise;
  stop();
  return venue;
}

function assembled(options: RemoteVenueOptions, onAllUp: () => void): RemoteVenue {
  const { name, clock, credentials, rng, skewMaxMs } = options;
  const faults = new SparseFaults(clock, options.onFault);
  const onFault = (error: unknown): void => faults.report(error);
  const own = new OwnOrders();
  const refreshMs = options.refreshMs ?? MINUTE_MS;
  const instruments = new InstrumentList({ clock, refreshMs, onFault });
  const askMarkets: Ask = (method, params) => lines.askMarkets(method, params);
  const channels = new Channels({ clock, ask: askMarkets, onFault });
  const quotes = new QuoteBoard({ clock, channels, own, onFault });
  const currencyOf = rfqCurrency((name) => instruments.known(name));
  const rfqNotices = new RemoteRfqNotices({ channels, currencyOf, onFault });
  const lines: Lines = new Lines({
    ...{ clock, credentials, rng, onFault },
    url: addressOf(options.url),
    rules: { ...LINE_RULES, ...options.rules },
    heartbeatSec: options.heartbeatSec ?? HEARTBEAT_SEC,
    cancelOnDisconnect: options.cancelOnDisconnect ?? false,
    bind: options.bind,
    greetMarkets: (ask) => instruments.load(ask),
    greetAccount: async (account, ask) => {
      await listOwn(own, account, ask);
      await rfqNotices.greet(account, ask);
    },
    onUp: (accounts, isMarkets) => {
      if (isMarkets) {
        instruments.follow(askMarkets);
        channels.up();
      }
      venue.publishReconnected(accounts);
      if (lines.trouble() === undefined) onAllUp();
    },
    onDown: (isMarkets) => {
      if (!isMarkets) return;
      instruments.stop();
      channels.down();
      quotes.down();
    },
    onMessage: (message) => receive(message, { lines, venue, channels, own, rfqNotices, onFault }),
    onGap: (accounts) => venue.publishReconnected(accounts),
  });
  const questions = new Questions(lines, onFault);
  const venueNow = () => lines.venueNow();
  const market = new RemoteMarketDesk({ questions, channels, instruments, venueNow, onFault });
  const rfqs = new RemoteRfqDesk({
    ...{ questions, currencyOf, onFault },
    aliasOf: (account) => rfqNotices.aliasOf(account),
    listenTape: rfqNotices.listenTape,
  });
  const now = () => clock.now();
  const venue: RemoteVenue = new RemoteVenue({
    ...{ name, lines, market, rfqs, questions, quotes, instruments, now, skewMaxMs, onFault },
    quietWindows: options.quietWindows,
    orderRate: { ...LINE_RULES, ...options.rules }.pace,
  });
  return venue;
}

function addressOf(url: string): string {
  return `${url.replace(/^http/, 'ws').replace(/\/+$/, '')}${METHODS_PATH}`;
}

async function listOwn(own: OwnOrders, account: AccountId, ask: Ask): Promise<void> {
  own.begin(account);
  const method = 'private/get_open_orders';
  const found = resultOf(await ask(method, { accountId: account }), method);
  const read = readAs(ordersIn, found, 'the list of open orders');
  if ('fault' in read) throw read.fault;
  own.fill(account, read.value.map(ofAccount(account)));
}

interface Receivers {
  readonly lines: Lines;
  readonly venue: RemoteVenue;
  readonly channels: Channels;
  readonly own: OwnOrders;
  readonly rfqNotices: RemoteRfqNotices;
  readonly onFault: (error: unknown) => void;
}

function receive(
  message: ChannelMessage,
  { lines, venue, channels, own, rfqNotices, onFault }: Receivers,
): void {
  const { channel, account, data } = message;
  if (account === undefined) return channels.receive(channel, data);
  if (!lines.isAttached(account)) return;
  const what = `a message of ${channel}`;
  if (channel === USER_CHANNELS.orders) {
    const read = readAs(orderIn, data, what);
    if ('fault' in read) return onFault(read.fault);
    const order = { ...read.value, account };
    own.note(order);
    venue.tell({ kind: 'order', order });
  } else if (channel === USER_CHANNELS.trades) {
    const read = readAs(tradeIn.array(), data, what);
    if ('fault' in read) return onFault(read.fault);
    for (const trade of read.value) venue.tell({ kind: 'trade', trade: { ...trade, account } });
  } else if (channel === USER_CHANNELS.portfolio) {
    venue.tell({ kind: 'account', account });
  } else {
    const news = rfqNotices.news(message);
    if (news !== undefined) venue.rfqs.tell(news);
  }
}
