// Opens Redis and PostgreSQL: the configured ones, or private servers in the data folder.
import { checkRedis, type RedisFault } from '../../adapters/bullmq/check-redis.ts';
import { startEmbeddedPostgres } from '../../adapters/postgres/private-server/embedded-postgres.ts';
import { faultText } from '../../adapters/postgres/query-fault.ts';
import { whenThere } from '../../adapters/postgres/wait-for-database.ts';
import { ServerSupervisor } from '../../adapters/private-server/server-supervisor.ts';
import { startRedisServer } from '../../adapters/redis/redis-server.ts';
import type { Config } from '../config/config.ts';
import type { DataDir } from '../data-dir.ts';

export interface StoreLog {
  info(message: string): void;
  warn(message: string): void;
}

export interface Stores {
  readonly redisUrl: string;
  readonly databaseUrl: string;
  /** Stops what was started here; configured servers are left alone. */
  stop(): Promise<void>;
}

export interface StoresOptions {
  readonly config: Config;
  readonly dataDir: DataDir;
  readonly log: StoreLog;
  /** A private server restarted at an address its clients cannot find; only a restart of the process helps. */
  readonly onLost: (error: Error) => void;
}

/** Logs each failed try of a start that waits for the database. */
export const databaseAwayTo =
  (log: StoreLog) =>
  (error: unknown, pauseMs: number): void =>
    log.warn(
      `the database does not answer (${faultText(error)}); it is tried again in ${pauseMs / 1_000} s`,
    );

export class StoreUnfit extends Error {
  override readonly name = 'StoreUnfit';
}

class RedisAway extends Error {
  override readonly name = 'RedisAway';
}

type StopStore = () => Promise<void>;
const nothing: StopStore = () => Promise.resolve();

export async function openStores(parts: StoresOptions): Promise<Stores> {
  const opened = await Promise.allSettled([openRedis(parts), openDatabase(parts)]);
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

async function openRedis({ config, dataDir, log, onLost }: StoresOptions) {
  const given = config.redis.url?.reveal();
  // Nothing in it is worth persisting: every start requests every wake again.
  const own = { dataDir: dataDir.redis, log, persistence: 'none' } as const;
  const start = () => startRedisServer(own);
  const server =
    given === undefined
      ? await ServerSupervisor.open({ name: 'Redis', start, log, onLost })
      : undefined;
  const url = given ?? server?.address ?? '';
  const faults = await redisWhenThere(url, log);
  for (const { severity, text } of faults) if (severity === 'warning') log.warn(text);
  const fatal = faults.filter(({ severity }) => severity === 'fatal');
  if (fatal.length > 0) {
    await server?.stop();
    throw new StoreUnfit(fatal.map(({ text }) => text).join('; '));
  }
  return { url, stop: server === undefined ? nothing : () => server.stop() };
}

/** Its faults once it answers; each try without an answer is a line of the log. */
function redisWhenThere(url: string, log: StoreLog): Promise<readonly RedisFault[]> {
  const check = async (): Promise<readonly RedisFault[]> => {
    const faults = await checkRedis(url);
    const away = faults.find(({ kind }) => kind === 'unreachable');
    if (away !== undefined) throw new RedisAway(away.text);
    return faults;
  };
  const told = (error: unknown, pauseMs: number): void =>
    log.warn(`${(error as RedisAway).message}; it is tried again in ${pauseMs / 1_000} s`);
  return whenThere(check, told, (error) => error instanceof RedisAway);
}

async function openDatabase({ config, dataDir, log, onLost }: StoresOptions) {
  const given = config.database.url?.reveal();
  if (given !== undefined) return { url: given, stop: nothing };
  const start = () => startEmbeddedPostgres({ dataDir: dataDir.postgres, log });
  const server = await ServerSupervisor.open({ name: 'PostgreSQL', start, log, onLost });
  return { url: server.address, stop: () => server.stop() };
}
