// Becomes the entry: in place (same pid) when this Node is new enough, else as a child of the Node that npm brought,
// with signals, exit code and terminal passed through.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { nodeProgram } from './packages-check.mjs';

const NEEDED_NODE = 24;
const NODE_FLAGS = [
  '--disable-proto=delete',
  '--disable-warning=ExperimentalWarning',
  // Two helper threads keep ahead of the collector's own timetable, so that it does not mark on the main
  // thread; more would take the second core from Redis and PostgreSQL.
  '--v8-pool-size=2',
];

/** What answers orders one by one: the exchange in a process of its own, and the bench of its answers. */
const ANSWERING = new Set(['exchange', 'rid']);

/**
 * The young generation in MB. The more it holds, the less outlives it, and the rarer are full collections, which
 * are what slices wait for; but one of 32 MB is collected in 3 to 10 ms and stays resident in an idle daemon, one of 8 MB in
 * 1 or 2, and that is what one answer in a hundred waits for. Nobody waits for a simulation, and nothing of a run outlives it.
 * @param {string} entry
 * @param {string[]} args
 */
function youngMb(entry, args) {
  if (basename(entry) === 'simulate.ts') return 32;
  return ANSWERING.has(args[0]) ? 8 : 16;
}

/**
 * At its full size from the first moment: nearly all that a start makes stays, and would be collected again at each step of its growth.
 * @param {number} mb
 */
const youngFlags = (mb) => [`--min-semi-space-size=${mb}`, `--max-semi-space-size=${mb}`];

/** Does not return before the entry ends, nor at all when this process becomes the entry. */
export function launch({ root, entry, args }) {
  if (!existsSync(entry)) {
    process.stderr.write(`twapd: ${entry} does not exist in this copy of the project.\n`);
    process.exit(1);
  }
  // Types are stripped and code is compiled once, not at every start: half of what a start would cost. Where the folder
  // cannot be written Node goes on without it.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'twapd');
  const words = [...NODE_FLAGS, ...youngFlags(youngMb(entry, args)), entry, ...args];
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= NEEDED_NODE;
  if (isNewEnough && process.execve) {
    process.execve(process.execPath, [process.execPath, ...words], process.env);
  }
  runAsChild(isNewEnough ? process.execPath : join(root, nodeProgram()), words);
}

function runAsChild(node, words) {
  const child = spawn(node, words, { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the whole group: the child has it already.
  const fromTerminal = new Set(process.stdin.isTTY ? ['SIGINT'] : []);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (!fromTerminal.has(signal)) child.kill(signal);
    });
  }
  child.once('error', (error) => {
    process.stderr.write(`twapd: ${node} cannot be run: ${error.message}\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    // Ends the way the child ended, so the caller sees the same; 128 + n where a signal cannot end this process.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 100);
  });
}
