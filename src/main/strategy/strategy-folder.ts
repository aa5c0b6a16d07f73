// Keeps the strategies of a folder loaded: reads the folder at the start, on demand, and shortly after any
// change in it or in a folder of holidays alongside the files. A file being written is read again once it stops
// changing.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { type FSWatcher, watch } from 'chokidar';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { type Fault, faulty, type Reading } from '../fault.ts';
import { readDocuments } from './read-documents.ts';
import type { Strategy } from './strategy.ts';
import { readStrategyFile } from './strategy-file.ts';
import { NO_STRATEGIES, nextStrategySet, type StrategySet } from './strategy-set.ts';

export interface StrategyFolderOptions {
  /** How long the folder must be unchanged before it is read, in milliseconds. */
  readonly settleMs?: number;
  /** Called after every read, even if nothing changed. */
  readonly onLoaded: (set: StrategySet) => void;
}

const SETTLE_MS = 200;
const isStrategyFile = (name: string): boolean => /^[^.].*\.ya?ml$/s.test(name);

export class StrategyFolder implements Lifetime {
  readonly #folder: string;
  readonly #options: StrategyFolderOptions;
  #set: StrategySet = NO_STRATEGIES;
  #watcher: FSWatcher | undefined;
  #settling: NodeJS.Timeout | undefined;
  #closing: Promise<void> = Promise.resolve();
  #reading: Promise<StrategySet> = Promise.resolve(NO_STRATEGIES);
  #isStopped = false;

  constructor(folder: string, options: StrategyFolderOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  get current(): StrategySet {
    return this.#set;
  }

  /** Reads the folder now, as SIGHUP does, while what runs continues: its files are parsed in a thread. */
  reload(): Promise<StrategySet> {
    this.#reading = this.#reading.then(() => this.#read());
    return this.#reading;
  }

  /** Reads the folder now and after every change. Resolves once changes are watched. */
  async start(): Promise<void> {
    await this.reload();
    if (this.#isStopped) return;
    this.#watcher = watch(this.#folder, {
      ignoreInitial: true,
      depth: 1,
      // Link targets are not watched: a link to the root of the machine would watch all of it.
      followSymlinks: false,
    });
    this.#watcher.on('all', () => this.#changed());
    this.#watcher.on('error', (error) => this.#watchFailed(error));
    await new Promise<void>((resolve) => {
      this.#watcher?.once('ready', resolve);
    });
  }

  /** Resolves once nothing is watched any more. */
  drain(): Promise<void> {
    this.stop();
    return Promise.all([this.#closing, this.#reading]).then(() => undefined);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#settling);
    const watcher = this.#watcher;
    this.#watcher = undefined;
    if (watcher !== undefined) this.#closing = watcher.close();
  }

  /** Never rejects: a thread that fails is a fault of the folder. */
  async #read(): Promise<StrategySet> {
    const listed = listFolder(this.#folder);
    if (this.#isStopped) return this.#set;
    if (listed.kind === 'faulty') this.#set = { ...this.#set, faults: listed.faults };
    else {
      try {
        const read = await readDocuments(listed.value);
        const files = new Map<string, Reading<Strategy>>();
        for (const path of listed.value) {
          files.set(path, readStrategyFile(path, read));
          await nextLoop();
        }
        if (this.#isStopped) return this.#set;
        this.#set = nextStrategySet(this.#set, files);
      } catch (error) {
        throwProgrammingError(error);
        const message = `cannot be parsed (${(error as Error).message}); the strategies in force stay`;
        this.#set = { ...this.#set, faults: [{ source: this.#folder, field: '', message }] };
      }
    }
    this.#options.onLoaded(this.#set);
    return this.#set;
  }

  #changed(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.reload(), this.#options.settleMs ?? SETTLE_MS);
  }

  #watchFailed(error: unknown): void {
    const message = `is no longer watched (${(error as Error).message}); SIGHUP still reloads it`;
    const fault: Fault = { source: this.#folder, field: '', message };
    this.#set = { ...this.#set, faults: [...this.#set.faults, fault] };
    this.#options.onLoaded(this.#set);
  }
}

/** Reads the strategies of a folder once. */
export function readFolder(folder: string, previous: StrategySet = NO_STRATEGIES): StrategySet {
  const listed = listFolder(folder);
  if (listed.kind === 'faulty') return { inForce: previous.inForce, faults: listed.faults };
  const files = listed.value.map((path) => [path, readStrategyFile(path)] as const);
  return nextStrategySet(previous, new Map(files));
}

function listFolder(folder: string): Reading<readonly string[]> {
  try {
    const names = readdirSync(folder).filter(isStrategyFile);
    return { kind: 'read', value: names.map((name) => join(folder, name)) };
  } catch (error) {
    throwProgrammingError(error);
    const { code } = error as NodeJS.ErrnoException;
    const message = `cannot be read (${code}); accepted: a folder of strategy files`;
    return faulty([{ source: folder, field: '', message }]);
  }
}
