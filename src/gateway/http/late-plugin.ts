// A plugin that is loaded only after the server accepts connections, or with the first request for it: routes cannot be added
// to a server that is ready, so it gets a server of its own that never listens, and requests are handed to that one.
import Fastify, { type FastifyInstance, type FastifyPluginCallback } from 'fastify';

export interface LatePlugin {
  /** Takes the place of the plugin; hooks of the scope in which it is registered decide first who is admitted. */
  readonly plugin: FastifyPluginCallback;
  /** Loads it; resolves when it can serve. */
  load(): Promise<void>;
}

export function latePlugin(prefix: string, find: () => Promise<FastifyPluginCallback>): LatePlugin {
  let made: Promise<Served> | undefined;
  const opened = (): Promise<Served> => {
    made ??= served(prefix, find).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  const plugin: FastifyPluginCallback = (scope, _options, done) => {
    // Before a body is read: the other server reads it.
    scope.addHook('onRequest', async (request, reply) => {
      const { inner } = await opened();
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      reply.hijack();
      inner.routing(request.raw, reply.raw);
    });
    scope.addHook('onClose', async () => void (await made?.then(({ inner }) => inner.close())));
    for (const path of ['/', '/*']) scope.all(path, (_request, reply) => reply.code(404).send());
    done();
  };
  return { plugin, load: async () => void (await opened()) };
}

/** Held, for a server by itself would be taken for a promise. */
interface Served {
  readonly inner: FastifyInstance;
}

async function served(prefix: string, find: () => Promise<FastifyPluginCallback>): Promise<Served> {
  const plugin = await find();
  const inner = Fastify({ logger: false });
  await inner.register(plugin, { prefix });
  await inner.ready();
  return { inner };
}
