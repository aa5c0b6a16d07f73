// Allows one start at a time per data folder: Redis itself would let a second server take over the first
// one's socket and file.

import { link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeWhole } from '../files/whole-file.ts';
import { processIdentity } from '../private-server/server-process.ts';

const LOOK_EVERY_MS = 20;
const WAIT_AT_MOST_MS = 70_000;

/**
 * Runs the work while no other process runs it on the folder. The lock of a dead process is taken over.
 * @throws Error if another living process holds the lock for longer than any start takes
 */
export async function withStartLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const path = join(dataDir, 'redis-server.starting');
  const claim = `${path}.${process.pid}.${++claims}`;
  try {
    writeWhole(claim, `${process.pid} ${processIdentity(process.pid)}`, { mode: 0o644 });
    await acquire(path, claim);
  } finally {
    await rm(claim, { force: true });
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

let claims = 0;

/** A hard link appears with its content in one step, so a lock is never seen without its holder's pid. */
async function acquire(path: string, claim: string): Promise<void> {
  const deadline = performance.now() + WAIT_AT_MOST_MS;
  while (!(await linked(claim, path))) {
    // Unexamined: a lock that cannot be read is tried again until the deadline, which names it.
    const holder = await readFile(path, 'utf8').catch(() => undefined);
    if (holder !== undefined && isGone(holder)) {
      await rm(path, { force: true });
      continue;
    }
    if (performance.now() > deadline) {
      throw new Error(
        `process ${holder?.split(' ')[0]} has been starting Redis for too long; end it, or remove ${path}`,
      );
    }
    await sleep(LOOK_EVERY_MS);
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isGone(holder: string): boolean {
  const [pid, ...identity] = holder.split(' ');
  return processIdentity(Number(pid)) !== identity.join(' ');
}
