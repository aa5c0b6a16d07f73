// The portfolio operations over REST: the table's operations as routes. What an answer is made of is the
// operation's business; here it gets its envelope.
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AsciiJson } from './ascii-json.ts';
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
  if ('json' in answer) return sendText(reply, successText(answer.json));
  if (answer.isRepeated) void reply.header('idempotent-replayed', 'true');
  void reply.send(success(answer.value));
}

/** Past the framework, which would put the text together to count its bytes, and HTTP then once more behind its header. */
function sendText(reply: FastifyReply, text: AsciiJson): void {
  const { raw } = reply.headers({ 'content-type': JSON_TYPE, 'content-length': text.length });
  reply.hijack();
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders).end(text, 'latin1');
}

const callOf = (request: FastifyRequest, routes: PortfolioRoutes): PortfolioCall => ({
  operations: routes.operations,
  accounts: routes.accounts,
  once: routes.once,
  key: keyOf(request),
  onceKeys: sentHeaders(request.raw.rawHeaders, 'idempotency-key'),
  actsFor: (account) => {
    request.actedFor = account;
  },
});
