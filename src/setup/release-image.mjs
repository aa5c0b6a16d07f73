// Builds the image of a release: from a base that is named by digest, of a commit without further changes, with labels that say
// both. `npm run release:image -- NODE_IMAGE@sha256:… [TAG]`; ENGINE names another program than docker.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const BY_DIGEST = /^[\w.:/-]+@(sha256:[0-9a-f]{64})$/;

class Refused extends Error {}

/** @param {readonly string[]} words */
function output(words) {
  const [program = '', ...rest] = words;
  const { status, stdout, error } = spawnSync(program, rest, { cwd: ROOT, encoding: 'utf8' });
  if (error || status !== 0)
    throw new Refused(`${words.join(' ')} failed; accepted: a clone with git`);
  return stdout.trim();
}

/**
 * The arguments with which the engine builds the image.
 * @param {string | undefined} base
 * @param {string | undefined} tag
 */
function buildArguments(base, tag) {
  const digest = BY_DIGEST.exec(base ?? '')?.[1];
  if (base === undefined || digest === undefined) {
    throw new Refused(
      `the base ${base ?? '(none)'} has no digest, so that nobody could say what is in the image; accepted: NAME@sha256:… as shown by: docker buildx imagetools inspect node:24-slim`,
    );
  }
  if (output(['git', 'status', '--porcelain']) !== '') {
    throw new Refused('there are changes that are in no commit; accepted: a clean working tree');
  }
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const labels = {
    version,
    revision: output(['git', 'rev-parse', 'HEAD']),
    created: new Date(output(['git', 'show', '-s', '--format=%cI', 'HEAD'])).toISOString(),
    'base.name': base.split('@')[0],
    'base.digest': digest,
  };
  return [
    'build',
    '--pull',
    '--build-arg',
    `NODE_IMAGE=${base}`,
    ...Object.entries(labels).flatMap(([name, text]) => [
      '--label',
      `org.opencontainers.image.${name}=${text}`,
    ]),
    '--tag',
    tag ?? `twapd:${version}`,
    '.',
  ];
}

try {
  const [base, tag] = process.argv.slice(2);
  const words = buildArguments(base, tag);
  const { status, error } = spawnSync(process.env.ENGINE ?? 'docker', words, {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (error) throw new Refused(`${process.env.ENGINE ?? 'docker'} cannot be run: ${error.message}`);
  process.exitCode = status ?? 1;
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  process.stderr.write(`twapd: ${error.message}\n`);
  process.exitCode = 1;
}
