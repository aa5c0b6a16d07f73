// The descriptions for programs, on `/openapi.json` and `/asyncapi.json`: made when they are first requested, or in advance
// in steps between which the process does other things.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { keepReady } from '../http/ready-documents.ts';
import { JSON_TYPE } from '../wire/envelope.ts';
import { asyncApi, describeMethods } from './asyncapi.ts';

export interface DescriptionOptions {
  readonly version: string;
  readonly hasPortfolios: boolean;
  /** Describes the routes, one at a time. */
  readonly describedRoutes: () => Iterable<void>;
}

export interface Descriptions {
  /** Resolves when they are made, once the server is ready; or when `prepareNoMore` is called. */
  prepare(): Promise<void>;
  prepareNoMore(): void;
}

export async function serveDescriptions(
  app: FastifyInstance,
  { version, hasPortfolios, describedRoutes }: DescriptionOptions,
): Promise<Descriptions> {
  const documents = {
    '/openapi.json': madeOnce(() => JSON.stringify(app.swagger())),
    '/asyncapi.json': madeOnce(() => JSON.stringify(asyncApi(version, hasPortfolios))),
  };
  await app.register((open, _options, done) => {
    keepReady(open);
    for (const [path, text] of Object.entries(documents)) {
      open.get(path, { schema: { hide: true } }, (_request, reply) =>
        reply.type(JSON_TYPE).send(text()),
      );
    }
    done();
  });
  let isOver = false;
  return {
    prepare: async () => {
      await app.ready();
      for (const steps of [describedRoutes(), describeMethods()]) {
        for (const _ of steps) {
          await nextTurn();
          if (isOver) return;
        }
      }
      for (const text of Object.values(documents)) text();
    },
    prepareNoMore: () => {
      isOver = true;
    },
  };
}

function madeOnce(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
