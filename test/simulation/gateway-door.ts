// The production gateway below its sockets, as a run of the simulation opens it: credentials, scopes, bodies,
// idempotency, the operations and their answers are the gateway's own; only the framework is left out.
import { admitted } from '../../src/gateway/admitted.ts';
import { AnswerOnce } from '../../src/gateway/answer-once.ts';
import { Authenticator } from '../../src/gateway/auth.ts';
import { fromHeaders } from '../../src/gateway/credentials.ts';
import { refusal, success, successText } from '../../src/gateway/envelope.ts';
import { faultAnswer } from '../../src/gateway/fault-answer.ts';
import { Refused, readWith } from '../../src/gateway/faults.ts';
import { parseJson } from '../../src/gateway/json.ts';
import { DEFAULT_LIMITS, type Lane, type RidLane } from '../../src/gateway/limits.ts';
import type { PortfolioMethod } from '../../src/gateway/portfolio-method.ts';
import { PORTFOLIO_METHODS } from '../../src/gateway/portfolio-methods.ts';
import { answerCall } from '../../src/gateway/rid/answer-call.ts';
import { answerText, NO_RID, readBody } from '../../src/gateway/rid/envelope.ts';
import { refusalOf } from '../../src/gateway/rid/from-rejection.ts';
import { statusOf } from '../../src/gateway/rid/http-status.ts';
import { METHODS as RID_METHODS } from '../../src/gateway/rid/method-table.ts';
import { sign, signedContent } from '../../src/gateway/signature.ts';
import {
  type DoorParts,
  type FrontDoor,
  type Gateway,
  METHODS,
  PORTFOLIOS,
  type WireAnswer,
  type WireRequest,
} from '../../src/virtual/simulation/front-door.ts';

const FROM = '192.0.2.1';
const LANES = ['read', 'submit', 'cancel', 'order', 'order_cancel', 'query'] as const;
const OPERATIONS = new Map(PORTFOLIO_METHODS.map((method) => [method.name, method]));
const NAMES = { describe: (account: string) => ({ name: account, exchange: 'SIMULATED' }) };

export const gateway: Gateway = {
  open: (parts) => new GatewayDoor(parts),
  sign: (secret, stamp, bound) =>
    sign(
      secret,
      signedContent(
        stamp,
        bound && { method: bound.verb, target: bound.target, body: Buffer.from(bound.body) },
      ),
    ),
};

class GatewayDoor implements FrontDoor {
  readonly #parts: DoorParts;
  readonly #authenticator: Authenticator;
  readonly #once: AnswerOnce;

  constructor(parts: DoorParts) {
    const { now, claimNonce, kept, report, rate } = parts;
    const every = Object.fromEntries(LANES.map((lane) => [lane, rate])) as never;
    this.#parts = parts;
    this.#once = new AnswerOnce({ kept, now, report });
    this.#authenticator = new Authenticator({
      keys: { find: (id) => parts.key(id) },
      claimNonce,
      now,
      limits: {
        rates:
          rate === undefined ? { ...DEFAULT_LIMITS.rates, ...DEFAULT_LIMITS.rid.rates } : every,
        signatureWindowMs: DEFAULT_LIMITS.signatureWindowMs,
        address: DEFAULT_LIMITS.address,
      },
    });
  }

  async ask(request: WireRequest): Promise<WireAnswer> {
    const { pathname, searchParams } = new URL(request.target, 'http://door');
    if (pathname.startsWith(`${METHODS}/`)) {
      return await this.#askMethod(request, pathname.slice(METHODS.length + 1));
    }
    const operation = OPERATIONS.get(pathname.slice(PORTFOLIOS.length + 1));
    if (operation === undefined) return { status: 404, body: '' };
    try {
      return await this.#askPortfolio(request, operation, Object.fromEntries(searchParams));
    } catch (error) {
      const fault = faultAnswer(error);
      if (fault !== undefined) {
        return { status: fault.status, body: JSON.stringify(fault.envelope) };
      }
      this.#parts.report(error, request.target);
      return { status: 500, body: JSON.stringify(refusal([])) };
    }
  }

  async #askPortfolio(
    request: WireRequest,
    operation: PortfolioMethod,
    query: Readonly<Record<string, string>>,
  ): Promise<WireAnswer> {
    const key = await this.#admitted(request, operation);
    const input = request.verb === 'GET' ? query : parseJson(Buffer.from(request.body));
    const read = readWith(operation.asked, input);
    if ('rejections' in read) throw new Refused(read.rejections);
    const { operations } = this.#parts;
    const onceKeys = onceKeysOf(request);
    const call = { operations, accounts: NAMES, once: this.#once, key, onceKeys };
    const answer = await operation.run({ ...call, actsFor: () => undefined }, read.value);
    const body =
      'json' in answer ? successText(answer.json) : JSON.stringify(success(answer.value));
    return { status: 200, body };
  }

  async #askMethod(request: WireRequest, name: string): Promise<WireAnswer> {
    const method = RID_METHODS.get(name);
    if (method === undefined || method.needs === 'nothing') return { status: 404, body: '' };
    try {
      const { needs, lane } = method;
      const key = await this.#admitted(request, { needs, lane });
      const reading = readBody(parseJson(Buffer.from(request.body)), name);
      if (reading.kind === 'faulty') return answered(reading.rid, reading.refusal);
      const { orders, actions, now, report } = this.#parts;
      const [onceKey] = onceKeysOf(request) ?? [];
      const call = {
        orders,
        actions,
        once: this.#once,
        now,
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
    const verdict = await this.#authenticator.verify(presented, { lane, bound, from: FROM });
    return admitted(verdict, needs);
  }
}

const answered = (
  rid: Parameters<typeof answerText>[0],
  reply: Parameters<typeof answerText>[1],
): WireAnswer => ({ status: statusOf(reply), body: answerText(rid, reply) });

function onceKeysOf({ headers }: WireRequest): readonly string[] | undefined {
  const at = headers.indexOf('Idempotency-Key');
  return at < 0 ? undefined : headers.slice(at + 1, at + 2);
}
