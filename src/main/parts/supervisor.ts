// Starts the parts of a daemon as processes and restarts one that dies, with growing pauses; passes signals on and ends the
// parts in order. It does nothing else, so that there is little that could end it: parts whose supervisor is gone end too.
import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import process from 'node:process';
import type { Readable } from 'node:stream';
import type { DaemonStores, PartMessage, PartName } from '../lifecycle/part-messages.ts';
import { EXIT } from '../lifecycle/process-life.ts';

/** Shows the daemon on a terminal: what the parts write goes to it, and it hears what they report. */
export interface Display {
  output(streams: readonly Readable[]): void;
  message(message: PartMessage): void;
  /** The parts are ended in order, this one next. */
  ending(next: PartName): void;
}

export interface SupervisorOptions {
  /** The arguments of each part after the entry. */
  readonly words: Readonly<Record<PartName, readonly string[]>>;
  /** What each part must not have of this process's environment. */
  readonly withheld: Readonly<Record<PartName, readonly string[]>>;
  /** What both parts have in their environment besides. */
  readonly given: Readonly<Record<string, string>>;
  /** The program's entry. */
  readonly entry: string;
  readonly say: (message: string) => void;
  /** Default: the parts write where this process writes. */
  readonly display?: Display | undefined;
}

interface Part {
  child: ChildProcess;
  startedMs: number;
  /** It has been ready since its start. */
  isReady: boolean;
  /** It handles signals: before, one would end it. */
  isHandling: boolean;
  isEnding: boolean;
  /** Ends in a row without having been ready for long. */
  failures: number;
}

const NAMES: readonly PartName[] = ['engine', 'gateway'];
const INHERITED: StdioOptions = ['inherit', 'inherit', 'inherit', 'ipc'];
const SHOWN: StdioOptions = ['ignore', 'pipe', 'pipe', 'ipc'];
const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 15_000;
/** After this long a part counts as sound. */
const SOUND_MS = 30_000;
/** How much nicer the gateway is than the engine: clients are served with what the engine leaves of the processor. */
const GATEWAY_NICER = 5;
const NICENESS_MAX = 19;
/** After a signal nothing may keep the daemon alive longer than this. */
const HARD_STOP_MS = 9_900;
const SAME_WISH_MS = 1_000;

/** Runs until a signal ends it, or until a part cannot be started at all; resolves with the exit code. */
export function supervise(options: SupervisorOptions): Promise<number> {
  return new Promise((done) => new Supervisor(options, done).start());
}

class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #done: (code: number) => void;
  readonly #parts = new Map<PartName, Part>();
  /** Signals that a part has not been able to receive yet; the next process of it gets them. */
  readonly #due = { engine: new Set<NodeJS.Signals>(), gateway: new Set<NodeJS.Signals>() };
  #stores: DaemonStores | undefined;
  /** Where the engine serves gateways. */
  #address: string | undefined;
  /** Where clients know the gateway, also if the system chose it. */
  #port: number | undefined;
  #endingSince: number | undefined;
  #code = 0;

  constructor(options: SupervisorOptions, done: (code: number) => void) {
    this.#options = options;
    this.#done = done;
  }

  start(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => this.#signalled());
    process.on('SIGHUP', () => this.#passOn('SIGHUP', NAMES));
    process.on('SIGUSR2', () => this.#passOn('SIGUSR2', ['engine']));
    for (const name of NAMES) this.#launch(name, 0);
  }

  #launch(name: PartName, failures: number): void {
    const { entry, words, withheld, given, display } = this.#options;
    const env: NodeJS.ProcessEnv = { ...process.env, ...given };
    for (const variable of withheld[name]) delete env[variable];
    if (name === 'gateway' && this.#port !== undefined) env['TWAPD_PORT'] = String(this.#port);
    const child = fork(entry, [...words[name]], {
      env,
      stdio: display === undefined ? INHERITED : SHOWN,
    });
    display?.output([child.stdout, child.stderr].filter((stream) => stream !== null));
    const since = {
      startedMs: performance.now(),
      isReady: false,
      isHandling: false,
      isEnding: false,
    };
    const part: Part = { child, ...since, failures };
    this.#parts.set(name, part);
    child.on('message', (message: PartMessage) => this.#hear(name, message));
    child.once('exit', (code, signal) => this.#ended(name, code ?? signal ?? ''));
    if (name !== 'gateway') return;
    this.#tellStores();
    this.#tellAddress();
  }

  #hear(name: PartName, message: PartMessage): void {
    const part = this.#parts.get(name);
    if (part === undefined) return;
    this.#options.display?.message(message);
    switch (message.kind) {
      case 'handling':
        part.isHandling = true;
        for (const signal of this.#due[name]) part.child.kill(signal);
        this.#due[name].clear();
        return;
      case 'listening':
        part.isReady = true;
        this.#port = message.port;
        // Its start was not at the expense of anything.
        lower(part.child);
        return;
      case 'stores':
        this.#stores = message.stores;
        this.#tellStores();
        return;
      case 'engine':
        part.isReady = true;
        this.#address = message.address;
        this.#tellAddress();
    }
  }

  #tellStores(): void {
    const gateway = this.#parts.get('gateway')?.child;
    if (this.#stores === undefined || gateway?.connected !== true) return;
    gateway.send({ kind: 'stores', stores: this.#stores });
  }

  #tellAddress(): void {
    const gateway = this.#parts.get('gateway')?.child;
    if (this.#address === undefined || gateway?.connected !== true) return;
    gateway.send({ kind: 'engine', address: this.#address });
  }

  #ended(name: PartName, how: number | string): void {
    const part = this.#parts.get(name);
    this.#parts.delete(name);
    if (part === undefined) return;
    if (this.#endingSince !== undefined) {
      if (part.isHandling && how !== 0 && this.#code === 0) this.#code = EXIT.broken;
      return this.#endNext();
    }
    // What it said on its standard output is the reason: a faulty file, a port in use.
    if (!part.isReady && how === EXIT.refused && part.failures === 0) {
      this.#code = EXIT.refused;
      return this.#end();
    }
    const isSound = part.isReady && performance.now() - part.startedMs > SOUND_MS;
    const failures = isSound ? 1 : part.failures + 1;
    const pauseMs = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** (failures - 1));
    this.#options.say(`the ${name} ended (${how}); it is started again in ${pauseMs} ms`);
    setTimeout(() => {
      if (this.#endingSince === undefined) this.#launch(name, failures);
    }, pauseMs);
  }

  #passOn(signal: 'SIGHUP' | 'SIGUSR2', to: readonly PartName[]): void {
    for (const name of to) {
      const part = this.#parts.get(name);
      if (part?.isHandling === true) part.child.kill(signal);
      else this.#due[name].add(signal);
    }
  }

  #kill(): void {
    for (const { child } of this.#parts.values()) child.kill('SIGKILL');
  }

  #signalled(): void {
    if (this.#endingSince === undefined) return this.#end();
    // A terminal and a supervisor of ours may both deliver the same request.
    if (performance.now() - this.#endingSince < SAME_WISH_MS) return;
    this.#kill();
    this.#done(EXIT.broken);
  }

  #end(): void {
    this.#endingSince = performance.now();
    setTimeout(() => {
      this.#kill();
      this.#done(EXIT.broken);
    }, HARD_STOP_MS).unref();
    this.#endNext();
  }

  /** Clients first: what they have requested is still carried out. */
  #endNext(): void {
    const next = this.#parts.has('gateway') ? 'gateway' : 'engine';
    const part = this.#parts.get(next);
    if (part === undefined) return this.#done(this.#code);
    if (part.isEnding) return;
    part.isEnding = true;
    this.#options.display?.ending(next);
    // One that does not handle signals yet has nothing to end in order.
    part.child.kill('SIGTERM');
  }
}

/** Where that is not allowed, the gateway has the same share as the engine. */
function lower({ pid }: ChildProcess): void {
  try {
    if (pid === undefined) return;
    setPriority(pid, Math.min(getPriority(pid) + GATEWAY_NICER, NICENESS_MAX));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
