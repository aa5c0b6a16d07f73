// Parses `[--quiet] [--test] <entry> <arguments>`: what to run, and whether it needs Redis.
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Commands that only read need packages but no Redis; starting the daemon, tests and benchmarks do.
 * @param {string[]} words the words after the script's own name
 */
export function readInvocation(words) {
  const flags = new Set();
  let first = 0;
  while (words[first]?.startsWith('--')) flags.add(words[first++]);
  const entry = words[first];
  if (entry === undefined) {
    process.stderr.write(
      'twapd: usage: node src/setup/run.mjs [--quiet] [--test] <entry> [arguments]\n',
    );
    process.exit(2);
  }
  const args = words.slice(first + 1);
  const test = flags.has('--test');
  return {
    root: ROOT,
    entry: resolve(ROOT, entry),
    args,
    quiet: flags.has('--quiet'),
    test,
    needsRedis: test || entry.startsWith('bench/') || args[0] === 'start',
    stateFolder: join(ROOT, '.twapd-setup'),
  };
}
