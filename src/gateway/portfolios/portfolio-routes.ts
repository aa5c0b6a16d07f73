// The portfolio operations over REST: declares the operations of the table as routes and wraps their answers in
// the envelope.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reject } from '../../core/rejection.ts';
import { SECOND_MS } from '../../values/instant.ts';
import { sentHeaders } from '../auth/credentials.ts';
import { forRequest } from '../http/request-scope.ts';
import { envelopeOf } from '../http/rest-answers.ts';
import { keyOf } from '../http/signed-request.ts';
import type { Started, WorkLimits } from '../http/work-limits.ts';
import type { FairTurns, Lane } from '../limits/fair-turns.ts';
import { keepPlace } from '../limits/intake.ts';
import { JSON_TYPE, success, successText } from '../wire/envelope.ts';
import { Refused } from '../wire/faults.ts';
import type {
  PortfolioAnswer,
  PortfolioCall,
  PortfolioMethod,
  PortfolioRoutes,
} from './portfolio-method.ts';
import { PORTFOLIO_METHODS } from './portfolio-methods.ts';

export const PORTFOLIO_PATH = '/tt/broker/openapi/portfolios';

/** `names`: only these operations; absent: all. */
export function servePortfolios(
  scope: FastifyInstance,
  routes: PortfolioRoutes,
  turns: FairTurns,
  names?: readonly string[],
): void {
  const lane = turns.received();
  for (const method of PORTFOLIO_METHODS) {
    const isServed = names === undefined || names.includes(method.name);
    if (isServed) serve(scope, method, { routes, lane });
  }
}

interface Serving {
  readonly routes: PortfolioRoutes;
  readonly lane: Lane;
}

function serve(scope: FastifyInstance, method: PortfolioMethod, { routes, lane }: Serving): void {
  const { name, verb, needs, summary, asked, value } = method;
  const isRead = verb === 'GET';
  scope.route({
    method: verb,
    url: `/${name}`,
    config: { lane: method.lane, needs },
    schema: {
      summary,
      ...(isRead ? { querystring: asked } : { body: asked }),
      response: envelopeOf(value),
    },
    handler: (request, reply) => {
      const input = isRead ? request.query : request.body;
      const started = begun(request, method, { input, work: routes.work });
      const call = callOf(request, routes);
      const { uid, scopes } = call.key;
      const run = (): PortfolioAnswer | Promise<PortfolioAnswer> =>
        forRequest({ method: `portfolios/${name}`, uid, scopes }, () => method.run(call, input));
      const { stopwatch } = routes.work;
      lane.push(() => keepPlace(request, answer(reply, run, { started, stopwatch })));
    },
  });
}

/**
 * Charges the estimated cost of the answer; `undefined` if it is not charged.
 * @throws Refused if the key has used up its budget of work.
 */
function begun(
  request: FastifyRequest,
  { name, costMs }: PortfolioMethod,
  { input, work }: { readonly input: unknown; readonly work: WorkLimits },
): Started | undefined {
  const leastMs = costMs?.(input as never) ?? 0;
  if (leastMs === 0) return undefined;
  // Requests of very different sizes have separate estimates.
  const size = Math.max(0, Math.ceil(Math.log2(leastMs)));
  const start = work.start({ key: keyOf(request), from: request.from }, `${name} ${size}`, leastMs);
  if (start.kind === 'started') return start;
  const message =
    'this request exceeds the remaining work budget of this key; slow down or request less';
  throw new Refused(
    [reject('too_many_requests', '', message)],
    Math.ceil(start.waitMs / SECOND_MS),
  );
}

interface Counting {
  readonly started: Started | undefined;
  readonly stopwatch: () => number;
}

function answer(
  reply: FastifyReply,
  run: () => PortfolioAnswer | Promise<PortfolioAnswer>,
  { started, stopwatch }: Counting,
): Promise<void> {
  const fromMs = stopwatch();
  let tookMs = 0;
  return new Promise<PortfolioAnswer>((resolve) => {
    resolve(run());
    tookMs = stopwatch() - fromMs;
  })
    .then((made) => {
      const sendingMs = stopwatch();
      const bytes = send(reply, made);
      started?.done(tookMs + stopwatch() - sendingMs, bytes);
    })
    .catch((error: unknown) => {
      started?.done(tookMs, 0);
      reply.send(error);
    });
}

/** Sends the answer; returns its bytes as far as known. */
function send(reply: FastifyReply, answer: PortfolioAnswer): number {
  if ('json' in answer) {
    const text = successText(answer.json);
    void reply.type(JSON_TYPE).send(text);
    return Buffer.byteLength(text);
  }
  if ('page' in answer) {
    void reply.type('text/html; charset=utf-8').send(answer.page);
    return Buffer.byteLength(answer.page);
  }
  if (answer.isRepeated) void reply.header('idempotent-replayed', 'true');
  void reply.send(success(answer.value));
  return 0;
}

const callOf = (request: FastifyRequest, routes: PortfolioRoutes): PortfolioCall => ({
  operations: routes.operations,
  accounts: routes.accounts,
  once: routes.once,
  reportOn: routes.reportOn,
  historyOf: routes.historyOf,
  courseOf: routes.courseOf,
  key: keyOf(request),
  onceKeys: sentHeaders(request.raw.rawHeaders, 'idempotency-key'),
  actsFor: (account) => {
    request.actedFor = account;
  },
});
