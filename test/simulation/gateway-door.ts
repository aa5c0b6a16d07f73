// The production gateway without its sockets, as a run of the simulation uses it: credentials, scopes, bodies,
// idempotency, operations and answers are the gateway's own; only the web framework is left out.

import { reject } from '../../src/core/rejection.ts';
import { tradingApi } from '../../src/engine/api/switch-operations.ts';
import type { EngineApi } from '../../src/engine/interface/engine-api.ts';
import { NEVER_SWITCHED } from '../../src/engine/kill-switch/trading-switches.ts';
import { remoteEngine } from '../../src/engine/link/remote-engine.ts';
import { serveLine } from '../../src/engine/link/serve-line.ts';
import { Authenticator } from '../../src/gateway/auth/auth.ts';
import { fromHeaders } from '../../src/gateway/auth/credentials.ts';
import { KeySeal } from '../../src/gateway/auth/key-seal.ts';
import { KeysInForce } from '../../src/gateway/auth/keys-in-force.ts';
import { admitted } from '../../src/gateway/auth/require-account.ts';
import { sign, signedContent } from '../../src/gateway/auth/signature.ts';
import { Desks } from '../../src/gateway/desks/desks.ts';
import { IdempotencyStore } from '../../src/gateway/http/idempotency.ts';
import {
  DEFAULT_LIMITS,
  type GatewayLimits,
  type Lane,
  type RidLane,
} from '../../src/gateway/limits/limits.ts';
import { LiveLimits } from '../../src/gateway/limits/live-limits.ts';
import { answerCall } from '../../src/gateway/order-api/answer-call.ts';
import { refusalOf } from '../../src/gateway/order-api/from-rejection.ts';
import { statusOf } from '../../src/gateway/order-api/http-status.ts';
import { answerText, NO_RID, readBody } from '../../src/gateway/order-api/method-envelope.ts';
import { METHODS as RID_METHODS } from '../../src/gateway/order-api/method-table.ts';
import type { PortfolioMethod } from '../../src/gateway/portfolios/portfolio-method.ts';
import { PORTFOLIO_METHODS } from '../../src/gateway/portfolios/portfolio-methods.ts';
import { OVERRIDE_METHODS } from '../../src/gateway/trading/override-methods.ts';
import { SWITCH_METHODS } from '../../src/gateway/trading/switch-methods.ts';
import type { Caller, TradingMethod } from '../../src/gateway/trading/trading-method.ts';
import { refusal, success, successText } from '../../src/gateway/wire/envelope.ts';
import { faultAnswer } from '../../src/gateway/wire/fault-answer.ts';
import { Refused, readWith } from '../../src/gateway/wire/faults.ts';
import { parseJson } from '../../src/gateway/wire/json.ts';
import type { Asker } from '../../src/ports/deployment/engine-line.ts';
import { throwProgrammingError } from '../../src/values/errors/programming-error.ts';
import { later } from '../../src/values/instant.ts';
import { BELIEVING, UNLIMITED, UNPACED } from '../doubles/lone-api.ts';
import { MemoryEngineLine } from '../doubles/memory/memory-engine-line.ts';
import {
  type DoorParts,
  type DoorRate,
  type FrontDoor,
  type Gateway,
  METHODS,
  PORTFOLIOS,
  TRADING,
  type WireAnswer,
  type WireRequest,
} from './actors/front-door.ts';

const FROM = '192.0.2.1';
const OPERATIONS = new Map(PORTFOLIO_METHODS.map((method) => [method.name, method]));
const NAMES = { describe: (account: string) => ({ name: account, exchange: 'SIMULATED' }) };

const SEAL = new KeySeal(Buffer.alloc(32, 7).toString('base64'));
/** Half of the promised delay of a key change. */
const POLL_MS = 500;

export const gateway: Gateway = {
  open: (parts) => new GatewayDoor(parts, calls(parts)),
  seal: ({ secret, ...owner }) => SEAL.seal(secret, owner),
  sign: (secret, stamp, bound) =>
    sign(
      secret,
      signedContent(
        stamp,
        bound && { method: bound.verb, target: bound.target, body: Buffer.from(bound.body) },
      ),
    ),
};

/** The same with the engine in another process: everything crosses as text, in order. */
export const gatewayOverLine: Gateway = {
  ...gateway,
  open: (parts) => {
    const line = new MemoryEngineLine({ carry: queueMicrotask });
    const onFault = (error: unknown): void => parts.report(error, 'line');
    line.connect(serveLine({ ...BELIEVING, engine: calls(parts) as EngineApi, onFault }));
    return new GatewayDoor(
      parts,
      remoteEngine({ line, asker: () => ANYBODY, openReads: UNPACED, onFault }),
    );
  },
};

/** A key's scopes were checked before. */
const ANYBODY: Asker = { method: 'any', uid: 'simulated', scopes: ['trade', 'blockRfq', 'admin'] };

/** What a door needs of the engine. */
type Served = Omit<EngineApi, 'news' | 'strategies'>;

const calls = (parts: DoorParts): Served => ({
  ...parts.methods,
  portfolios: parts.operations,
  trading: tradingApi({
    ...UNLIMITED,
    switches: parts.switches ?? NEVER_SWITCHED,
    overrides: parts.overrides,
  }),
});

class GatewayDoor implements FrontDoor {
  readonly #parts: DoorParts;
  readonly #engine: Served;
  readonly #once: IdempotencyStore;
  readonly #orders: Desks;
  readonly #live: LiveLimits;
  readonly #trading: ReadonlyMap<string, TradingCall>;
  #rate: DoorRate | undefined;
  #authenticator: Promise<Authenticator> | undefined;

  constructor(parts: DoorParts, engine: Served) {
    const { kept, report } = parts;
    this.#parts = parts;
    this.#engine = engine;
    this.#orders = new Desks(engine);
    this.#once = new IdempotencyStore({ kept, now: this.#now, report });
    this.#rate = parts.rate();
    this.#live = new LiveLimits(limitsOf(this.#rate));
    this.#trading = new Map(tradingOf(parts, engine, this.#now));
  }

  readonly #now = () => this.#parts.clock.now();

  async request(request: WireRequest): Promise<WireAnswer> {
    this.#limitAnew();
    const { pathname, searchParams } = new URL(request.target, 'http://door');
    if (pathname.startsWith(`${METHODS}/`)) {
      return await this.#callMethod(request, pathname.slice(METHODS.length + 1));
    }
    const operation = OPERATIONS.get(pathname.slice(PORTFOLIOS.length + 1));
    const trading = this.#trading.get(pathname);
    try {
      if (trading !== undefined) return await this.#callTrading(request, trading);
      if (operation === undefined) return { status: 404, body: '' };
      return await this.#callPortfolio(request, operation, Object.fromEntries(searchParams));
    } catch (error) {
      const fault = faultAnswer(error);
      if (fault !== undefined) {
        return { status: fault.status, body: JSON.stringify(fault.envelope) };
      }
      this.#parts.report(error, request.target);
      return { status: 500, body: JSON.stringify(refusal([])) };
    }
  }

  async #callPortfolio(
    request: WireRequest,
    operation: PortfolioMethod,
    query: Readonly<Record<string, string>>,
  ): Promise<WireAnswer> {
    const key = await this.#admitted(request, operation);
    const input = request.verb === 'GET' ? query : parseJson(Buffer.from(request.body));
    const read = readWith(operation.asked, input);
    if ('rejections' in read) throw new Refused(read.rejections);
    const operations = this.#engine.portfolios;
    const onceKeys = onceKeysOf(request);
    const call = { operations, accounts: NAMES, once: this.#once, key, onceKeys };
    const answer = await operation.run({ ...call, actsFor: () => undefined }, read.value);
    if ('page' in answer) return { status: 200, body: answer.page };
    const body =
      'json' in answer ? successText(answer.json) : JSON.stringify(success(answer.value));
    return { status: 200, body };
  }

  async #callTrading(request: WireRequest, served: TradingCall): Promise<WireAnswer> {
    const key = await this.#admitted(request, served);
    const read =
      served.asked === undefined
        ? { value: undefined }
        : readWith(served.asked, parseJson(Buffer.from(request.body)));
    if ('rejections' in read) throw new Refused(read.rejections);
    const value = await served.answer({ key, actsFor: () => undefined }, read.value);
    return { status: 200, body: JSON.stringify(success(value)) };
  }

  async #callMethod(request: WireRequest, name: string): Promise<WireAnswer> {
    const method = RID_METHODS.get(name);
    if (method === undefined || method.needs === 'nothing') return { status: 404, body: '' };
    try {
      const { needs, lane } = method;
      const key = await this.#admitted(request, { needs, lane });
      const reading = readBody(parseJson(Buffer.from(request.body)), name);
      if (reading.kind === 'faulty') return answered(reading.rid, reading.refusal);
      const { actions, report } = this.#parts;
      const [onceKey] = onceKeysOf(request) ?? [];
      const call = {
        orders: this.#orders,
        actions,
        once: this.#once,
        now: this.#now,
        version: '',
        key,
        from: FROM,
        onceKey,
      };
      const take = () => undefined;
      return answered(
        reading.request.rid,
        await answerCall(call, reading.request, { take, report }),
      );
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const [first] = error.rejections;
      return first === undefined ? { status: 500, body: '' } : answered(NO_RID, refusalOf(first));
    }
  }

  async #admitted(
    { verb: method, target, body, headers }: WireRequest,
    { lane, needs }: Pick<PortfolioMethod, 'needs'> & { readonly lane: Lane | RidLane },
  ) {
    const bound = { method, target, body: Buffer.from(body) };
    const presented = fromHeaders(headers);
    const authenticator = await this.#opened();
    const verdict = await authenticator.verify(presented, { lane, bound, from: FROM });
    return admitted(verdict, needs);
  }

  /** No request is admitted before the keys are known. */
  async #opened(): Promise<Authenticator> {
    this.#authenticator ??= this.#open();
    try {
      return await this.#authenticator;
    } catch (error) {
      this.#authenticator = undefined;
      throwProgrammingError(error);
      throw new Refused([reject('unavailable', '', 'the keys cannot be read')]);
    }
  }

  async #open(): Promise<Authenticator> {
    const { keys: records, claimNonce, clock, report } = this.#parts;
    const keys = await KeysInForce.open({
      records,
      given: [],
      seal: SEAL,
      now: this.#now,
      pollMs: POLL_MS,
      report: (error) => report(error, 'keys'),
      wait: (delayMs, then) => clock.at(later(clock.now(), delayMs), then),
    });
    const { current, rates } = this.#live;
    const limits = { ...current, rates };
    return new Authenticator({ keys, claimNonce, now: this.#now, limits });
  }

  /** The configuration was reloaded. */
  #limitAnew(): void {
    const rate = this.#parts.rate();
    if (rate === this.#rate) return;
    this.#rate = rate;
    this.#live.replace(limitsOf(rate));
  }
}

/** An operation on trading switches or overrides, with what it is asked of. */
interface TradingCall extends Pick<TradingMethod<unknown>, 'lane' | 'needs' | 'asked'> {
  answer(caller: Caller, asked: unknown): unknown;
}

function tradingOf(
  parts: DoorParts,
  { trading, portfolios: operations }: Served,
  now: DoorParts['clock']['now'],
): [string, TradingCall][] {
  const lettings = served(OVERRIDE_METHODS, { trading, now });
  if (parts.switches === undefined) return lettings;
  return [...lettings, ...served(SWITCH_METHODS, { trading, operations, accounts: NAMES, now })];
}

const served = <C>(methods: readonly TradingMethod<C>[], around: C): [string, TradingCall][] =>
  methods.map((method) => {
    const { lane, needs, asked } = method;
    const answer: TradingCall['answer'] = (caller, read) =>
      method.run({ ...around, ...caller }, read);
    return [`${TRADING}/${method.name}`, { lane, needs, asked, answer }];
  });

function limitsOf(rate: DoorRate | undefined): GatewayLimits {
  if (rate === undefined) return DEFAULT_LIMITS;
  const rates = { read: rate, submit: rate, cancel: rate };
  const ridRates = { order: rate, order_cancel: rate, query: rate };
  return { ...DEFAULT_LIMITS, rates, rid: { ...DEFAULT_LIMITS.rid, rates: ridRates } };
}

const answered = (
  rid: Parameters<typeof answerText>[0],
  reply: Parameters<typeof answerText>[1],
): WireAnswer => ({ status: statusOf(reply), body: answerText(rid, reply) });

function onceKeysOf({ headers }: WireRequest): readonly string[] | undefined {
  const at = headers.indexOf('Idempotency-Key');
  return at < 0 ? undefined : headers.slice(at + 1, at + 2);
}
