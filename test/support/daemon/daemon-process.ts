// The real daemon as a separate process in a temporary folder, which can be killed and restarted.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, connect } from '../../../src/gateway/client/client.ts';
import { copyClusterTemplate } from './cluster-template.ts';
import { watchLog } from './daemon-logs.ts';

const TAKER = {
  keyId: 'demo-taker',
  secret: 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};
const START_MS_MAX = 120_000;

/** How long a client waits for the answer of a daemon, on a machine that is busy. */
export const ANSWER_MS = 180_000;

export interface DaemonFiles {
  readonly folder: string;
  readonly dataDir: string;
  readonly configPath: string;
  readonly strategies: string;
  remove(): void;
}

/**
 * A configuration like config/paper.yaml, or another file, on any free port, with its own data and strategies. Engine and
 * gateway are one process unless the test is about their being two.
 */
export function daemonFiles(
  deployment: string,
  like = 'config/paper.yaml',
  parts: 'together' | 'apart' = 'together',
): DaemonFiles {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-daemon-'));
  const dataDir = join(folder, 'data');
  const strategies = join(folder, 'strategies');
  const configPath = join(folder, 'config.yaml');
  mkdirSync(strategies);
  const paper = readFileSync(like, 'utf8')
    .replace(/port: \d+/, 'port: 0')
    .replace(/deployment: \w+/, `deployment: ${deployment}\n  parts: ${parts}`)
    .replace(/dataDir: .*/, `dataDir: ${dataDir}`)
    .replace(/strategies: \.\/.*/, `strategies: ${strategies}`);
  writeFileSync(configPath, paper);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { folder, dataDir, configPath, strategies, remove };
}

/** However long a start takes on a busy machine, the end action of every portfolio runs to the last lot. */
export function allowLongEnds({ configPath }: DaemonFiles): void {
  const text = readFileSync(configPath, 'utf8');
  writeFileSync(configPath, text.replace(/readLagMs: .*/, '$&\n  endGraceMs: 600000'));
}

export interface Daemon {
  readonly process: ChildProcess;
  readonly url: string;
  readonly client: Client;
  /** The complete output of the process. */
  readonly output: () => string;
  /** The process id of the part; without parts, of the daemon. */
  part: (name: 'engine' | 'gateway') => number;
  /** Suspends or continues every process of it. */
  signal: (signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2') => void;
  /**
   * Sends the signal and waits for the end; returns the exit code, or the signal that ended it. A kill takes every process
   * of it, as the end of a machine does.
   */
  end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number | string>;
}

/** The address of Deribit's WebSocket at a process that listens on `url`. */
export const deribitUrl = (url: string): string => `${url.replace(/^http/, 'ws')}/ws/api/v2`;

/** Starts the daemon and waits until it is ready; if it does not become ready, the error has its output. */
export function startDaemon(
  files: DaemonFiles,
  environment: Readonly<Record<string, string>> = {},
): Promise<Daemon> {
  if (environment['DATABASE_URL'] === undefined) giveCluster(files);
  return started(['start', '--config', files.configPath], { environment });
}

/** The same by the code of another checkout. */
export const startDaemonOf = (
  root: string,
  files: Pick<DaemonFiles, 'configPath'>,
  environment: Readonly<Record<string, string>>,
): Promise<Daemon> => started(['start', '--config', files.configPath], { environment, root });

/** Its private PostgreSQL starts on a copy of the run's cluster. */
export function giveCluster({ dataDir }: DaemonFiles): void {
  const postgres = join(dataDir, 'postgres');
  if (!existsSync(postgres)) copyClusterTemplate(postgres);
}

/** The same, with an action as soon as it has read its configuration, long before it is ready. */
export const startDisturbed = (
  files: DaemonFiles,
  disturb: (process: ChildProcess) => void,
): Promise<Daemon> =>
  started(['start', '--config', files.configPath], { on: { text: ' starts with ', do: disturb } });

/** Starts the paper exchange as a separate process in the same way. */
export const startExchange = (files: DaemonFiles, port = 0): Promise<Daemon> =>
  started(['exchange', '--config', files.configPath, '--port', String(port)]);

/** Starts an engine alone. Its `url` is that of its link, and its `client` reaches nothing. */
export const startEngine = (
  files: DaemonFiles,
  environment: Readonly<Record<string, string>>,
): Promise<Daemon> =>
  started(['engine', '--config', files.configPath], { environment, ready: ENGINE_READY });

/** Starts a gateway alone: it asks the engines of its deployment. */
export const startGateway = (
  files: DaemonFiles,
  environment: Readonly<Record<string, string>>,
): Promise<Daemon> => started(['gateway', '--config', files.configPath], { environment });

const READY = /ready on (https?:\/\/[\d.:]+)/;
const ENGINE_READY = /serves gateways on (ws:\/\/[\d.:]+)/;

interface Starting {
  /** What it writes when it can be reached, with the address; default: that of a process that serves clients. */
  readonly ready?: RegExp;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whose code it runs; default: that of this checkout. */
  readonly root?: string;
  /** Called once, when the text first appears in the output. */
  readonly on?: { readonly text: string; readonly do: (process: ChildProcess) => void };
}

async function started(
  words: readonly string[],
  { environment = {}, on, ready = READY, root = '.' }: Starting = {},
): Promise<Daemon> {
  const [setUp, entry] = [resolve(root, 'src/setup/run.mjs'), resolve(root, 'src/main/cli.ts')];
  const args = [setUp, '--quiet', entry, ...words];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  watchLog(child);
  let written = '';
  let isSeen = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text;
      if (isSeen || on === undefined || !written.includes(on.text)) return;
      isSeen = true;
      on.do(child);
    });
  }
  const ended = new Promise<number | string>((done) => {
    child.once('exit', (code, signal) => done(code ?? signal ?? ''));
  });
  const url = await readyUrl(() => written, child, ready);
  return {
    process: child,
    url,
    client: connect({ baseUrl: url, timeoutMs: ANSWER_MS, ...TAKER }),
    output: () => written,
    part: (name) => partOf(child.pid ?? 0, name),
    signal: (signal) => {
      for (const pid of [child.pid ?? 0, ...childrenOf(child.pid ?? 0)]) send(pid, signal);
    },
    end: (signal) => {
      const parts = signal === 'SIGKILL' ? childrenOf(child.pid ?? 0) : [];
      child.kill(signal);
      for (const pid of parts) send(pid, signal);
      return ended;
    },
  };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The parts of a daemon; its private servers are not its children. */
function childrenOf(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').flatMap((one) => (/^\d+$/.test(one) ? [Number(one)] : []));
  } catch {
    return [];
  }
}

function partOf(pid: number, name: string): number {
  const found = childrenOf(pid).find((one) => {
    const words = readFileSync(`/proc/${one}/cmdline`, 'utf8').split('\0');
    return words.includes(name);
  });
  return found ?? pid;
}

async function readyUrl(
  written: () => string,
  child: ChildProcess,
  ready: RegExp,
): Promise<string> {
  const until = Date.now() + START_MS_MAX;
  while (Date.now() < until && child.exitCode === null) {
    const found = ready.exec(written());
    if (found?.[1] !== undefined) return found[1];
    await sleep(20);
  }
  child.kill('SIGKILL');
  throw new Error(`the process did not get ready:\n${written()}`);
}
