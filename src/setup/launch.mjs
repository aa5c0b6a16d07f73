// Becomes the entry: in place (same pid) if this Node is new enough, otherwise as a child of the Node that
// npm installed, with signals, exit code and terminal passed through.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { basename } from 'node:path';
import process from 'node:process';

const NEEDED_NODE = 24;
const NODE_FLAGS = [
  '--disable-proto=delete',
  '--disable-warning=ExperimentalWarning',
  // Two helper threads keep the collector ahead of its own schedule, so that it does not mark on the main
  // thread; more would take the second core from Redis and PostgreSQL.
  '--v8-pool-size=2',
];

/** What the daemon obeys. */
const PASSED_ON = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  ...(process.platform === 'win32' ? [] : ['SIGUSR2']),
];

/** Entries that answer orders one by one: the stand-alone exchange, and the benchmarks of its replies. */
const ANSWERING = new Set(['exchange', 'rid', 'deribit']);

/**
 * The young generation in MB. A larger one lets fewer objects survive and makes full collections, which delay
 * slices, rarer. But one of 32 MB takes 3 to 10 ms to collect and stays resident in an idle daemon, while one of
 * 8 MB takes 1 or 2 ms, which is what one reply in a hundred waits for. The fault simulation waits for nothing.
 * @param {string} entry
 * @param {string[]} args
 */
function youngMb(entry, args) {
  if (basename(entry) === 'simulate.ts') return 32;
  return ANSWERING.has(args[0]) ? 8 : 16;
}

/**
 * At full size from the first moment: nearly everything allocated at start survives, and would be collected
 * again at each step of its growth.
 * @param {number} mb
 */
const youngFlags = (mb) => [`--min-semi-space-size=${mb}`, `--max-semi-space-size=${mb}`];

/**
 * Returns only after the entry has ended, and never if this process becomes the entry.
 * @param {object} what
 * @param {string} what.entry
 * @param {string[]} what.args
 * @param {string} [what.node] what runs the entry where this Node is too old; without one that is refused
 * @param {string} [what.cache] folder of compiled code; without one it is up to the entry
 */
export function launch({ entry, args, node, cache }) {
  if (!existsSync(entry)) {
    process.stderr.write(`twapd: ${entry} does not exist in this copy of the project.\n`);
    process.exit(1);
  }
  // Types are stripped and code is compiled once, not at every start, which halves the start-up time. If the
  // folder is not writable Node runs without the cache.
  if (cache !== undefined) process.env.NODE_COMPILE_CACHE ??= cache;
  // A client that only the tests use brings a native addon that `ws` would load if it finds it.
  process.env.WS_NO_BUFFER_UTIL ??= '1';
  const words = [...NODE_FLAGS, ...youngFlags(youngMb(entry, args)), entry, ...args];
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= NEEDED_NODE;
  if (isNewEnough && process.execve) {
    process.execve(process.execPath, [process.execPath, ...words], process.env);
  }
  const program = isNewEnough ? process.execPath : node;
  if (program === undefined) {
    process.stderr.write(
      `twapd: Node ${process.versions.node} is too old, and the Node ${NEEDED_NODE} that belongs to the package is missing; ` +
        `accepted: npm rebuild, after npm install-scripts approve node where npm skipped install scripts; or Node ${NEEDED_NODE} or newer on PATH\n`,
    );
    process.exit(1);
  }
  runAsChild(program, words);
}

function runAsChild(node, words) {
  const child = spawn(node, words, { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the whole group: the child already has it.
  const fromTerminal = new Set(process.stdin.isTTY ? ['SIGINT'] : []);
  for (const signal of PASSED_ON) {
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
    // Ends the way the child ended, so that the caller sees the same; 128 + n if a signal cannot end this
    // process.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 100);
  });
}
