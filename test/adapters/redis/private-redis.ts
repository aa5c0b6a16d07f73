// A Redis server that one test may kill, freeze and wipe, on a port and in a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findRedisProgram } from '../../../src/adapters/redis/redis-server-program.ts';

export interface PrivateRedis {
  readonly url: string;
  readonly port: number;
  /** Starts it, always on the same port; resolves once it answers. */
  start(): Promise<void>;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Runs one command on a connection of its own. */
  run(command: string, ...args: string[]): Promise<unknown>;
  end(): Promise<void>;
}

export async function privateRedis(settings: readonly string[] = []): Promise<PrivateRedis> {
  const program = findRedisProgram();
  const folder = await mkdtemp(join(tmpdir(), 'twapd-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const where = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder];
    const how = ['--save', '', '--hz', '100', '--maxmemory-policy', 'noeviction', ...settings];
    child = spawn(program, [...where, ...how], { stdio: 'ignore' });
    const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    await client.ping();
    client.disconnect();
  };
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    url,
    port,
    start,
    kill,
    signal: (signal) => {
      child?.kill(signal);
    },
    run: async (command, ...args) => {
      const client = new Redis(url);
      try {
        return await client.call(command, ...args);
      } finally {
        client.disconnect();
      }
    },
    end: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
