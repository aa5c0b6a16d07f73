// Redis and PostgreSQL: those of the configuration, or private ones beside each other in the data folder.
import { checkRedis } from '../adapters/bullmq/check-redis.ts';
import { startEmbeddedPostgres } from '../adapters/postgres/embedded-postgres.ts';
import { startRedisServer } from '../adapters/redis/redis-server.ts';
import type { Config } from './config/config.ts';
import type { DataDir } from './data-dir.ts';

export interface StoreLog {
  info(message: string): void;
  warn(message: string): void;
}

export interface Stores {
  readonly redisUrl: string;
  readonly databaseUrl: string;
  /** Ends what was started here; addresses of the configuration are left alone. */
  stop(): Promise<void>;
}

export class StoreUnfit extends Error {
  override readonly name = 'StoreUnfit';
}

type StopStore = () => Promise<void>;
const nothing: StopStore = () => Promise.resolve();

export async function openStores(config: Config, dataDir: DataDir, log: StoreLog): Promise<Stores> {
  const opened = await Promise.allSettled([
    openRedis(config, dataDir, log),
    openDatabase(config, dataDir, log),
  ]);
  const [redis, database] = opened;
  if (redis.status === 'fulfilled' && database.status === 'fulfilled') {
    const stop = async (): Promise<void> => {
      await Promise.allSettled([redis.value.stop(), database.value.stop()]);
    };
    return { redisUrl: redis.value.url, databaseUrl: database.value.url, stop };
  }
  for (const one of opened) if (one.status === 'fulfilled') await one.value.stop();
  throw redis.status === 'rejected' ? redis.reason : (database as PromiseRejectedResult).reason;
}

async function openRedis(config: Config, dataDir: DataDir, log: StoreLog) {
  const given = config.redis.url?.reveal();
  // Nothing in it is worth a disk's time: every start asks again for every wake.
  const own = { dataDir: dataDir.redis, log, persistence: 'none' } as const;
  const server = given === undefined ? await startRedisServer(own) : undefined;
  const url = given ?? server?.url ?? '';
  const faults = await checkRedis(url);
  for (const { severity, text } of faults) if (severity === 'warning') log.warn(text);
  const fatal = faults.filter(({ severity }) => severity === 'fatal');
  if (fatal.length > 0) {
    await server?.stop();
    throw new StoreUnfit(fatal.map(({ text }) => text).join('; '));
  }
  return { url, stop: server === undefined ? nothing : () => server.stop() };
}

async function openDatabase(config: Config, dataDir: DataDir, log: StoreLog) {
  const given = config.database.url?.reveal();
  if (given !== undefined) return { url: given, stop: nothing };
  const server = await startEmbeddedPostgres({ dataDir: dataDir.postgres, log });
  return { url: server.connectionString, stop: () => server.stop() };
}
