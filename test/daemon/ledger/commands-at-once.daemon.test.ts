// Ledger commands that start at the same moment, on an embedded database that no daemon runs.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { twapd } from '../../main/cli-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-at-once-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COMMANDS = ['actions --json', 'ledger status --json', 'export fills', 'keys list --json'];

test('ledger commands that start at once wait for each other, and each has its answer', async () => {
  const env = { TWAPD_DATA_DIR: folder };
  const ran = await Promise.all(COMMANDS.map((words) => twapd(words.split(' '), { env })));
  expect(ran.map(({ code, err }) => (code === 0 ? 0 : err))).toEqual(COMMANDS.map(() => 0));
  expect(readdirSync(folder).filter((name) => name.startsWith('daemon.lock'))).toEqual([]);
}, 300_000);
