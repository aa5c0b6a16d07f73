// The OpenAPI document, generated from the validating schemas so that the two cannot diverge.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
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

/** Must be called before the routes are declared. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
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
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route);
      return { url, schema: { tags: [groupOf(url)], ...schema } };
    },
    transformObject: (documents) => {
      if (!('openapiObject' in documents)) return documents.swaggerObject;
      addExamples(documents.openapiObject as OpenApiDocument);
      return documents.openapiObject;
    },
  });
}

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
