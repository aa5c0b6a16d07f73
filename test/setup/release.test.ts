// A release, made in a small repository with the real git, npm and ssh-keygen, and verified as its users verify it.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let clone: string;
let key: string;

const run = (words: readonly string[], input = '', cwd = clone) => {
  const [program = '', ...rest] = words;
  const { status, stdout, stderr } = spawnSync(program, rest, { cwd, encoding: 'utf8', input });
  return { code: status, out: stdout.trim(), err: stderr.trim() };
};
const git = (...words: readonly string[]) => run(['git', ...words]);

function commit(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(clone, name), text);
  git('add', '-A');
  git('commit', '-q', '-m', 'change');
}

const release = (...words: readonly string[]) =>
  run([process.execPath, join(clone, 'src/setup/release.mjs'), ...words]);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-release-'));
  clone = join(folder, 'clone');
  key = join(folder, 'key');
  mkdirSync(join(clone, 'src/setup'), { recursive: true });
  cpSync(join(ROOT, 'src/setup/release.mjs'), join(clone, 'src/setup/release.mjs'));
  run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', 'release', '-f', key], '', folder);
  git('init', '-q');
  git('config', 'user.name', 'maintainer');
  git('config', 'user.email', 'maintainer@example.com');
  const root = { name: 'twapd', version: '1.2.3' };
  commit({
    'package.json': JSON.stringify({ ...root, license: 'Apache-2.0', files: ['src'] }),
    'package-lock.json': JSON.stringify({ ...root, lockfileVersion: 3, packages: { '': root } }),
    'CHANGELOG.md':
      '# Changelog\n\n## 1.2.3 (2026-12-01)\n\n### Changed\n\n- `list` is quicker.\n\n## 1.2.2\n\n- Old.\n',
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a release has the package, its notes and packages, signed checksums of them, and a tag with the notes', () => {
  const made = join(folder, 'made');
  const { code, err } = release(made, '--key', key);
  expect([code, err]).toEqual([0, '']);
  expect(readdirSync(made).sort()).toEqual(
    ['NOTES.md', 'SHA256SUMS', 'SHA256SUMS.sig', 'sbom.cdx.json', 'twapd-1.2.3.tgz'].sort(),
  );
  expect(run(['sha256sum', '--check', '--strict', 'SHA256SUMS'], '', made).code).toBe(0);
  const [type = '', text = ''] = readFileSync(`${key}.pub`, 'utf8').split(' ');
  writeFileSync(join(folder, 'signers'), `release ${type} ${text}\n`);
  const verify = ['ssh-keygen', '-Y', 'verify', '-n', 'twapd-release', '-I', 'release'];
  const verified = (sums: string) =>
    run([...verify, '-f', join(folder, 'signers'), '-s', join(made, 'SHA256SUMS.sig')], sums).code;
  const sums = readFileSync(join(made, 'SHA256SUMS'), 'utf8');
  expect(verified(sums)).toBe(0);
  expect(verified(sums.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))).not.toBe(0);
  expect(readFileSync(join(made, 'NOTES.md'), 'utf8')).toContain('`list` is quicker.');
  expect(readFileSync(join(made, 'NOTES.md'), 'utf8')).not.toContain('Old.');
  expect(git('rev-list', '-n', '1', 'v1.2.3').out).toBe(git('rev-parse', 'HEAD').out);
  expect(git('tag', '-l', '--format=%(contents)', 'v1.2.3').out).toContain('`list` is quicker.');
});

test.each<[string, (made: string) => readonly string[], string]>([
  ['without a key', (made) => [made], 'accepted: npm run release -- FOLDER --key FILE'],
  [
    'with a key that is not there',
    (made) => [made, '--key', 'none'],
    '--key none: there is no such file',
  ],
  ['with an option that it has not', (made) => [made, '--sideways'], '--sideways'],
])('a release %s is refused, and leaves no tag', (_, words, fault) => {
  const { code, err } = release(...words(join(folder, 'made')));
  expect(code).toBe(1);
  expect(err).toContain(fault);
  expect(git('tag').out).toBe('');
});

test('a release of changes that are in no commit is refused', () => {
  writeFileSync(join(clone, 'package.json'), '{"version":"1.2.3"}');
  expect(release(join(folder, 'made'), '--key', key).err).toContain(
    'accepted: a clean working tree',
  );
});

test('a release of a version that the changelog does not mention is refused', () => {
  commit({ 'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- More.\n' });
  expect(release(join(folder, 'made'), '--key', key).err).toContain(
    'CHANGELOG.md says nothing about 1.2.3',
  );
  expect(git('tag').out).toBe('');
});

test('a version is released once', () => {
  git('tag', 'v1.2.3');
  expect(release(join(folder, 'made'), '--key', key).err).toContain('v1.2.3 exists');
});
