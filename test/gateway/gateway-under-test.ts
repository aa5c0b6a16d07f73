// The real server on a free port, with in-memory operations. Time does not advance unless a test sets it. The engine is
// behind the line that a gateway of its own process has, and behind a boundary that reports what is not plain data.

import { setImmediate } from 'node:timers';
import { SystemClock } from '../../src/adapters/system/system-clock.ts';
import type { PortfolioSummary } from '../../src/core/portfolio/summary/portfolio-summary.ts';
import { reject } from '../../src/core/rejection.ts';
import { Overrides } from '../../src/core/risk/gate/overrides.ts';
import type { PortfolioForm } from '../../src/core/terms/form.ts';
import type { Actor } from '../../src/core/terms/spec.ts';
import { type EngineApiOptions, engineApi } from '../../src/engine/api/serve-engine.ts';
import { type TradingApiOptions, tradingApi } from '../../src/engine/api/switch-operations.ts';
import type { AmendRequest, Unhedged } from '../../src/engine/interface/change-operations.ts';
import type {
  CancelAllFilter,
  Operations,
  Submitted,
} from '../../src/engine/interface/operations.ts';
import { TradingSwitches } from '../../src/engine/kill-switch/trading-switches.ts';
import { remoteEngine } from '../../src/engine/link/remote-engine.ts';
import { serveLine } from '../../src/engine/link/serve-line.ts';
import { NewsFeed } from '../../src/engine/news/news-feed.ts';
import { historyFrom } from '../../src/engine/news/read-history.ts';
import { unaccountedFrom } from '../../src/engine/recovery/read-unaccounted.ts';
import type { ApiKey } from '../../src/gateway/auth/key-store.ts';
import { signedHeaders } from '../../src/gateway/auth/signed-stamp.ts';
import { askerInHand } from '../../src/gateway/http/request-scope.ts';
import type { GatewayLimits } from '../../src/gateway/limits/limits.ts';
import { DEFAULT_PAGE_RULES } from '../../src/gateway/page/page-access.ts';
import { readPageFiles } from '../../src/gateway/page/page-files.ts';
import { statusNumber } from '../../src/gateway/portfolios/status-number.ts';
import { createServer, type ServerOptions } from '../../src/gateway/server.ts';
import type { ServerTls } from '../../src/gateway/tls/tls-server.ts';
import type { ClaimStore } from '../../src/ports/deployment/claim-store.ts';
import type { PortfolioNews } from '../../src/ports/event-bus.ts';
import type { PageQuery, Turn } from '../../src/ports/ledger.ts';
import { observing } from '../../src/ports/observer.ts';
import { text } from '../../src/values/amounts.ts';
import { accountId, type PortfolioId, portfolioId } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';
import { MemoryClaims } from '../../src/virtual/memory/memory-claims.ts';
import { MemoryCostRecord } from '../../src/virtual/memory/memory-cost-record.ts';
import { MemoryEventBus } from '../../src/virtual/memory/memory-event-bus.ts';
import { MemoryTurnLog } from '../../src/virtual/memory/memory-turn-log.ts';
import { VirtualClock } from '../../src/virtual/virtual-clock.ts';
import { BELIEVING, NO_DESKS, NO_STRATEGIES, UNLIMITED, UNPACED } from '../doubles/lone-api.ts';
import { MemoryEngineLine } from '../doubles/memory/memory-engine-line.ts';
import { MemoryKeptAnswers } from '../doubles/memory/memory-kept-answers.ts';
import { MemoryMmpRecords } from '../doubles/memory/memory-mmp-records.ts';
import { MemoryPageSessions } from '../doubles/memory/memory-page-sessions.ts';
import { MemorySwitchRecords } from '../doubles/memory/memory-switch-records.ts';
import { CoreDesk } from '../support/engine/core-desk.ts';
import { form } from '../support/engine/engine-world.ts';
import { perpetual } from '../support/engine/markets.ts';
import { witness } from '../support/engine/quiet-observer.ts';
import { TextBoundary } from './text-boundary.ts';

export const NOW_MS = 1_776_665_215_780;
/** Of a deployment without venues of others. */
const PLAY_MONEY = { money: 'paper', venues: [] } as const;
export const PATH = '/tt/broker/openapi/portfolios';

const key = (id: string, rest: Omit<ApiKey, 'id' | 'secret' | 'nickname'>): ApiKey => ({
  id,
  secret: Buffer.from(`secret of ${id} 0123456789`).toString('base64'),
  nickname: `${id} desk`,
  ...rest,
});

export const TAKER = key('taker', {
  uid: '7001',
  accounts: [accountId('10001'), accountId('20001')],
  scopes: ['trade', 'blockRfq', 'admin'],
});
export const STRANGER = key('stranger', {
  uid: '7002',
  accounts: [accountId('10002')],
  scopes: ['trade', 'blockRfq'],
  makerAlias: 'MAKER1',
});
export const SECOND_MAKER = key('second', {
  uid: '7006',
  accounts: [accountId('10003')],
  scopes: ['blockRfq'],
  makerAlias: 'MAKER2',
});
export const READER = key('reader', {
  uid: '7003',
  accounts: [accountId('10001')],
  scopes: ['read'],
});
export const BOUND = key('bound', {
  uid: '7004',
  accounts: [accountId('10001')],
  scopes: ['trade'],
  bindBody: true,
});
export const NOTHING = key('nothing', {
  uid: '7005',
  accounts: [accountId('10001')],
  scopes: ['admin'],
});

export function perpetualBody(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    accountId: 10001,
    portfolioType: 'TWAP' as const,
    twapTrade: { durationSec: 600, frequencySec: 60 },
    legs: [
      {
        instrument: 'BTC-PERPETUAL',
        instrumentType: 'PERPETUAL' as const,
        side: 1 as const,
        quantity: '10000',
        priceOptions: { priceType: 'MARKET' as const },
      },
    ],
    ...changes,
  };
}

export function summaryOf(
  portfolio: PortfolioId,
  form: PortfolioForm,
  by: Actor,
): PortfolioSummary {
  const durationMs = (form.twapTrade?.durationSec ?? 0) * 1_000;
  const startAt = form.startAt ?? NOW_MS;
  return {
    portfolio,
    account: form.accountId,
    portfolioType: form.portfolioType,
    status: 'pending',
    ...(form.strategy === undefined ? {} : { strategy: form.strategy }),
    note: form.customizedNote,
    uid: by.uid,
    nickname: by.nickname,
    lastEditedUid: by.uid,
    submittedAt: NOW_MS,
    updatedAt: NOW_MS,
    startAt,
    endAt: startAt + durationMs,
    durationMs,
    frequencyMs: (form.twapTrade?.frequencySec ?? 0) * 1_000,
    endAction: form.execution.endAction ?? 'cancel',
    mirrors: [],
    legs: form.legs.map((leg, index) => ({
      legId: `${portfolio}-${index}`,
      instrument: leg.instrument,
      kind: leg.instrumentType,
      side: leg.side,
      status: 'pending',
      quantity: text(leg.quantity),
      quantityIn: 'USD',
      filled: '0',
      averagePrice: '0',
      remaining: text(leg.quantity),
      outstanding: '0',
      scheduled: '0',
      fees: [],
      currencies: {
        forCcy: 'BTC',
        domCcy: 'USD',
        markCcy: 'USD',
        notionalCcy: 'USD',
        defaultPvCcy: 'BTC',
      },
      slices: { planned: 10, placed: 0, missed: 0, next: 0 },
      reprices: 0,
      hedge: leg.hedge,
    })),
  };
}

/** What a form with this note is refused with. */
const refusalOf = (form: PortfolioForm) =>
  form.customizedNote === 'refuse me'
    ? refused([
        reject('time_out_of_range', 'twapTrade.durationSec', 'is 600; accepted: 900 to 86400'),
        reject('below_minimum', 'legs[0].quantity', 'is 1; accepted: at least 10'),
      ])
    : undefined;

/** Records requests for tests to inspect. */
export class MemoryOperations implements Operations {
  readonly forms: PortfolioForm[] = [];
  readonly pages: PageQuery[] = [];
  /** What cancel and pause name as open exposure. */
  unhedged: Unhedged = null;
  readonly cancelAlls: { filter: CancelAllFilter; by: Actor }[] = [];
  readonly amends: AmendRequest[] = [];
  readonly records = new Map<string, PortfolioSummary>();
  readonly submits = new Map<string, Submitted>();
  /** When set, every operation fails with it. */
  failure: Error | undefined;
  #nextId = 1_776_668_676_325_001;

  async submit(form: PortfolioForm, by: Actor, once?: string) {
    await this.#work();
    const before = once === undefined ? undefined : this.submits.get(once);
    if (before !== undefined) return done({ ...before, created: false });
    const refusal = refusalOf(form);
    if (refusal !== undefined) return refusal;
    const [portfolio, ...mirrors] = [form.accountId, ...form.dummyAccounts].map((account) => {
      const id = portfolioId(String(this.#nextId++));
      this.records.set(id, summaryOf(id, { ...form, accountId: account }, by));
      return id;
    });
    if (portfolio === undefined) throw new Error('unreachable');
    const submitted = { portfolio, mirrors, created: true };
    if (once !== undefined) this.submits.set(once, submitted);
    this.forms.push(form);
    return done(submitted);
  }

  async plan(form: PortfolioForm) {
    await this.#work();
    const refusal = refusalOf(form);
    if (refusal !== undefined) return refusal;
    this.forms.push(form);
    const slices = [0, 1].map((slice) => ({
      leg: 0,
      slice,
      dueAt: NOW_MS + slice * 60_000,
      quantity: '5000',
      cumulative: String(5_000 * (slice + 1)),
    }));
    const legs = form.legs.map((leg) => ({
      instrument: leg.instrument,
      side: leg.side,
      quantity: text(leg.quantity),
      slices: 2,
      hedge: leg.hedge,
    }));
    return done({ startAt: NOW_MS, endAt: NOW_MS + 120_000, legs, slices });
  }

  async info(portfolio: PortfolioId) {
    await this.#work();
    return this.records.get(portfolio);
  }

  async page(query: PageQuery) {
    await this.#work();
    this.pages.push(query);
    const { account, accounts = [account], statuses } = query;
    const rows = [...this.records.values()].filter(
      (row) =>
        accounts.some((one) => one === row.account) &&
        (statuses?.some((status) => statusNumber(status) === statusNumber(row.status)) ?? true),
    );
    return { total: rows.length, rows: rows.slice(query.offset, query.offset + query.limit) };
  }

  async cancel(portfolio: PortfolioId, by: Actor, account?: string) {
    await this.#work();
    const record = this.records.get(portfolio);
    if (record === undefined || (account !== undefined && record.account !== account)) {
      return refused([reject('not_found', 'portfolioId', 'portfolio not found')]);
    }
    if (record.status === 'cancelled') {
      return refused([reject('not_active', 'portfolioId', 'portfolio not active')]);
    }
    this.records.set(portfolio, { ...record, status: 'cancelled', lastEditedUid: by.uid });
    return done(this.unhedged);
  }

  async amend(request: AmendRequest) {
    await this.#work();
    const record = this.records.get(request.portfolio);
    if (record === undefined) return refused([reject('not_found', 'portfolioId', 'not found')]);
    this.amends.push(request);
    const [leg] = request.form.legs;
    const filled = record.legs[leg?.leg ?? 0]?.filled ?? '0';
    if (leg?.filledSeen !== undefined && text(leg.filledSeen) !== filled) {
      return refused([reject('conflict', 'legs[0].filledSeen', 'is not what is filled')]);
    }
    const { startAt, endAt: endBefore } = record;
    const { durationSec, legs } = request.form;
    const endAt = durationSec === undefined ? endBefore : startAt + durationSec * 1_000;
    const totalOf = (index: number, before: string): string => {
      const asked = legs.find((one) => one.leg === index)?.quantity;
      return asked === undefined ? before : text(asked);
    };
    if (!request.isPreview) {
      const changed = record.legs.map((one, index) => ({
        ...one,
        quantity: totalOf(index, one.quantity),
      }));
      this.records.set(request.portfolio, { ...record, endAt, legs: changed });
    }
    return done({
      portfolio: request.portfolio,
      isApplied: !request.isPreview,
      startAt,
      endBefore,
      endAt,
      slices: [],
      amendments: 0,
      limitsBefore: { maxCatchUp: 3, collar: '0.01' },
      limits: { maxCatchUp: 3, collar: '0.01' },
      legs: record.legs.map(
        ({ instrument, side, hedge, quantity, filled, outstanding }, index) => ({
          instrument,
          side,
          hedge,
          quantityBefore: quantity,
          filled,
          outstanding,
          quantity: totalOf(index, quantity),
        }),
      ),
    });
  }

  async pause(portfolio: PortfolioId) {
    const answer = await this.#setPaused(portfolio, { by: '7001', at: NOW_MS });
    return answer.kind === 'done' ? done(this.unhedged) : answer;
  }

  resume(portfolio: PortfolioId) {
    return this.#setPaused(portfolio, undefined);
  }

  async #setPaused(portfolio: PortfolioId, paused: PortfolioSummary['paused']) {
    await this.#work();
    const record = this.records.get(portfolio);
    if (record === undefined) return refused([reject('not_found', 'portfolioId', 'not found')]);
    this.records.set(portfolio, { ...record, paused });
    return done(null);
  }

  async cancelAll(filter: CancelAllFilter, by: Actor) {
    await this.#work();
    this.cancelAlls.push({ filter, by });
    return done({ count: 0 });
  }

  async #work(): Promise<void> {
    await Promise.resolve();
    if (this.failure !== undefined) throw this.failure;
  }
}

const done = <T>(value: T) => ({ kind: 'done', value }) as const;
const refused = (rejections: readonly ReturnType<typeof reject>[]) =>
  ({ kind: 'refused', rejections }) as const;

/** Parts of the server, and of the engine behind it. */
type Served = Omit<EngineApiOptions, 'trading'> & TradingApiOptions;

export type GatewayParts = Partial<Omit<ServerOptions, 'engine'> & Served>;

/** Published news also counts as committed. */
export class LoggedBus extends MemoryEventBus {
  readonly log = new MemoryTurnLog();

  override publish(news: readonly PortfolioNews[]): void {
    for (const { portfolio, account, version } of news) {
      const turn = { portfolio, row: { account }, fromVersion: version - 1, events: [0], tells: 1 };
      this.log.add([turn as unknown as Turn]);
    }
    super.publish(news);
  }
}

export interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  /** Sent verbatim instead of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly by?: ApiKey | null;
  readonly stampedAtMs?: number;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

/** The history behind every report: a portfolio that was submitted and not begun. */
const [FIRST] = new CoreDesk(form(), [perpetual()]).events;
const REPORTS = {
  ledger: {
    load: (portfolio: PortfolioId) =>
      Promise.resolve({ portfolio, version: 1, events: FIRST === undefined ? [] : [FIRST] }),
  },
  costs: new MemoryCostRecord(),
  mmp: new MemoryMmpRecords(),
};

export class GatewayUnderTest {
  readonly operations = new MemoryOperations();
  readonly reported: unknown[] = [];
  readonly bus = new LoggedBus((error) => this.reported.push(error));
  /** Every nonce that a request has claimed. */
  readonly nonces = new Set<string>();
  claims: ClaimStore = new MemoryClaims(() => instant(this.nowMs));
  readonly pageSessions = new MemoryPageSessions();
  readonly keys = new Map(
    [TAKER, STRANGER, SECOND_MAKER, READER, BOUND, NOTHING].map((one) => [one.id, one]),
  );
  /** Of the ledger, by name. */
  readonly metadata = new Map<string, string>();
  readonly kept = new MemoryKeptAnswers(() => instant(this.nowMs));
  nowMs = NOW_MS;
  nonceStoreUp = true;
  notReady: readonly string[] = [];
  url = '';
  /** What the gateway has asked of the engine. */
  crossed: ReadonlySet<string> = new Set();
  close: () => Promise<void> = () => Promise.resolve();
  reload: (limits: Partial<GatewayLimits>) => void = () => undefined;
  renew: (tls: ServerTls) => void = () => undefined;
  prepareDocuments: () => Promise<void> = () => Promise.resolve();

  static async start(
    limits: Partial<GatewayLimits> = {},
    parts: GatewayParts = {},
  ): Promise<GatewayUnderTest> {
    const gateway = new GatewayUnderTest();
    const switches = await TradingSwitches.open({
      records: new MemorySwitchRecords(),
      clock: new VirtualClock(instant(NOW_MS)),
      observer: witness(),
    });
    const uncounted = { credits: 'off', tier: 4 } as const;
    const all = {
      ...gateway.#parts(),
      switches,
      limits: { deribit: uncounted, ...limits },
      ...parts,
    };
    gateway.claims = new MemoryClaims(all.now);
    const boundary = new TextBoundary();
    const line = new MemoryEngineLine({ carry: (act) => void setImmediate(act) });
    const onFault = (error: unknown): void => void gateway.reported.push(error);
    const engine = boundary.across(
      engineApi({ ...all, exposition: all.metrics, trading: tradingApi(all) }),
    );
    line.connect(serveLine({ ...BELIEVING, engine, onFault }));
    const remote = remoteEngine({ line, asker: askerInHand, openReads: UNPACED, onFault });
    const metrics = (): Promise<string> => remote.state.metrics();
    const server = await createServer({ ...all, metrics, engine: remote });
    gateway.url = `http://127.0.0.1:${await server.listen({ host: '127.0.0.1', port: 0 })}`;
    gateway.crossed = boundary.crossed;
    gateway.close = async () => {
      await server.close();
      boundary.check();
    };
    gateway.reload = (next) => server.reload(next);
    gateway.renew = (tls) => server.renew(tls);
    gateway.prepareDocuments = () => server.prepareDocuments();
    return gateway;
  }

  #parts(): Omit<ServerOptions, 'engine'> & Omit<Served, 'switches'> {
    return {
      historyOf: historyFrom({ eventsAfter: (...asked) => this.#eventsAfter(...asked) }),
      unaccountedOf: unaccountedFrom({
        getMetadata: (name) => Promise.resolve(this.metadata.get(name)),
      }),
      courses: {
        ledger: { eventsAfter: (...asked) => this.#eventsAfter(...asked) },
        costs: REPORTS.costs,
      },
      operations: this.operations,
      orders: NO_DESKS,
      clock: new SystemClock({ unref: true }),
      notReady: () => this.notReady,
      news: this.#news(),
      kept: this.kept,
      reports: REPORTS,
      keys: { find: (id) => this.keys.get(id) },
      page: this.page(),
      claimNonce: (nonce, until) => {
        if (!this.nonceStoreUp) return Promise.reject(new Error('the store is down'));
        this.nonces.add(nonce);
        return this.claims.claimOnce(nonce, until);
      },
      ...UNLIMITED,
      strategies: NO_STRATEGIES,
      overrides: new Overrides(),
      accounts: {
        describe: (account) => ({
          name: `account ${account}`,
          exchange: /^\d+$/.test(account) ? 'PAPER' : '',
          ...(account === '20001' && { isDummy: true }),
        }),
      },
      now: () => instant(this.nowMs),
      health: { live: () => true },
      metrics: () => Promise.resolve('twapd_up 1\n'),
      // Requests cost their estimate, however slow the machine is.
      stopwatch: () => 0,
      report: (error) => this.reported.push(error),
      version: '0.0.1',
      deribit: true,
    };
  }

  /** Every portfolio has been submitted, and nothing else has happened to it. */
  async #eventsAfter(portfolio: PortfolioId, after: number, limit: number) {
    const record = await this.operations.info(portfolio);
    if (record === undefined || FIRST?.kind !== 'submitted') return [];
    const submitted = { ...FIRST, spec: { ...FIRST.spec, accountId: record.account } };
    return [submitted].slice(after, after + limit);
  }

  page() {
    const files = readPageFiles('dist/page');
    return {
      sessions: this.pageSessions,
      files,
      rules: { ...DEFAULT_PAGE_RULES, traded: PLAY_MONEY, confirmsByClick: false },
    };
  }

  #news(): NewsFeed {
    const observer = observing({ failed: (failure) => this.reported.push(failure) });
    const ledger = { load: () => Promise.resolve(undefined) };
    return new NewsFeed({
      bus: this.bus,
      log: this.bus.log,
      ledger,
      observer,
      clock: new SystemClock(),
    });
  }

  /** One signed request; `by: null` sends it unsigned. */
  async request(target: string, asked: Asked = {}): Promise<Answered> {
    const { by = TAKER, stampedAtMs = this.nowMs } = asked;
    const raw = asked.raw ?? (asked.body === undefined ? undefined : JSON.stringify(asked.body));
    const method = asked.method ?? (raw === undefined ? 'GET' : 'POST');
    const signed =
      by === null
        ? {}
        : signedHeaders({ ...by, keyId: by.id }, stampedAtMs, {
            method,
            target,
            body: Buffer.from(raw ?? ''),
          });
    const response = await fetch(this.url + target, {
      method,
      headers: {
        ...signed,
        ...(raw === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...asked.headers,
      },
      ...(raw === undefined ? {} : { body: raw }),
    });
    const body = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      json: isJson ? JSON.parse(body) : body,
    };
  }

  submit(body: unknown, asked: Asked = {}): Promise<Answered> {
    return this.request(`${PATH}/submit`, { body, ...asked });
  }
}
