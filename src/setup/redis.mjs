// Installs a Redis server with apt-get if that needs no prompt; otherwise says what to install.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { aptScript } from './apt-redis.mjs';
import { findRedisServer } from './redis-server-path.mjs';
import { SetUpError } from './set-up-error.mjs';
import { runStep } from './step.mjs';

const COMMAND = 'sudo apt-get install redis-server';
const LOCKED = /could not get lock|unable to (acquire|lock)|is another process using it/i;
const LOCKED_TRIES = 60;
const LOCKED_RETRY_MS = 3_000;

const OTHERWISE =
  'or point REDIS_URL at a running one, or TWAPD_REDIS_SERVER at a redis-server program';

/** What a user who may not install packages can do, as a shell takes it. */
const WITHOUT_ROOT = `
Without the rights to install it, one of these:
  REDIS_URL=redis://HOST:6379/0 npm start        # one that runs elsewhere, 6.2 or newer
  curl -fsSL https://download.redis.io/redis-stable.tar.gz | tar xz && make -C redis-stable MALLOC=libc
  TWAPD_REDIS_SERVER=$PWD/redis-stable/src/redis-server npm start        # from source, in your own folder
Nothing was installed.`;

/**
 * The words before a command that installs packages without a prompt. Asked before anything is installed, so that nobody waits
 * for packages first; throws SetUpError if there is no way.
 * @param {object} context stateFolder; env stands for this machine's where given
 */
export async function redisMeans({ stateFolder, env = process.env }) {
  if (env.TWAPD_REDIS_SERVER) {
    throw new SetUpError(
      `TWAPD_REDIS_SERVER: ${env.TWAPD_REDIS_SERVER} is not a program that can be run.`,
    );
  }
  if (!isOnPath('apt-get', env)) {
    throw new SetUpError(
      `a Redis server is needed: install redis (6.2 or newer) or valkey with the package manager of this system, ${OTHERWISE}.${WITHOUT_ROOT}`,
    );
  }
  const rights = await wordsForRights({ stateFolder, env });
  if (rights === undefined) {
    throw new SetUpError(
      `a Redis server is needed: run "${COMMAND}", ${OTHERWISE}.${WITHOUT_ROOT}`,
    );
  }
  return rights;
}

/**
 * Throws SetUpError when no server can be had without a prompt, or apt-get fails.
 * @param {object} context stateFolder, progress; env, findServer and policyPath stand for this machine's where given
 */
export async function installRedis(context) {
  const { stateFolder, progress, env = process.env, policyPath } = context;
  const findServer = context.findServer ?? (() => findRedisServer(env));
  const rights = await redisMeans({ stateFolder, env });
  const command = [...rights, '/bin/sh', '-c', aptScript(policyPath)];
  await progress.during('installing a Redis server with apt-get', () =>
    installPatiently(command, { stateFolder, env, findServer }),
  );
}

/** Another installation on this machine may hold the lock of apt-get, or be installing the same package. */
async function installPatiently(command, { stateFolder, env, findServer }) {
  const logPath = join(stateFolder, 'redis.log');
  for (let tries = 1; ; tries += 1) {
    const options = { name: 'apt-get', logPath, env, endsWithUs: false };
    const { code, output } = await runStep(command, options);
    if (findServer() !== undefined) return;
    if (code === 0 || !LOCKED.test(output) || tries === LOCKED_TRIES) {
      const how = code === 0 ? 'brought no' : `(exit ${code}) could not install a`;
      throw new SetUpError(`apt-get ${how} redis-server; run "${COMMAND}", ${OTHERWISE}.`, output);
    }
    await sleep(LOCKED_RETRY_MS);
  }
}

/** Empty for root, sudo if it needs no password, undefined if a prompt would be needed. */
async function wordsForRights({ stateFolder, env }) {
  if (process.getuid?.() === 0) return [];
  if (!isOnPath('sudo', env)) return undefined;
  const logPath = join(stateFolder, 'sudo.log');
  const options = { name: 'sudo', logPath, env, endsWithUs: true };
  const { code } = await runStep(['sudo', '-n', 'true'], options);
  return code === 0 ? ['sudo', '-n'] : undefined;
}

function isOnPath(program, env) {
  return (env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      // Unexamined: a file that cannot be run is no program.
      return false;
    }
  });
}
