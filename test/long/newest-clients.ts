// Installs the newest versions of the packages whose clients run in the tests, in a folder of their own, and runs the same
// programs with them. Where no registry can be reached it says so and cannot run: what was not run has neither passed nor failed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { CANNOT_RUN } from './task-run.ts';

const PACKAGES = ['ccxt', 'tardis-dev', 'ws'];
const INSTALL_MS_MAX = 600_000;

const folder = mkdtempSync(join(tmpdir(), 'twapd-newest-clients-'));
const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** What npm says where nothing answers at the address of the registry. */
const UNREACHED =
  /npm error code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)/;

function install(): 'installed' | 'failed' | 'no registry' {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  // Below `npm run -s` npm is silent, and says no reason.
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error, stderr } = spawnSync(
    'npm',
    [...words, ...PACKAGES.map((one) => `${one}@latest`)],
    {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
      timeout: INSTALL_MS_MAX,
    },
  );
  say(stderr);
  if (error === undefined && status === 0) return 'installed';
  return UNREACHED.test(stderr) ? 'no registry' : 'failed';
}

const versionOf = (name: string): string => {
  const text = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return `${name} ${(JSON.parse(text) as { version: string }).version}`;
};

function run(): number {
  const outcome = install();
  if (outcome !== 'installed') {
    const why =
      outcome === 'failed' ? 'npm could not install them' : 'no registry could be reached';
    say(`the newest ${PACKAGES.join(', ')} were NOT RUN: ${why}`);
    return outcome === 'failed' ? 1 : CANNOT_RUN;
  }
  say(`running ${PACKAGES.map(versionOf).join(', ')}`);
  const vitest = ['--disable-proto=delete', 'node_modules/vitest/vitest.mjs', 'run'];
  const { status } = spawnSync(
    process.execPath,
    [...vitest, 'test/clients/clients.daemon.test.ts'],
    {
      env: { ...process.env, TWAPD_NEWEST_CLIENTS: folder },
      stdio: 'inherit',
    },
  );
  return status ?? 1;
}

try {
  process.exitCode = run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
