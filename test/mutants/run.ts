// Runs the tests that must detect each source-text mutant, and prints which mutants were killed.
// npm run mutants -- [name…] [--nearest: with the tests nearest to the code, to find which notice] | --share K/N
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { onEndSignal, StartedProcesses } from '../support/started-processes.ts';
import { sourceMutants } from './lists.ts';
import { mutantEnvironment } from './mutated-source.ts';
import { testsByFile } from './nearest-tests.ts';
import type { SourceMutant } from './source-mutant.ts';
import { judge, type Report, type Verdict } from './verdict.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const CONFIG = join(import.meta.dirname, 'vitest.config.ts');

/** A mutant may make a test loop: its time limit is this multiple of the time without the mutant, with a lower bound. */
const TIMES_MAX = 20;
const LEAST_MS = 240_000;

interface Ended {
  readonly report: Report | undefined;
  readonly isCutOff: boolean;
  readonly output: string;
}

const started = new StartedProcesses();
const folder = mkdtempSync(join(tmpdir(), 'twapd-mutants-'));
const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
// The workers of a mutant may be in an endless loop.
onEndSignal((code) => {
  void started.end(0).finally(() => {
    removeFolder();
    process.exit(code);
  });
});
let runs = 0;

function runTests(
  files: readonly string[],
  environment: NodeJS.ProcessEnv,
  withinMs: number,
  more: readonly string[] = [],
): Promise<Ended> {
  runs += 1;
  const outputFile = join(folder, `${runs}.json`);
  const words = ['run', '--config', CONFIG, '--root', ROOT, '--reporter=json', ...more];
  const child = spawn(
    process.execPath,
    [VITEST, ...words, `--outputFile.json=${outputFile}`, ...files],
    {
      cwd: ROOT,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that workers in an endless loop end with it.
      detached: true,
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-20_000);
    });
  }
  let isCutOff = false;
  const limit = setTimeout(() => {
    isCutOff = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, withinMs);
  return new Promise((done) => {
    child.once('close', () => {
      clearTimeout(limit);
      done({ report: read(outputFile), isCutOff, output });
    });
  });
}

function read(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function tryMutant(
  mutant: SourceMutant,
  withinMs: number,
  isNearest: boolean,
): Promise<Verdict> {
  const { report, isCutOff, output } = await runTests(
    mutant.killedBy,
    mutantEnvironment(mutant),
    withinMs,
    isNearest ? ['--bail=1'] : [],
  );
  if (isCutOff) {
    const by = `no end within ${Math.round(withinMs / 1_000)} s`;
    return { kind: 'killed', by, missedBy: [] };
  }
  if (report === undefined) return { kind: 'broken', why: output.slice(-1_000) };
  // The nearest tests are only those that may notice: the first that does ends the run.
  return judge(report, isNearest ? [] : mutant.killedBy, ROOT);
}

/** Time of the named tests without a mutant, in milliseconds by file; throws if one of them fails. */
async function measured(files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { report, output } = await runTests(files, process.env, 3_600_000);
  const verdict = report === undefined ? undefined : judge(report, files, ROOT);
  if (report === undefined || verdict?.kind !== 'survived') {
    throw new Error(`without a mutant: ${JSON.stringify(verdict)}\n${output}`);
  }
  return new Map(
    report.testResults.map(({ name, startTime, endTime }) => [name, endTime - startTime]),
  );
}

function told(verdict: Verdict, isNearest: boolean): string {
  if (verdict.kind === 'survived') return 'SURVIVED';
  if (verdict.kind === 'broken') return `BROKEN: ${verdict.why}`;
  const isWhole = isNearest || verdict.missedBy.length === 0;
  return `killed by ${verdict.by}${isWhole ? '' : ` (not noticed by ${verdict.missedBy.join(', ')})`}`;
}

async function main({ mutants, isNearest }: Chosen): Promise<number> {
  const files = [...new Set(mutants.flatMap(({ killedBy }) => killedBy))];
  say(`${mutants.length} mutants; first their ${files.length} test files without a mutant`);
  const needed = await measured(files);
  const kinds = { killed: 0, survived: 0, broken: 0 };
  const waiting = [...mutants.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, mutant] = next;
      const ms = Math.max(...mutant.killedBy.map((file) => needed.get(join(ROOT, file)) ?? 0));
      const verdict = await tryMutant(mutant, Math.max(LEAST_MS, ms * TIMES_MAX), isNearest);
      kinds[verdict.kind] += 1;
      say(`${index + 1}/${mutants.length} ${mutant.name}: ${told(verdict, isNearest)}`);
      if (verdict.kind !== 'killed') say(`    ${mutant.file}: ${mutant.what}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  say(`mutants: ${kinds.killed} killed, ${kinds.survived} survived, ${kinds.broken} broken`);
  return kinds.survived + kinds.broken;
}

interface Chosen {
  readonly mutants: readonly SourceMutant[];
  readonly isNearest: boolean;
}

async function chosen(): Promise<Chosen> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      share: { type: 'string', default: '1/1' },
      nearest: { type: 'boolean', default: false },
    },
  });
  const all = await sourceMutants();
  const unknown = positionals.filter((name) => !all.some((mutant) => mutant.name === name));
  if (unknown.length > 0) throw new Error(`there are no mutants named ${unknown.join(', ')}`);
  const [part = 1, parts = 1] = values.share.split('/').map(Number);
  const named = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const mutants = named.filter((_, index) => index % parts === part - 1);
  if (!values.nearest) return { mutants, isNearest: false };
  const near = testsByFile();
  const asked = mutants.map((mutant) => ({ ...mutant, killedBy: near.get(mutant.file) ?? [] }));
  return { mutants: asked, isNearest: true };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  process.exitCode = (await main(await chosen())) === 0 ? 0 : 1;
} finally {
  removeFolder();
}
