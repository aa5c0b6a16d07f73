// The OpenAPI document, generated from the validating schemas so that the two cannot diverge.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { NONCE_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../auth/credentials.ts';
import { keepReady } from '../http/ready-documents.ts';
import { addExamples, type OpenApiDocument } from './openapi-examples.ts';

const header = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'header', name, description }) as const;

/** The groups of operations, in this order; order methods are grouped by the first part of their name. */
const GROUPS = [
  { name: 'portfolios', description: 'Submit, plan, read and change portfolios' },
  { name: 'private', description: 'Order methods of an account' },
  { name: 'public', description: 'Markets, and the session' },
  { name: 'block', description: 'Block RFQs' },
  {
    name: 'trading',
    description:
      'Trading switches, overrides of controls, the use of limits, the calling key, and the state of the deployment',
  },
  { name: 'daemon', description: 'Health and metrics, unsigned' },
] as const;

const groupOf = (url: string): string =>
  /^\/tt\/broker\/openapi\/(portfolios|trading)\//.exec(url)?.[1] ?? 'daemon';

const OPENAPI = '3.1.0';

/**
 * Must be called before the routes are declared. The result describes them in advance once the server is ready, one at a
 * time, so that what makes the document later holds up nobody for long.
 */
export async function describeRoutes(
  app: FastifyInstance,
  version: string,
): Promise<() => Iterable<void>> {
  const routes: RouteOptions[] = [];
  const inAdvance = new Map<RouteOptions, Described>();
  let isMade = false;
  await app.register(swagger, {
    openapi: {
      openapi: OPENAPI,
      info: {
        title: 'twapd',
        version,
        description: 'Executes large orders over time. Business refusals are HTTP 200, succ false.',
      },
      tags: [...GROUPS],
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'The API key' },
          timestamp: header(TIMESTAMP_HEADER, 'Unix milliseconds, within 15 s of the server'),
          nonce: header(NONCE_HEADER, 'Unique for every request, preferably a UUID'),
          signature: header(
            SIGNATURE_HEADER,
            'base64(HMAC-SHA256(base64decode(secret), timestamp + LF + nonce))',
          ),
        },
      },
    },
    transform: (input) => {
      const described = inAdvance.get(input.route) ?? jsonSchemaTransform(input);
      // The document is made of it, and another of the same routes must not be.
      inAdvance.delete(input.route);
      const { schema, url } = described;
      return { url, schema: { tags: [groupOf(url)], ...schema } };
    },
    transformObject: (documents) => {
      isMade = true;
      inAdvance.clear();
      if (!('openapiObject' in documents)) return documents.swaggerObject;
      addExamples(documents.openapiObject as OpenApiDocument);
      return documents.openapiObject;
    },
  });
  app.addHook('onRoute', (route) => void routes.push(route));
  return function* () {
    for (const route of routes) {
      if (isMade) return;
      const { schema = {}, url } = route;
      const openapiObject = { openapi: OPENAPI };
      inAdvance.set(route, jsonSchemaTransform({ schema, url, route, openapiObject }));
      yield;
    }
  };
}

type Described = ReturnType<typeof jsonSchemaTransform>;

/** Hides the top bar of the Swagger UI package, which offers documents other than ours. */
const NO_BAR = '.swagger-ui .topbar { display: none }';

/** Serves the document as a web page on `/docs`; its files come from the package. */
export async function serveDocuments(app: FastifyInstance): Promise<void> {
  await app.register((scope, _options, done) => {
    keepReady(scope);
    scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      theme: { title: 'twapd', css: [{ filename: 'twapd.css', content: NO_BAR }] },
    });
    done();
  });
}

/** All four are needed for a signed route. */
export const SIGNED = [{ key: [], timestamp: [], nonce: [], signature: [] }] as const;
