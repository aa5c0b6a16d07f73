// The portfolio operations over REST: the table's operations as routes. What an answer is made of is the
// operation's business; here it gets its envelope.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sentHeaders } from './credentials.ts';
import { JSON_TYPE, success, successText } from './envelope.ts';
import type { Step } from './in-step.ts';
import type {
  PortfolioAnswer,
  PortfolioCall,
  PortfolioMethod,
  PortfolioRoutes,
} from './portfolio-method.ts';
import { PORTFOLIO_METHODS } from './portfolio-methods.ts';
import { keyOf } from './request-gate.ts';
import { envelopeOf } from './rest-answers.ts';

export const PORTFOLIO_PATH = '/tt/broker/openapi/portfolios';

/** What is asked is done in `answering`: those who ask meanwhile can be admitted before. */
export function servePortfolios(
  scope: FastifyInstance,
  routes: PortfolioRoutes,
  answering: Step,
): void {
  for (const method of PORTFOLIO_METHODS) serve(scope, method, { routes, answering });
}

interface Serving {
  readonly routes: PortfolioRoutes;
  readonly answering: Step;
}

function serve(
  scope: FastifyInstance,
  method: PortfolioMethod,
  { routes, answering }: Serving,
): void {
  const { name, verb, lane, needs, summary, asked, value } = method;
  const isRead = verb === 'GET';
  scope.route({
    method: verb,
    url: `/${name}`,
    config: { lane, needs },
    schema: {
      summary,
      ...(isRead ? { querystring: asked } : { body: asked }),
      response: envelopeOf(value),
    },
    handler: (request, reply) => {
      const input = isRead ? request.query : request.body;
      const run = (): PortfolioAnswer | Promise<PortfolioAnswer> =>
        method.run(callOf(request, routes), input);
      answering.take(() => answer(reply, run));
    },
  });
}

/** What is there at once is sent after the others of its step are done too: so answers are written in a row. */
function answer(reply: FastifyReply, run: () => PortfolioAnswer | Promise<PortfolioAnswer>): void {
  new Promise<PortfolioAnswer>((resolve) => resolve(run()))
    .then((made) => send(reply, made))
    .catch((error: unknown) => reply.send(error));
}

function send(reply: FastifyReply, answer: PortfolioAnswer): void {
  if ('json' in answer) {
    void reply.type(JSON_TYPE).send(successText(answer.json));
    return;
  }
  if (answer.isRepeated) void reply.header('idempotent-replayed', 'true');
  void reply.send(success(answer.value));
}

const callOf = (request: FastifyRequest, routes: PortfolioRoutes): PortfolioCall => ({
  ...routes,
  key: keyOf(request),
  onceKeys: sentHeaders(request.raw.rawHeaders, 'idempotency-key'),
  actsFor: (account) => {
    request.actedFor = account;
  },
});
