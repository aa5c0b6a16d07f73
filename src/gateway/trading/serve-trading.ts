// Declares operations of trading switches and overrides as REST routes and wraps their answers in the envelope.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forRequest } from '../http/request-scope.ts';
import { envelopeOf } from '../http/rest-answers.ts';
import { keyOf } from '../http/signed-request.ts';
import { success } from '../wire/envelope.ts';
import type { Caller, TradingMethod } from './trading-method.ts';

export const TRADING_PATH = '/tt/broker/openapi/trading';

export function serveTrading<C>(
  scope: FastifyInstance,
  methods: readonly TradingMethod<C>[],
  around: C,
): void {
  for (const method of methods) {
    const { name, verb, lane, needs, summary, asked, value } = method;
    const isRead = verb === 'GET';
    scope.route({
      method: verb,
      url: `/${name}`,
      config: { lane, needs },
      schema: {
        summary,
        ...(asked && (isRead ? { querystring: asked } : { body: asked })),
        response: envelopeOf(value),
      },
      handler: async (request) => {
        const caller = callerOf(request);
        const { uid, scopes } = caller.key;
        const input = isRead ? request.query : request.body;
        const run = () => method.run({ ...around, ...caller }, input);
        return success(await forRequest({ method: `trading/${name}`, uid, scopes }, run));
      },
    });
  }
}

const callerOf = (request: FastifyRequest): Caller => ({
  key: keyOf(request),
  actsFor: (account) => {
    request.actedFor = account;
  },
});
