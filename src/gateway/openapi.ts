// The OpenAPI document, made from the schemas that validate, so that it cannot say anything else.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { NONCE_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER } from './credentials.ts';
import { addExamples, type OpenApiDocument } from './openapi-examples.ts';

const header = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'header', name, description }) as const;

/** To be called before the routes are declared. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'twapd',
        version,
        description: 'Executes large orders over time. Business refusals are HTTP 200, succ false.',
      },
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'The API key' },
          timestamp: header(TIMESTAMP_HEADER, 'Unix milliseconds, within 15 s of the server'),
          nonce: header(NONCE_HEADER, 'Unique for every request, best a UUID'),
          signature: header(
            SIGNATURE_HEADER,
            'base64(HMAC-SHA256(base64decode(secret), timestamp + LF + nonce))',
          ),
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: (documents) => {
      if (!('openapiObject' in documents)) return documents.swaggerObject;
      addExamples(documents.openapiObject as OpenApiDocument);
      return documents.openapiObject;
    },
  });
}

/** A page for people on `/docs`, made from the same document; its files come from the package. */
export async function serveDocuments(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
}

/** All four are needed for a signed route. */
export const SIGNED = [{ key: [], timestamp: [], nonce: [], signature: [] }] as const;
