// A warm `npm start`: from its first process to "ready", with the processor seconds of the daemon's own processes up to
// then. The data folder and compiled code are there from a start before, which does not count.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { daemonFiles } from '../test/support/daemon/daemon-process.ts';
import { opened } from './opened.ts';
import { percentile } from './percentile.ts';
import { cpuSec } from './process-cost.ts';
import type { Row } from './row.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const ROUNDS = 5;
const TARGET = 'at most 1.5 s';

interface Start {
  readonly readySec: number;
  readonly processorSec: number;
}

export async function benchWarmStart(): Promise<readonly Row[]> {
  const files = daemonFiles('warm', 'config/paper.yaml', 'apart');
  opened().defer(files.remove);
  const starts: Start[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const one = await startOnce(files.configPath);
    if (round > 0) starts.push(one);
  }
  const ready = starts.map(({ readySec }) => readySec);
  const spent = starts.map(({ processorSec }) => processorSec);
  return [
    {
      what: 'warm start, first process to "ready"',
      value: `${Math.min(...ready).toFixed(2)} s at least, ${percentile(ready, 0.5).toFixed(2)} s in the middle of ${ROUNDS}`,
      yardstick: TARGET,
    },
    {
      what: 'processor time of the daemon up to "ready", without Redis and PostgreSQL',
      value: `${Math.min(...spent).toFixed(2)} s at least, ${percentile(spent, 0.5).toFixed(2)} s in the middle of ${ROUNDS}`,
    },
  ];
}

async function startOnce(configPath: string): Promise<Start> {
  const words = ['src/setup/run.mjs', '--quiet', 'src/main/cli.ts', 'start', '--config'];
  const from = performance.now();
  const child = spawn(process.execPath, [...words, configPath], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let said = '';
  let start: Start | undefined;
  for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    said += text;
    if (start !== undefined || !said.includes('ready on')) continue;
    const readySec = (performance.now() - from) / 1_000;
    const pid = child.pid ?? 0;
    start = {
      readySec,
      processorSec: [pid, ...partsOf(pid)].reduce((sum, of) => sum + cpuSec(of), 0),
    };
    child.kill('SIGTERM');
  }
  await ended;
  if (start === undefined) throw new Error(`the daemon did not start:\n${said}`);
  return start;
}

/** The processes that the supervisor has started. */
const partsOf = (supervisor: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === supervisor);

function parentOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return Number(fields?.[1]);
  } catch {
    return undefined;
  }
}
