// Installs the newest versions of the packages whose clients run in the tests, in a folder of their own, and runs the same
// programs with them. Where they cannot be had it says so and ends with a failure: what was not run has not passed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const PACKAGES = ['ccxt', 'tardis-dev', 'ws'];
const INSTALL_MS_MAX = 600_000;

const folder = mkdtempSync(join(tmpdir(), 'twapd-newest-clients-'));
const say = (line: string): void => void process.stderr.write(`${line}\n`);

function install(): boolean {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, error } = spawnSync(
    'npm',
    [...words, ...PACKAGES.map((one) => `${one}@latest`)],
    {
      cwd: folder,
      stdio: 'inherit',
      timeout: INSTALL_MS_MAX,
    },
  );
  return error === undefined && status === 0;
}

const versionOf = (name: string): string => {
  const text = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return `${name} ${(JSON.parse(text) as { version: string }).version}`;
};

function run(): number {
  if (!install()) {
    say(
      `the newest ${PACKAGES.join(', ')} were NOT RUN: npm could not install them; is the registry reachable?`,
    );
    return 1;
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
