// A client of the gateway's portfolio operations: signs requests and returns every outcome as a value. The
// command line uses it, and any other program can.

import type { z } from 'zod';
import type { PortfolioReport } from '../../core/report/report-shapes.ts';
import type { CostSummary } from '../../core/report/summary/cost-summary-shapes.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { type ClientKey, signedHeaders } from '../auth/signed-stamp.ts';
import type { PageCodeRecord, PageSessionRecord } from '../page/page-methods.ts';
import type { AmendedRecord, amendBodySchema } from '../portfolios/amend-schema.ts';
import type { cancelAllBodySchema } from '../portfolios/cancel-schema.ts';
import type { StoppedRecord } from '../portfolios/change-methods.ts';
import type { CountsRecord } from '../portfolios/count-method.ts';
import type { CourseRecord } from '../portfolios/course-method.ts';
import type { HistoryRecord } from '../portfolios/history-method.ts';
import type { PlanRecord } from '../portfolios/plan-view.ts';
import type { PortfolioRecord } from '../portfolios/record-schema.ts';
import type { portfolioBodySchema } from '../portfolios/submit/submit-schema.ts';
import type { ActionsRecord } from '../trading/action-methods.ts';
import type { KeyInForceRecord } from '../trading/key-methods.ts';
import type { LimitRecord } from '../trading/limit-methods.ts';
import type { OverrideRecord } from '../trading/override-methods.ts';
import type { StrategiesRecord } from '../trading/strategy-methods.ts';
import type { SummaryRecord } from '../trading/summary-method.ts';
import type { SwitchRecord } from '../trading/switch-methods.ts';
import type { UnaccountedRecord } from '../trading/unaccounted-method.ts';
import type { WhoamiRecord } from '../trading/whoami-method.ts';
import type { Fault } from '../wire/envelope.ts';
import { type HealthRecord, isEnvelope, isHealth } from './answer-shapes.ts';
import { type MethodAnswer, requestMethod } from './method-client.ts';
import type {
  MethodName,
  MethodParams,
  MethodResults,
  ParamsArgument,
  Written,
} from './method-shapes.ts';
import { type ClientTls, type HttpRequest, sendHttp } from './secure-http.ts';
import type { StreamItem, WatchOptions, watchNews } from './stream-client.ts';

export type {
  ActionsRecord,
  AmendBody,
  AmendedRecord,
  CancelAllBody,
  ClientTls,
  CostSummary,
  CountsRecord,
  CourseRecord,
  Fault,
  HealthRecord,
  HistoryRecord,
  KeyInForceRecord,
  LimitRecord,
  MethodAnswer,
  MethodName,
  MethodParams,
  MethodResults,
  OverrideRecord,
  PageCodeRecord,
  PageSessionRecord,
  PlanRecord,
  PortfolioBody,
  PortfolioRecord,
  PortfolioReport,
  StrategiesRecord,
  StreamItem,
  SummaryRecord,
  SwitchRecord,
  UnaccountedRecord,
  WatchOptions,
  WhoamiRecord,
};

export interface ClientOptions extends ClientKey {
  /** For example `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** How a gateway that serves TLS is trusted; absent: by the authorities that Node trusts. */
  readonly tls?: ClientTls | undefined;
  readonly timeoutMs?: number;
  /** Unix milliseconds; defaults to the clock of this machine. */
  readonly now?: () => number;
}

export type Result<T> =
  | { readonly kind: 'done'; readonly value: T }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: number;
      readonly message: string;
      readonly errors: readonly Fault[];
      readonly retryAfterSec?: number | undefined;
    }
  /** No usable answer: the request may or may not have taken effect. */
  | { readonly kind: 'unreachable'; readonly message: string };

export interface SubmittedRecord {
  readonly portfolioId: number;
  readonly mirrorPortfolioIds?: readonly number[];
  readonly warnings?: readonly {
    readonly leg?: number;
    readonly about: string;
    readonly message: string;
  }[];
}

export interface PageRecord {
  readonly pageCount: number;
  readonly totalCount: number;
  readonly values: readonly PortfolioRecord[];
}

export interface SwitchWish extends Pick<SwitchRecord, 'scope' | 'state' | 'reason'> {
  /** Of switches of one account or strategy. */
  readonly of?: string | undefined;
}

export interface OverrideWish
  extends Pick<
    OverrideRecord,
    'control' | 'accountId' | 'instrumentName' | 'side' | 'quantity' | 'reason'
  > {
  /** Default: 60. */
  readonly expiresSec?: number | undefined;
}

export interface ActionFilter {
  readonly accountId?: string | undefined;
  readonly keyId?: string | undefined;
  /** Unix milliseconds. */
  readonly startTimestamp?: number | undefined;
  /** `next` of a former answer. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

export interface StrategySwitchWish {
  readonly strategy: string;
  /** `file`: as its file says. */
  readonly state: 'on' | 'off' | 'file';
  readonly reason: string;
}

export interface PageCodeWish {
  /** `open`: a session of the page; `confirm`: one action in a session of the same key. */
  readonly purpose: 'open' | 'confirm';
  /** What the session may do; absent: all that the key may. */
  readonly scopes?: readonly ('read' | 'trade' | 'admin')[] | undefined;
}

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;
export type PageFilter = Readonly<Record<string, QueryValue>> & {
  /** An account; `all`: every account of the key. */
  readonly accountId: string;
};

export type SummaryFilter = Readonly<Record<string, QueryValue>>;

export interface Client {
  /** With an idempotency key, a repeated submit returns the first one's portfolio. */
  submit(body: PortfolioBody, idempotencyKey?: string): Promise<Result<SubmittedRecord>>;
  plan(body: PortfolioBody): Promise<Result<PlanRecord>>;
  info(portfolioId: string): Promise<Result<PortfolioRecord>>;
  /** What the portfolio cost. */
  report(portfolioId: string): Promise<Result<PortfolioReport>>;
  /** What happened after a version of the portfolio, which is 0 before its submit. */
  history(
    portfolioId: string,
    part?: { readonly after?: number; readonly limit?: number },
  ): Promise<Result<HistoryRecord>>;
  /** The plan, the fills, the children and the market over time; `after` and `marketAfter` for what is new. */
  course(
    portfolioId: string,
    part?: { readonly after?: number; readonly marketAfter?: number },
  ): Promise<Result<CourseRecord>>;
  /** What many portfolios cost; may take long. */
  reportSummary(filter: SummaryFilter): Promise<Result<CostSummary>>;
  page(filter: PageFilter): Promise<Result<PageRecord>>;
  /** Of one account, or of every account of the key. */
  counts(accountId?: string): Promise<Result<CountsRecord>>;
  /** What no hedge covers at this moment; `null` for nothing. */
  cancel(portfolioId: string, accountId?: string): Promise<Result<StoppedRecord>>;
  cancelAll(body: CancelAllBody): Promise<Result<null>>;
  /** With `preview: true` nothing is changed and the result shows what would change. */
  amend(body: AmendBody): Promise<Result<AmendedRecord>>;
  pause(portfolioId: string): Promise<Result<StoppedRecord>>;
  resume(portfolioId: string): Promise<Result<null>>;
  /** The current state of every trading switch that was ever set. */
  switches(): Promise<Result<readonly SwitchRecord[]>>;
  /** The latest settings of trading switches, newest first. */
  switchHistory(): Promise<Result<readonly SwitchRecord[]>>;
  setSwitch(wish: SwitchWish): Promise<Result<SwitchRecord>>;
  /** Overrides of controls that have not expired. */
  overrides(): Promise<Result<readonly OverrideRecord[]>>;
  askOverride(wish: OverrideWish): Promise<Result<OverrideRecord>>;
  /** Must be called with a different key than the one that requested the override. */
  grantOverride(id: string): Promise<Result<OverrideRecord>>;
  /** The limits of the key's accounts that fill up, and how much of each is used. */
  limits(): Promise<Result<readonly LimitRecord[]>>;
  /** Orders and trades at the venues that a restored ledger does not know. */
  unaccounted(): Promise<Result<UnaccountedRecord>>;
  /** How the deployment is; nothing about single portfolios. */
  summary(): Promise<Result<SummaryRecord>>;
  /** The key that the client signs with, and the operations that it may call. */
  whoami(): Promise<Result<WhoamiRecord>>;
  /** What was changed on accounts of the key, newest first. */
  actions(filter?: ActionFilter): Promise<Result<ActionsRecord>>;
  /** The keys in force without secrets: all for the scope admin, otherwise the calling one. */
  keys(): Promise<Result<readonly KeyInForceRecord[]>>;
  strategies(): Promise<Result<StrategiesRecord>>;
  /** Switches a strategy on or off, whatever its file says. */
  switchStrategy(wish: StrategySwitchWish): Promise<Result<null>>;
  /** Issues a code, good once, for the page. */
  pageCode(wish: PageCodeWish): Promise<Result<PageCodeRecord>>;
  /** The open sessions of the page: all for the scope admin, otherwise those of the key. */
  pageSessions(): Promise<Result<readonly PageSessionRecord[]>>;
  endPageSession(id: string): Promise<Result<null>>;
  /** Calls an order method such as `private/buy`. It is sent once, so the outcome may be unknown. */
  call<N extends MethodName>(
    method: N,
    ...params: ParamsArgument<N>
  ): Promise<MethodAnswer<MethodResults[N]>>;
  health(): Promise<Result<HealthRecord>>;
  /**
   * Yields the news of one portfolio or of all, from now on or from where a former connection stopped; the last
   * item says why the stream ended.
   */
  watch(portfolioId: string | 'all', options?: WatchOptions): AsyncGenerator<StreamItem, void>;
}

const PATH = '/tt/broker/openapi/portfolios';
const TRADING = '/tt/broker/openapi/trading';
const TIMEOUT_MS = 15_000;

export function connect(options: ClientOptions): Client {
  const post = <T>(name: string, body: unknown, headers?: Record<string, string>) =>
    sendRequest<T>(options, { method: 'POST', target: `${PATH}/${name}`, body, headers });
  const get = <T>(name: string, query: string) =>
    sendRequest<T>(options, { method: 'GET', target: `${PATH}/${name}?${query}` });
  return {
    submit: (body, key) =>
      post('submit', body, key === undefined ? {} : { 'Idempotency-Key': key }),
    plan: (body) => post('plan', body),
    info: (portfolioId) => get('info', queryText({ portfolioId })),
    report: (portfolioId) => get('report', queryText({ portfolioId })),
    history: (portfolioId, part) => get('history', queryText({ portfolioId, ...part })),
    course: (portfolioId, part) => get('course', queryText({ portfolioId, ...part })),
    reportSummary: (filter) => get('report-summary', queryText(filter)),
    page: (filter) => get('page', queryText(filter)),
    counts: (accountId) => get('counts', queryText({ accountId })),
    cancel: (portfolioId, accountId) => post('cancel', { portfolioId, accountId }),
    amend: (body) => post('amend', body),
    pause: (portfolioId) => post('pause', { portfolioId }),
    resume: (portfolioId) => post('resume', { portfolioId }),
    cancelAll: (body) => post('cancel-all', body),
    switches: () => sendRequest(options, { method: 'GET', target: `${TRADING}/switches` }),
    switchHistory: () =>
      sendRequest(options, { method: 'GET', target: `${TRADING}/switch-history` }),
    setSwitch: (body) =>
      sendRequest(options, { method: 'POST', target: `${TRADING}/switch`, body }),
    overrides: () => sendRequest(options, { method: 'GET', target: `${TRADING}/overrides` }),
    askOverride: (body) =>
      sendRequest(options, { method: 'POST', target: `${TRADING}/override`, body }),
    grantOverride: (id) =>
      sendRequest(options, { method: 'POST', target: `${TRADING}/override-grant`, body: { id } }),
    limits: () => sendRequest(options, { method: 'GET', target: `${TRADING}/limits` }),
    unaccounted: () => sendRequest(options, { method: 'GET', target: `${TRADING}/unaccounted` }),
    summary: () => sendRequest(options, { method: 'GET', target: `${TRADING}/summary` }),
    whoami: () => sendRequest(options, { method: 'GET', target: `${TRADING}/whoami` }),
    actions: (filter = {}) =>
      sendRequest(options, {
        method: 'GET',
        target: `${TRADING}/actions?${queryText({ ...filter })}`,
      }),
    keys: () => sendRequest(options, { method: 'GET', target: `${TRADING}/keys` }),
    strategies: () => sendRequest(options, { method: 'GET', target: `${TRADING}/strategies` }),
    switchStrategy: (body) =>
      sendRequest(options, { method: 'POST', target: `${TRADING}/strategy-switch`, body }),
    pageCode: (body) =>
      sendRequest(options, { method: 'POST', target: `${TRADING}/page-code`, body }),
    pageSessions: () => sendRequest(options, { method: 'GET', target: `${TRADING}/page-sessions` }),
    endPageSession: (id) =>
      sendRequest(options, { method: 'POST', target: `${TRADING}/page-session-end`, body: { id } }),
    call: (method, ...[params = {}]) => requestMethod(options, method, params),
    health: () => requestHealth(options),
    watch: (portfolioId, how) => followNews(options, portfolioId, how),
  };
}

function queryText(values: Readonly<Record<string, QueryValue>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  return query.toString();
}

interface Question {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string> | undefined;
}

/** The WebSocket is loaded by those that follow it. */
async function* followNews(
  ...words: Parameters<typeof watchNews>
): AsyncGenerator<StreamItem, void> {
  const stream = await import('./stream-client.ts');
  yield* stream.watchNews(...words);
}

async function sendRequest<T>(options: ClientOptions, question: Question): Promise<Result<T>> {
  const { method, target } = question;
  const text = question.body === undefined ? undefined : JSON.stringify(question.body);
  const body = Buffer.from(text ?? '');
  const nowMs = (options.now ?? Date.now)();
  const headers = {
    ...signedHeaders(options, nowMs, { method, target, body }),
    ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...question.headers,
  };
  const answer = await fetched(options, target, {
    method,
    headers,
    ...(text === undefined ? {} : { body: text }),
  });
  if (answer.kind === 'unreachable') return answer;
  if (!isEnvelope(answer.json)) return unreachable(`HTTP ${answer.status} without the envelope`);
  const { succ, value, code, message, errors = [] } = answer.json;
  // The gateway's own tests guarantee the shape of the value.
  if (succ) return { kind: 'done', value: value as T };
  const retryAfterSec = answer.retryAfterSec;
  return { kind: 'refused', status: answer.status, code, message, errors, retryAfterSec };
}

async function requestHealth(options: ClientOptions): Promise<Result<HealthRecord>> {
  const answer = await fetched(options, '/readyz', { method: 'GET' });
  if (answer.kind === 'unreachable') return answer;
  return isHealth(answer.json)
    ? { kind: 'done', value: answer.json }
    : unreachable(`HTTP ${answer.status} without a health report`);
}

type Fetched =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly json: unknown;
      readonly retryAfterSec?: number | undefined;
    }
  | { readonly kind: 'unreachable'; readonly message: string };

async function fetched(
  { baseUrl, tls, timeoutMs = TIMEOUT_MS }: ClientOptions,
  target: string,
  request: Omit<HttpRequest, 'signal'>,
): Promise<Fetched> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await sendHttp({ baseUrl, tls }, target, { ...request, signal });
    const retryAfter = response.headers.get('retry-after');
    const json: unknown = await response.json();
    return {
      kind: 'answered',
      status: response.status,
      json,
      retryAfterSec: retryAfter === null ? undefined : Number(retryAfter),
    };
  } catch (error) {
    // An answer that is not JSON comes from something else at this address.
    if (!(error instanceof SyntaxError)) throwProgrammingError(error);
    return unreachable(`${baseUrl}: ${reasonOf(error)}`);
  }
}

const unreachable = (message: string): { kind: 'unreachable'; message: string } => ({
  kind: 'unreachable',
  message,
});

/** `fetch` puts the actual reason into `cause`. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

/** Request bodies of the portfolio operations as clients write them, derived from the schemas that parse them. */
type PortfolioFields = Written<z.input<typeof portfolioBodySchema>>;

/** The schedule object depends on the kind of portfolio. */
type Scheduled =
  | {
      readonly portfolioType: 'TWAP';
      readonly twapTrade: NonNullable<PortfolioFields['twapTrade']>;
    }
  | {
      readonly portfolioType: 'BALANCE';
      readonly balanceTrade: NonNullable<PortfolioFields['balanceTrade']>;
    };

/** The body of submit and plan. */
type PortfolioBody = PortfolioFields & Scheduled;

type AmendBody = Written<z.input<typeof amendBodySchema>>;

type CancelAllBody = Written<z.input<typeof cancelAllBodySchema>>;
