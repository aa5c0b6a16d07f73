// The image of a release: run as people run it, with a program in the place of the container engine that shows its arguments.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
let folder: string;
let clone: string;

const git = (...words: readonly string[]): string =>
  spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words], {
    cwd: clone,
    encoding: 'utf8',
  }).stdout.trim();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-release-'));
  clone = join(folder, 'clone');
  mkdirSync(join(clone, 'src/setup'), { recursive: true });
  cpSync(join(ROOT, 'src/setup/release-image.mjs'), join(clone, 'src/setup/release-image.mjs'));
  writeFileSync(join(clone, 'package.json'), '{"version":"1.2.3"}');
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell reads it.
  writeFileSync(join(folder, 'engine'), '#!/bin/sh\nprintf "%s\\n" "$@"\nexit "${CODE:-0}"\n', {
    mode: 0o755,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function released(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(clone, 'src/setup/release-image.mjs'), ...words],
    { encoding: 'utf8', env: { ...process.env, ENGINE: join(folder, 'engine'), ...env } },
  );
  return { code: status, out: stdout, err: stderr };
}

test.each([[[]], [['node:24-slim']], [['node@sha256:abc']], [['node:24-slim@sha256:']]])(
  'a release on the base %j is refused, and the engine is not run',
  (words) => {
    const { code, out, err } = released(words);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('accepted: NAME@sha256:');
  },
);

test('a release names its base, version and commit in labels', () => {
  const { code, out } = released([`node:24-slim@${DIGEST}`]);
  expect(code).toBe(0);
  const lines = out.split('\n');
  expect(lines).toContain(`NODE_IMAGE=node:24-slim@${DIGEST}`);
  for (const label of [
    'version=1.2.3',
    `revision=${git('rev-parse', 'HEAD')}`,
    'base.name=node:24-slim',
    `base.digest=${DIGEST}`,
  ]) {
    expect(lines).toContain(`org.opencontainers.image.${label}`);
  }
  expect(lines).toContain('twapd:1.2.3');
});

test('a failing build fails the release', () => {
  expect(released([`node@${DIGEST}`], { CODE: '7' }).code).toBe(7);
});

test('changes that are in no commit are refused', () => {
  writeFileSync(join(clone, 'more'), '');
  const { code, err } = released([`node@${DIGEST}`]);
  rmSync(join(clone, 'more'));
  expect([code, err]).toEqual([1, expect.stringContaining('a clean working tree')]);
});
