// Contract of every private server of a data folder, whatever its program.
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PrivateServer } from '../../src/adapters/private-server/private-server.ts';
import { isRunning, killStarter, startInProcess } from '../adapters/starter-process.ts';

export interface PrivateServerStage {
  /** Below src/adapters, and the function in it that starts the server. */
  readonly module: string;
  readonly function: string;
  /** The data folder of the current test. */
  readonly dataDir: () => string;
  /** Makes the data folder, so that the first start of it is as short as a later one. */
  readonly prepare: () => void;
  /** Starts it in a data folder; it is stopped after the test. */
  readonly start: (dataDir: string) => Promise<PrivateServer>;
  readonly warnings: () => readonly string[];
  /** Fails unless the server answers a query. */
  readonly query: (server: PrivateServer) => Promise<unknown>;
}

export function specifyPrivateServer(stage: PrivateServerStage): void {
  const { module, prepare, query } = stage;
  const start = (): Promise<PrivateServer> => stage.start(stage.dataDir());
  const startElsewhere = () =>
    startInProcess({ module, start: stage.function, dataDir: stage.dataDir() });

  test('the server of a killed daemon is reused, and ended by its new owner', async () => {
    prepare();
    const starter = await startElsewhere();
    await killStarter(starter);
    const server = await start();
    expect(server).toMatchObject({ reused: true, pid: starter.serverPid });
    await query(server);
    await server.stop();
    expect(isRunning(starter.serverPid)).toBe(false);
  });

  test('the server survives Ctrl-C to the whole process group of its starter', async () => {
    prepare();
    const starter = await startElsewhere();
    const ended = once(starter.child, 'exit');
    process.kill(-(starter.child.pid ?? 0), 'SIGINT');
    await ended;
    expect(await start()).toMatchObject({ reused: true, pid: starter.serverPid });
  });

  test('simultaneous callers start one server', async () => {
    const started = await Promise.all([start(), start(), start()]);
    expect(new Set(started.map((server) => server.pid)).size).toBe(1);
    expect(started.filter((server) => !server.reused)).toHaveLength(1);
  });

  test('a killed server is replaced, and stopping it leaves its successor alone', async () => {
    prepare();
    const killed = await start();
    process.kill(killed.pid, 'SIGKILL');
    const successor = await start();
    expect(successor.reused).toBe(false);
    await killed.stop();
    await query(successor);
    expect(await start()).toMatchObject({ reused: true, pid: successor.pid });
  });

  test('stop kills a server that does not respond', async () => {
    prepare();
    const wedged = await start();
    process.kill(wedged.pid, 'SIGSTOP');
    await wedged.stop(200);
    expect(isRunning(wedged.pid)).toBe(false);
    expect(stage.warnings()).toEqual([
      expect.stringContaining('did not end within 200 ms and was killed'),
    ]);
  });

  test('the server listens in a private temporary folder if the path to its own is too long', async () => {
    const deep = join(stage.dataDir(), 'deep'.repeat(30), 'with "quotes", commas and spaces?');
    const first = await stage.start(deep);
    expect(first.address).not.toContain('deep');
    await query(first);
    const second = await stage.start(deep);
    expect(second).toMatchObject({ reused: true, address: first.address });
  });
}
