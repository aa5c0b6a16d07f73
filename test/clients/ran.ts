// What each client has used in the tests: kept in `ran.json`, from which the matrix in `docs/deribit-wire.md` is made.
// With TWAPD_UPDATE_RAN=1 the tests write the file instead of comparing with it.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { expect } from 'vitest';
import { isNewest } from './newest-clients.ts';
import type { RecordingFront } from './recording-front.ts';

const FILE = new URL('./ran.json', import.meta.url);

type Ran = Readonly<Record<string, readonly string[]>>;

export const ran = (): Ran => JSON.parse(readFileSync(FILE, 'utf8')) as Ran;

export function expectRan(client: string, front: RecordingFront): void {
  const used = [...(front.used.get(client) ?? [])].sort();
  if (process.env['TWAPD_UPDATE_RAN'] === '1') {
    const all = Object.entries({ ...ran(), [client]: used }).sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  }
  // The table is of the pinned versions; a newer one may reach the same with other methods.
  if (isNewest) expect(used).not.toEqual([]);
  else expect(used).toEqual(ran()[client]);
}
