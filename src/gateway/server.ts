// The gateway's one port: REST, health, metrics, documents and the WebSockets, with every limit in force before
// the first request. Closing refuses new work, closes the streams, and waits for requests in flight.
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyPluginCallback } from 'fastify';
import type { EngineApi, MethodApi } from '../engine/interface/engine-api.ts';
import type { ReadHistory } from '../engine/interface/news-api.ts';
import type { ReadUnaccounted } from '../engine/interface/unaccounted-api.ts';
import type { ActionLog, ActionPages } from '../ports/action-log.ts';
import type { KeptAnswers } from '../ports/kept-answers.ts';
import type { PeerCounts } from '../ports/peer-counts.ts';
import type { SwitchRecords } from '../ports/switch-records.ts';
import type { Instant } from '../values/instant.ts';
import { Authenticator } from './auth/auth.ts';
import type { KeyStore } from './auth/key-store.ts';
import type { MetricsAccess } from './auth/metrics-access.ts';
import type { ClaimNonce } from './auth/nonces.ts';
import { RequestCosts } from './deribit/credits/request-costs.ts';
import { Logins } from './deribit/login/logins.ts';
import { type DeribitHttpOptions, serveDeribit } from './deribit/serve-deribit.ts';
import { DeribitStream, type DeribitStreamOptions } from './deribit/session/deribit-stream.ts';
import { Desks } from './desks/desks.ts';
import { serveDescriptions } from './docs/descriptions.ts';
import { describeRoutes, serveDocuments } from './docs/openapi.ts';
import { BOARD_PATH, serveBoard } from './http/board-routes.ts';
import { type Health, serveHealth } from './http/health-routes.ts';
import { IdempotencyStore } from './http/idempotency.ts';
import { PageOrigins, refuseForeignPages } from './http/page-origins.ts';
import { refuseEncodedPaths } from './http/plain-paths.ts';
import { bodyFault, readBody } from './http/read-body.ts';
import { upgrades } from './http/upgrades.ts';
import { WorkLimits } from './http/work-limits.ts';
import { addressList } from './limits/address-list.ts';
import { clientAddress } from './limits/client-address.ts';
import { limitConnections, serverConnectionsMax } from './limits/client-connections.ts';
import { FairTurns } from './limits/fair-turns.ts';
import { ENGINE_AWAITED, limitIntake } from './limits/intake.ts';
import { limitAddresses } from './limits/limit-addresses.ts';
import { DEFAULT_LIMITS, type GatewayLimits } from './limits/limits.ts';
import { LiveLimits } from './limits/live-limits.ts';
import { PeerTakes } from './limits/pooled-rate-limits.ts';
import type { AccountRules } from './order-api/session/disconnect-rules.ts';
import { METHOD_STREAM_PATH, MethodStream } from './order-api/session/method-stream.ts';
import { openPage, type PageParts } from './page/open-page.ts';
import { PAGE_CHANNELS_PATH, PAGE_STREAM_PATH } from './page/serve-page.ts';
import type { AccountDirectory } from './portfolios/portfolio-record.ts';
import { PORTFOLIO_PATH } from './portfolios/portfolio-routes.ts';
import { type CourseSources, coursesFrom } from './portfolios/read-course.ts';
import { type ReportSources, reportsFrom } from './portfolios/read-report.ts';
import { METHODS_PATH, type MethodOptions, serveMethods } from './serve-methods.ts';
import { addPortfolios } from './signed-operations.ts';
import { NewsHub } from './stream/news-hub.ts';
import { PortfolioStream, STREAM_PATH } from './stream/portfolio-stream.ts';
import { SecureConnections, type ServerTls, tlsOptions } from './tls/tls-server.ts';
import { TRADING_PATH } from './trading/serve-trading.ts';
import { addTrading } from './trading-routes.ts';
import { Refused, readWith } from './wire/faults.ts';
import { countAnswers, type GatewayCounts, NO_COUNTS } from './wire/gateway-counts-port.ts';
import { answerFaults, badAddress, type ReportError } from './wire/http-faults.ts';
import { answerBrokenHttp } from './wire/raw-answer.ts';

/** What a server of the order methods alone needs. */
export interface MethodServerOptions {
  readonly engine: MethodApi;
  /** Stores the first answers to requests with an idempotency key; absent: only submits accept such keys. */
  readonly kept?: KeptAnswers;
  /** Records what clients change; absent: it is not recorded. */
  readonly actions?: ActionLog | undefined;
  readonly keys: KeyStore;
  readonly claimNonce: ClaimNonce;
  readonly now: () => Instant;
  readonly health: Health;
  readonly metrics: () => Promise<string>;
  /** Who may read metrics of single portfolios; absent: the local machine. */
  readonly metricsAccess?: MetricsAccess | undefined;
  readonly report: ReportError;
  readonly version: string;
  readonly exchangeId?: string | undefined;
  readonly counts?: GatewayCounts;
  readonly limits?: Partial<GatewayLimits>;
  /** Serves over TLS only; absent: without TLS. */
  readonly tls?: ServerTls | undefined;
  /** Addresses and networks whose X-Forwarded-For is trusted; default: none. */
  readonly trustedProxies?: readonly string[];
  /** What proxies serve this gateway at; browsers may use it there and on the local machine. */
  readonly origins?: readonly string[];
  /** Whether Deribit's wire is served too, which is for paper venues only; default: no. */
  readonly deribit?: boolean;
  /** Shares rate limits with the other gateways of the deployment; absent: this is the only one. */
  readonly peerCounts?: PeerCounts | undefined;
  /**
   * Whether orders are currently being decided or sent in this process; requests then get a smaller share of each
   * turn of its event loop. Absent if they are in another process.
   */
  readonly isExecuting?: () => boolean;
  /** Monotonic milliseconds for measuring the cost of requests; absent: the CPU time of the process. */
  readonly stopwatch?: () => number;
}

interface PortfolioServerOptions {
  /** The queue's page, for the scope admin; absent: none. */
  readonly board?: FastifyPluginCallback | undefined;
  readonly engine: EngineApi;
  readonly accounts: AccountDirectory;
  /** Every setting of the trading switches; absent: none can be read. */
  readonly switchRecords?: Pick<SwitchRecords, 'after'> | undefined;
  /** Reads what clients changed; absent: it cannot be read. */
  readonly actionPages?: ActionPages | undefined;
  /** Reads past messages of portfolios; absent: they cannot be read. */
  readonly historyOf?: ReadHistory | undefined;
  /** Reads what a restored ledger does not know; absent: it cannot be read. */
  readonly unaccountedOf?: ReadUnaccounted | undefined;
  /** The page for people; absent: there is none. */
  readonly page?: PageParts | undefined;
  /** What reports on costs are made from; absent: there are none. */
  readonly reports?: ReportSources | undefined;
  /** What courses for charts are made from; absent: there are none. */
  readonly courses?: Pick<CourseSources, 'ledger' | 'costs'> | undefined;
}

export interface ServerOptions
  extends Omit<MethodServerOptions, 'engine'>,
    PortfolioServerOptions {}

export interface GatewayServer {
  /** Resolves when the engine has said which accounts and instruments there are. */
  readonly ready: Promise<void>;
  /**
   * Resolves with the port once connections are accepted: when it is {@link ready}, or after `waitMs` without an engine. Then
   * only health and metrics are answered, the rest is refused with 503 until it is ready. Port 0 picks a free one.
   */
  listen(at: {
    readonly host: string;
    readonly port: number;
    readonly waitMs?: number | undefined;
  }): Promise<number>;
  /**
   * Generates the documents, which takes most of a second, in small steps; a client that requests one earlier waits while it
   * is generated at once.
   */
  prepareDocuments(): Promise<void>;
  /** Applies new rates, connection limits and in-flight limits. Sizes and times keep their initial values. */
  reload(limits: Partial<GatewayLimits>): void;
  /** Serves new connections with other certificates; open ones keep theirs. Nothing happens without TLS. */
  renew(tls: ServerTls): void;
  /** Resolves when everything is closed, after `drainMs` at the latest. */
  close(withinMs?: number): Promise<void>;
}

/** Paths that are refused while too many requests are in flight, and while the server is closing. */
const WORK_PATHS = [PORTFOLIO_PATH, TRADING_PATH, `${METHODS_PATH}/`];
const isWork = (url: string): boolean => WORK_PATHS.some((path) => url.startsWith(path));
const CHECK_TIMEOUTS_MS = 1_000;
const UTF8_JSON = /^application\/json\s*(?:;(?!.*charset)|;\s*charset="?utf-8"?\s*(?:;|$)|$)/i;

/** Declares all routes; the server accepts connections only after `listen`. */
export const createServer = (parts: ServerOptions): Promise<GatewayServer> =>
  assembled(parts, parts);

/** A server without portfolios: an exchange. */
export const createMethodServer = (parts: MethodServerOptions): Promise<GatewayServer> =>
  assembled(parts, undefined);

async function assembled(
  parts: MethodServerOptions,
  portfolios: PortfolioServerOptions | undefined,
): Promise<GatewayServer> {
  const door = openDoor(parts);
  const { app, live, limits, orders, intake, counts } = door;
  answerFaults(app, { report: parts.report, counts, bodyBytesMax: limits.bodyBytesMax });
  countAnswers(app, counts);
  acceptJson(app);
  const { documents, notReady } = await serveState(parts, door, portfolios !== undefined);
  const page = portfolios && (await servePortfolios(parts, portfolios, door));
  const { authenticator, once, work, turns } = door;
  const methods = {
    ...parts,
    orders,
    once,
    counts,
    authenticator,
    work,
    turns,
    limits: limits.rid,
  };
  await serveMethods(app, methods);
  await page?.serve(methods, notReady);
  const { components, unwatch } = await openStreams(parts, portfolios, door, page?.opened);
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    prepareDocuments: documents.prepare,
    ready: orders.ready,
    listen: async (at) => {
      await (at.waitMs === undefined ? orders.ready : doneWithin(orders.ready, at.waitMs));
      for (const component of components) await component.start();
      return await listen(app, at);
    },
    reload: (next) => {
      live.replace({ ...DEFAULT_LIMITS, ...next });
      app.server.maxConnections = serverConnectionsMax(limits);
    },
    renew: (tls) => {
      if (isSecure(app.server)) app.server.setSecureContext({ ...tls, minVersion: 'TLSv1.2' });
    },
    close: async (withinMs = limits.drainMs) => {
      documents.prepareNoMore();
      const until = performance.now() + withinMs;
      intake.stop();
      unwatch?.();
      await doneWithin(Promise.all(components.map((one) => one.drain())), withinMs / 2);
      for (const component of components.toReversed()) component.stop();
      orders.close();
      await closeWithin(app, { sockets, drainMs: Math.max(0, until - performance.now()) });
    },
  };
}

type Door = ReturnType<typeof openDoor>;

/** The server without routes: who may connect, and how much each of them and all together may request. */
function openDoor(parts: MethodServerOptions) {
  const live = new LiveLimits({ ...DEFAULT_LIMITS, ...parts.limits });
  const { current: limits, rates } = live;
  const authenticator = new Authenticator({ ...parts, limits: { ...limits, rates } });
  const takes = parts.peerCounts && new PeerTakes(parts.peerCounts, parts.now);
  if (takes !== undefined) authenticator.share(takes);
  const app = bareServer(limits, parts.tls);
  const secure = new SecureConnections(app.server);
  const isProxy = addressList(parts.trustedProxies ?? []);
  const addressOf = clientAddress(isProxy);
  const ofAddress = { addressOf, isProxy, limits: limits.address, takes };
  limitAddresses(app, { ...parts, ...ofAddress });
  const counts = parts.counts ?? NO_COUNTS;
  const turns = new FairTurns({ ...parts });
  const { rememberedMax } = limits.address;
  const work = new WorkLimits({ ...parts, rules: limits.work, rememberedMax });
  const known = {
    isKnown: (socket: Socket) => authenticator.isKnown(secure.over(socket)),
    isKnownNetwork: (network: string) => authenticator.isKnownNetwork(network),
  };
  limitConnections(app.server, {
    ...known,
    isProxy,
    now: parts.now,
    limits,
    isEncrypted: parts.tls !== undefined,
  });
  const orders = new Desks(parts.engine);
  const intake = limitIntake(app, { ...known, orders, isWork, limits, counts, turns });
  refuseEncodedPaths(app, BOARD_PATH);
  const origins = new PageOrigins(parts.origins ?? []);
  refuseForeignPages(app, origins);
  const once = parts.kept && new IdempotencyStore({ ...parts, kept: parts.kept });
  const asking = { authenticator, takes, isProxy, addressOf, origins, once };
  return { app, live, limits, counts, turns, work, orders, intake, ...asking };
}

/** What anybody may read: the documents, and whether it works. */
async function serveState(
  parts: MethodServerOptions,
  { app, orders, intake }: Door,
  hasPortfolios: boolean,
) {
  const describedRoutes = await describeRoutes(app, parts.version);
  await serveDocuments(app);
  const notReady = async (): Promise<readonly string[]> => {
    const reasons = await parts.engine.state.reasonsNotReady();
    return reasons.length > 0 || orders.isReady ? reasons : [ENGINE_AWAITED];
  };
  serveHealth(app, { ...parts, notReady, isDraining: intake.isStopped });
  const { version } = parts;
  const documents = await serveDescriptions(app, { version, hasPortfolios, describedRoutes });
  return { documents, notReady };
}

/** The portfolio operations, switches and the queue's page; the page itself is served once the order methods are. */
async function servePortfolios(
  parts: MethodServerOptions,
  portfolios: PortfolioServerOptions,
  { app, authenticator, once, work, turns, origins, isProxy }: Door,
) {
  const { accounts, engine, reports, courses, historyOf, board } = portfolios;
  const reportOn = reports && reportsFrom({ ...reports, accounts, now: parts.now });
  const courseOf = courses && coursesFrom({ ...courses, accounts, now: parts.now });
  const reads = { reportOn, historyOf, courseOf };
  const routes = { accounts, operations: engine.portfolios, once, work, ...reads };
  await addPortfolios(app, routes, { ...parts, authenticator, turns });
  if (board !== undefined) await serveBoard(app, { ...parts, authenticator, board, origins });
  const opened = openPage(portfolios.page, { ...parts, authenticator, origins, isProxy });
  await addTrading(app, { ...parts, ...portfolios, authenticator, turns, page: opened?.access });
  return {
    opened,
    serve: async (methods: MethodOptions, notReady: () => Promise<readonly string[]>) =>
      await opened?.serve(app, { ...parts, ...portfolios, routes, methods, notReady }),
  };
}

/** The WebSockets, each a component that is started, drained and stopped with the server. */
async function openStreams(
  parts: MethodServerOptions,
  portfolios: PortfolioServerOptions | undefined,
  door: Door,
  page: ReturnType<typeof openPage>,
) {
  const { app, limits, orders, once, counts, authenticator, addressOf, turns, work } = door;
  const { takes, origins } = door;
  const around = { ...parts, orders, once, counts, authenticator, addressOf, turns, work };
  const streamed = { ...around, limits: limits.stream };
  const news = portfolios && new NewsHub({ news: portfolios.engine.news, report: parts.report });
  const { accounts } = portfolios ?? {};
  const stream = news && accounts && new PortfolioStream({ ...streamed, accounts, news });
  const pageStream = news && accounts && page?.stream({ ...streamed, accounts, news });
  const accountRules: AccountRules = new Set();
  const methods = new MethodStream({ ...around, accountRules, limits: limits.rid });
  const pageChannels = page?.channels({ ...around, accountRules, limits: limits.rid });
  const deribit = parts.deribit
    ? await openDeribit(app, { ...around, accountRules, limits })
    : undefined;
  /** In the order in which they are started. */
  const components = [takes, stream, pageStream, methods, pageChannels, deribit].filter(
    (one) => one !== undefined,
  );
  const unwatch = parts.keys.watch?.(() => {
    stream?.recheckKeys();
    pageStream?.recheckKeys();
    methods.recheckKeys();
    pageChannels?.recheckKeys();
    deribit?.recheckKeys();
  });
  app.server.on(
    'upgrade',
    upgrades(
      { origins, orders },
      {
        [METHOD_STREAM_PATH]: methods.upgrade,
        ...(stream && { [STREAM_PATH]: stream.upgrade }),
        ...(pageStream && { [PAGE_STREAM_PATH]: pageStream.upgrade }),
        ...(pageChannels && { [PAGE_CHANNELS_PATH]: pageChannels.upgrade }),
        ...deribit?.upgrades,
      },
    ),
  );
  return { components, unwatch };
}

type DeribitParts = Omit<
  DeribitStreamOptions & DeribitHttpOptions,
  'logins' | 'costs' | 'limits'
> & {
  readonly authenticator: Authenticator;
  readonly work: WorkLimits;
  readonly limits: GatewayLimits;
};

async function openDeribit(app: FastifyInstance, parts: DeribitParts): Promise<DeribitStream> {
  const { limits } = parts;
  const { rememberedMax } = limits.address;
  const costs = new RequestCosts({ ...parts, limits: limits.deribit, rememberedMax });
  const around = { ...parts, logins: new Logins(parts), costs, limits: limits.rid };
  await serveDeribit(app, around);
  return new DeribitStream(around);
}

const isSecure = (server: Server): server is SecureServer => 'setSecureContext' in server;

function bareServer(limits: GatewayLimits, tls: ServerTls | undefined): FastifyInstance {
  const http = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: CHECK_TIMEOUTS_MS,
  };
  // The routes are the same on both kinds of server.
  const app: FastifyInstance = Fastify({
    ...(tls === undefined
      ? { http }
      : { https: { ...http, ...tlsOptions(tls, limits.headersTimeoutMs) } as never }),
    logger: false,
    bodyLimit: limits.bodyBytesMax,
    requestTimeout: limits.requestTimeoutMs,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenHttp,
    frameworkErrors: (_error, _request, reply) => badAddress(reply),
    schemaController: { compilersFactory: compilers } as never,
  });
  app.server.maxConnections = serverConnectionsMax(limits);
  app.setValidatorCompiler(compilers.buildValidator());
  app.setSerializerCompiler(compilers.buildSerializer());
  return app;
}

/** Named when the server is made, so that the libraries of its default ones are not loaded. */
const compilers = {
  buildValidator:
    () =>
    ({ schema }: { readonly schema: unknown }) =>
    (data: unknown) => {
      const result = readWith(schema as Parameters<typeof readWith>[0], data);
      return 'value' in result ? result : { error: new Refused(result.rejections) };
    },
  buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
};

/** Bodies stay bytes until the request has been authenticated. */
function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    if (UTF8_JSON.test(request.headers['content-type'] ?? '')) readBody(request, payload, done);
    else done(bodyFault('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415));
  });
}

async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  await app.listen({ host, port });
  return (app.server.address() as AddressInfo).port;
}

async function doneWithin(work: Promise<unknown>, limitMs: number): Promise<void> {
  let deadline: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    deadline = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, late]);
  clearTimeout(deadline);
}

/** Node closes only connections of requests; those upgraded to WebSockets have to be closed by us. */
async function closeWithin(
  app: FastifyInstance,
  { sockets, drainMs }: { readonly sockets: ReadonlySet<Socket>; readonly drainMs: number },
): Promise<void> {
  const deadline = setTimeout(() => {
    app.server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  }, drainMs);
  try {
    await app.close();
  } finally {
    clearTimeout(deadline);
  }
}
