// The package of this checkout as `npm pack` makes it, and the same one under a later version, for the upgrade.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printed, StepFailed } from './printed.ts';

export interface Package {
  readonly path: string;
  readonly version: string;
}

/** Builds the checkout. */
export async function packed(folder: string): Promise<Package> {
  await run('npm', ['pack', '--pack-destination', folder]);
  return found(folder);
}

/** With the next patch version, and nothing else in it changed. */
export async function nextVersion({ path }: Package, folder: string): Promise<Package> {
  const tree = join(folder, 'tree');
  mkdirSync(tree, { recursive: true });
  await run('tar', ['-xzf', path, '-C', tree]);
  const file = join(tree, 'package/package.json');
  const content = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  const [major, minor, patch] = content.version.split('.').map(Number);
  content.version = `${major}.${minor}.${(patch ?? 0) + 1}`;
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  await run('tar', ['-czf', join(folder, `twapd-${content.version}.tgz`), '-C', tree, 'package']);
  return found(folder);
}

function found(folder: string): Package {
  const name = readdirSync(folder).find((one) => one.endsWith('.tgz')) ?? '';
  const version = /^twapd-(.+)\.tgz$/.exec(name)?.[1];
  if (version === undefined) throw new StepFailed(`no package in ${folder}`);
  return { path: join(folder, name), version };
}

const run = (program: string, words: readonly string[]): Promise<unknown> =>
  printed(spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] }));
