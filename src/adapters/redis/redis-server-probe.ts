// Queries the server on a socket for its identity: the only proof of which server serves a data folder.

import { Redis } from 'ioredis';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { adjustableSettings, type RedisPersistence } from './redis-server-settings.ts';

export interface RedisServerAnswer {
  readonly pid: number;
  /** Random, new at every start of the server. */
  readonly runId: string;
  readonly version: string;
  /** The folder in which it stores its data. */
  readonly dir: string;
  /** True while it is still loading its data. */
  readonly loading: boolean;
}

/** Undefined if nothing listens there, or nothing that answers like Redis within `withinMs`. */
export async function probeRedisServer(
  socket: string,
  withinMs: number,
): Promise<RedisServerAnswer | undefined> {
  return await withConnection(socket, withinMs, async (redis) => {
    const [about, settings] = await Promise.all([redis.info(), redis.call('CONFIG', 'GET', 'dir')]);
    const fields = new Map(about.split('\r\n').map(splitOnce));
    return {
      pid: Number(fields.get('process_id')),
      runId: fields.get('run_id') ?? '',
      version: fields.get('redis_version') ?? '0',
      dir: lastWord(settings),
      loading: fields.get('loading') !== '0',
    };
  }).catch((error: unknown) => {
    throwProgrammingError(error);
    return undefined;
  });
}

/** Gives a server that was found running the settings of a new one. */
export async function settleSettings(socket: string, persistence: RedisPersistence): Promise<void> {
  await withConnection(socket, 10_000, async (redis) => {
    for (const [name, value] of adjustableSettings(persistence)) {
      await redis.call('CONFIG', 'SET', name, value);
    }
  });
}

async function withConnection<T>(
  socket: string,
  withinMs: number,
  work: (redis: Redis) => Promise<T>,
): Promise<T> {
  const redis = new Redis({
    path: socket,
    lazyConnect: true,
    connectTimeout: withinMs,
    commandTimeout: withinMs,
    disconnectTimeout: 100,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Every failure also rejects the call below; without a listener ioredis prints it as unhandled.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf(':');
  return [line.slice(0, at), line.slice(at + 1)];
}

function lastWord(reply: unknown): string {
  const words = Array.isArray(reply) ? reply : Object.values(Object(reply));
  return String(words.at(-1) ?? '');
}
