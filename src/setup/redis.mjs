// Installs a Redis server with the system's package manager where that needs no prompt; says what to install where it does.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandFor, PACKAGE_MANAGERS } from './package-managers.mjs';
import { findRedisServer } from './redis-server-path.mjs';
import { SetUpError } from './set-up-error.mjs';
import { runStep } from './step.mjs';

const LOCKED =
  /could not get lock|unable to (acquire|lock)|is another process using it|database is locked|waiting for process/i;
const LOCKED_TRIES = 60;
const LOCKED_RETRY_MS = 3_000;

const OTHERWISE =
  'or point REDIS_URL at a running one, or TWAPD_REDIS_SERVER at a redis-server program';

/** Throws SetUpError when no server can be had without a prompt, or the package manager fails. */
export async function installRedis({ stateFolder, progress }) {
  if (process.env.TWAPD_REDIS_SERVER) {
    throw new SetUpError(
      `TWAPD_REDIS_SERVER: ${process.env.TWAPD_REDIS_SERVER} is not a program that can be run.`,
    );
  }
  const manager = PACKAGE_MANAGERS.find(({ program }) => isOnPath(program));
  if (manager === undefined) {
    throw new SetUpError(
      `a Redis server is needed: install redis (6.2 or newer) or valkey, ${OTHERWISE}.`,
    );
  }
  const prefix = await rightsPrefix(manager, stateFolder);
  if (prefix === undefined) {
    throw new SetUpError(`a Redis server is needed: run "${commandFor(manager)}", ${OTHERWISE}.`);
  }
  const command = [...prefix, 'sh', '-c', manager.script];
  const label = `installing a Redis server with ${manager.program}`;
  const output = await progress.during(label, () =>
    installPatiently(command, manager, stateFolder),
  );
  if (findRedisServer() === undefined) {
    throw new SetUpError(
      `${manager.program} installed no redis-server; run "${commandFor(manager)}", ${OTHERWISE}.`,
      output,
    );
  }
}

/** Another installation on this machine may hold the package manager's lock, or be installing the very thing. */
async function installPatiently(command, manager, stateFolder) {
  const options = {
    name: manager.program,
    logPath: join(stateFolder, 'redis.log'),
    endsWithUs: false,
  };
  for (let tries = 1; ; tries += 1) {
    const { code, output } = await runStep(command, options);
    if (code === 0 || findRedisServer() !== undefined) return output;
    if (!LOCKED.test(output) || tries === LOCKED_TRIES) {
      throw new SetUpError(
        `${manager.program} could not install a Redis server (exit ${code}); run "${commandFor(manager)}", ${OTHERWISE}.`,
        output,
      );
    }
    await sleep(LOCKED_RETRY_MS);
  }
}

/** Nothing for root (or brew, which wants no root), sudo where it asks nothing, undefined where a prompt would be needed. */
async function rightsPrefix(manager, stateFolder) {
  const isRoot = process.getuid?.() === 0;
  if (!manager.asRoot) return isRoot ? undefined : [];
  if (isRoot) return [];
  if (!isOnPath('sudo')) return undefined;
  const logPath = join(stateFolder, 'sudo.log');
  const { code } = await runStep(['sudo', '-n', 'true'], {
    name: 'sudo',
    logPath,
    endsWithUs: true,
  });
  return code === 0 ? ['sudo', '-n'] : undefined;
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}
