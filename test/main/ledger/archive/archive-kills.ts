// Kills an archive that is under way in a process of its own, at each of its steps and at any moment.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { archiveDays, restoreDay } from '../../../../src/main/ledger/archive/archive-ledger.ts';
import type { ArchivePlace } from './archive-place.ts';
import { DAY, type EndedLedger, NEXT } from './ended-ledger.ts';

const SCRIPT = join(import.meta.dirname, 'archive-in-process.ts');
const STEPS = ['write', 'store', 'verify', 'release', 'clear', 'pack'];

/** Runs the archive in a process, which is killed after the time if it has not killed itself. */
async function archivedAndKilled(
  { connectionString }: EndedLedger,
  place: ArchivePlace,
  { fatal, afterMs }: { readonly fatal: string; readonly afterMs?: number },
): Promise<string> {
  const words = [SCRIPT, connectionString, JSON.stringify(place), NEXT, fatal];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const over = new Promise<void>((resolve) => child.once('close', () => resolve()));
  if (afterMs !== undefined) {
    // From its first step on, for a start takes long.
    await Promise.race([over, new Promise((resolve) => child.stdout.once('data', resolve))]);
    await sleep(afterMs);
    child.kill('SIGKILL');
  }
  await over;
  return said;
}

/** A killed process holds its lock until the server has noticed. */
async function lockIsFree({ client }: EndedLedger): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `SELECT count(*)::int AS others FROM pg_stat_activity WHERE application_name = 'twapd archive' AND datname = current_database()`,
    );
    if (rows[0].others === 0) return;
    await sleep(20);
  }
}

/** After each kill the day is in one of both places, whole, and the next run completes what was begun. */
export async function expectNothingLost(
  on: EndedLedger,
  place: ArchivePlace,
  isInArchive: () => boolean,
): Promise<void> {
  const before = await on.rows();
  const listed = await on.listed();
  const kills = [
    ...STEPS.map((fatal) => ({ fatal })),
    ...[0, 30, 120].map((afterMs) => ({ fatal: 'none', afterMs })),
  ];
  for (const kill of kills) {
    const said = await archivedAndKilled(on, place, kill);
    if (kill.fatal !== 'none') expect(said).toContain(kill.fatal);
    await lockIsFree(on);
    const { rows } = await on.client.query('SELECT is_cleared FROM archived_day');
    if (rows.length === 0) expect(await on.rows()).toEqual(before);
    else expect(isInArchive()).toBe(true);
    expect(await on.listed()).toEqual(listed);
    await archiveDays(on.options(), NEXT);
    expect(await on.held()).toBe(0);
    expect(await on.listed()).toEqual(listed);
    expect((await on.audited(on.files)).findings).toEqual([]);
    await restoreDay(on.options(), DAY);
    expect(await on.rows()).toEqual(before);
  }
}
