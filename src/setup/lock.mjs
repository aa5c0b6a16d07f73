// Allows one set-up at a time per clone: a folder created atomically, with its holder's pid inside and a
// heartbeat on it. A dead holder leaves the lock behind; the first process to find it ends the dead holder's
// npm and takes over.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { endGroup, stepsEndingWithUs } from './step.mjs';

const HEARTBEAT_MS = 1_000;
const SILENT_TOO_LONG_MS = 30_000;
const RETRY_MS = 200;

/** Waits for the lock and shows which process holds it. */
export async function takeLock(stateFolder, progress) {
  const folder = join(stateFolder, 'lock');
  if (tryTake(folder)) return hold(folder);
  const holder = readHolder(folder)?.pid ?? 'unknown';
  return await progress.during(
    `waiting for another set-up of this folder, process ${holder}`,
    async () => {
      for (;;) {
        if (tryTake(folder)) return hold(folder);
        if (isStale(folder)) removeStale(folder);
        else await sleep(RETRY_MS);
      }
    },
  );
}

function tryTake(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeHolder(folder);
  return true;
}

function hold(folder) {
  const heartbeat = setInterval(() => {
    writeHolder(folder);
    const now = new Date();
    utimesSync(folder, now, now);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    release() {
      clearInterval(heartbeat);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeHolder(folder) {
  const holder = { pid: process.pid, host: hostname(), groups: stepsEndingWithUs() };
  writeFileSync(join(folder, 'holder.json.new'), JSON.stringify(holder));
  renameSync(join(folder, 'holder.json.new'), join(folder, 'holder.json'));
}

function readHolder(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8'));
  } catch {
    // Unexamined: not written yet, or removed with its folder: the heartbeat decides.
    return undefined;
  }
}

function isStale(folder) {
  const holder = readHolder(folder);
  const silent = silentForMs(folder) > SILENT_TOO_LONG_MS;
  if (holder === undefined || holder.host !== hostname()) return silent;
  return silent || !isAlive(holder.pid);
}

function silentForMs(folder) {
  try {
    return Date.now() - statSync(folder).mtimeMs;
  } catch (error) {
    if (error.code === 'ENOENT') return 0;
    throw error;
  }
}

/** Renaming it first lets only one of several finders win. */
function removeStale(folder) {
  const aside = `${folder}.stale-${process.pid}-${Date.now()}`;
  try {
    renameSync(folder, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (!isStale(aside)) {
    // A faster process had already taken it over: put it back.
    renameSync(aside, folder);
    return;
  }
  const holder = readHolder(aside);
  for (const pid of holder?.host === hostname() ? holder.groups : []) {
    if (isNpm(pid)) endGroup(pid, 'SIGKILL');
  }
  rmSync(aside, { recursive: true, force: true });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Unexamined: a process that cannot be signalled for another reason is gone.
    return error.code === 'EPERM';
  }
}

/** Pids are reused: only a process that looks like npm is taken for the dead holder's. */
function isNpm(pid) {
  try {
    const words =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    return /npm/.test(words);
  } catch {
    // Unexamined: no such process, or no way to query it: leave it alone.
    return false;
  }
}
