// Makes a release from the commit at hand: `npm run release -- FOLDER --key KEY`. Writes into FOLDER the package, the list of its
// packages (CycloneDX), the notes from CHANGELOG.md, and the checksums of all three with a signature by an SSH key; then
// tags the commit. Nothing is pushed or published.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const SIGNED_FOR = 'twapd-release';

class Refused extends Error {}

/**
 * What the program prints.
 * @param {readonly string[]} words
 */
function output(words) {
  const [program = '', ...rest] = words;
  const { status, stdout, stderr, error } = spawnSync(program, rest, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error || status !== 0)
    throw new Refused(`${words.join(' ')} failed: ${error?.message ?? stderr.trim()}`);
  return stdout.trim();
}

/**
 * The section of the changelog about a version.
 * @param {string} version
 */
function notesOf(version) {
  const [, ...sections] = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  const found = sections.find((one) => one.startsWith(version));
  const notes = found?.slice(found.indexOf('\n')).trim();
  if (!notes)
    throw new Refused(
      `CHANGELOG.md says nothing about ${version}; accepted: a section "## ${version}" with what changes for users`,
    );
  return `# twapd ${version}\n\n${notes}\n`;
}

/** @param {readonly string[]} words */
function release(words) {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { key: { type: 'string' } },
    allowPositionals: true,
  });
  const [given] = positionals;
  const { key } = values;
  if (given === undefined || positionals.length > 1 || key === undefined)
    throw new Refused('accepted: npm run release -- FOLDER --key FILE, an SSH key to sign with');
  if (!existsSync(key)) throw new Refused(`--key ${key}: there is no such file`);
  const folder = resolve(given);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Refused(`${given} is not empty; accepted: a new or empty folder`);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const tag = `v${version}`;
  if (output(['git', 'status', '--porcelain']) !== '')
    throw new Refused('there are changes that are in no commit; accepted: a clean working tree');
  if (output(['git', 'tag', '--list', tag]) !== '')
    throw new Refused(`${tag} exists; accepted: a version in package.json without a tag`);
  const notes = notesOf(version);
  mkdirSync(folder, { recursive: true });
  output(['npm', 'pack', '--pack-destination', folder]);
  const sbom = ['npm', 'sbom', '--package-lock-only', '--omit=dev'];
  writeFileSync(
    join(folder, 'sbom.cdx.json'),
    output([...sbom, '--sbom-format=cyclonedx', '--sbom-type=application']),
  );
  writeFileSync(join(folder, 'NOTES.md'), notes);
  const sums = readdirSync(folder)
    .sort()
    .map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  const list = join(folder, 'SHA256SUMS');
  writeFileSync(list, sums.join(''));
  output(['ssh-keygen', '-q', '-Y', 'sign', '-n', SIGNED_FOR, '-f', key, list]);
  output([
    'git',
    'tag',
    '--annotate',
    tag,
    '--file',
    join(folder, 'NOTES.md'),
    '--cleanup=verbatim',
  ]);
  process.stdout.write(
    `${tag} is tagged; ${folder} has\n${readdirSync(folder).sort().join('\n')}\nto publish: git push origin ${tag}, then upload the folder\n`,
  );
}

/** @param {string} path */
const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

try {
  release(process.argv.slice(2));
} catch (error) {
  const isUsage =
    error instanceof Error && 'code' in error && /^ERR_PARSE_ARGS/.test(`${error.code}`);
  if (!(error instanceof Refused) && !isUsage) throw error;
  process.stderr.write(`twapd: ${error.message}\n`);
  process.exitCode = 1;
}
