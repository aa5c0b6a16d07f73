// The audit trail in files, for a process without a ledger: records are gathered for a moment and written
// together, so that no order waits for them. A written record survives the end of any process; a power
// failure may lose the last moment. Nothing is ever deleted: a full file is followed by the next.

import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Action, ActionLog, ActionQuery } from '../../ports/action-log.ts';
import { unwritable } from '../../values/errors/unwritable.ts';
import { actionFile, actionFileNumbers, readActions } from './action-files.ts';
import { actionLine } from './action-line.ts';

export interface FileActionLogOptions {
  /** Created if missing. Written by one process at a time. */
  readonly folder: string;
  /** Called once for each run of failures, and for what cannot be read. */
  readonly onFault: (error: unknown) => void;
  /** A file of this size is followed by the next. Default 32 MiB. */
  readonly fileBytesMax?: number;
  readonly retryMs?: number;
  /** How long the first record waits for others to be written with. Default 20. */
  readonly gatherMs?: number;
  /** Number of waiting records from which on the log is behind. */
  readonly behindFrom?: number;
}

interface Waiting {
  readonly action: Action;
  readonly resolve: () => void;
}

const FILE_BYTES_MAX = 32 * 1024 * 1024;
const GATHER_MS = 20;
const RETRY_MS = 250;
const BATCH_MAX = 2_000;
const BEHIND_FROM = 50_000;
/** A written record is on disk after at most this long, if nothing else writes there. */
const FLUSH_AFTER_MS = 250;

export class FileActionLog implements ActionLog {
  readonly #options: Required<FileActionLogOptions>;
  #file: FileHandle;
  #number: number;
  #bytes: number;
  /** The file ends in the middle of a line: the next record starts a new one. */
  #isTorn: boolean;
  /** It did before the write under way. */
  #wasTorn = false;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #flushing: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;

  private constructor(options: Required<FileActionLogOptions>, opened: OpenedFile) {
    this.#options = options;
    this.#file = opened.file;
    this.#number = opened.number;
    this.#bytes = opened.bytes;
    this.#isTorn = opened.isTorn;
  }

  static async open(options: FileActionLogOptions): Promise<FileActionLog> {
    const { folder } = options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const number = (await actionFileNumbers(folder)).at(-1) ?? 1;
    const whole = {
      fileBytesMax: FILE_BYTES_MAX,
      retryMs: RETRY_MS,
      gatherMs: GATHER_MS,
      behindFrom: BEHIND_FROM,
      ...options,
    };
    return new FileActionLog(whole, await openedAt(folder, number));
  }

  get isBehind(): boolean {
    return this.#waiting.length >= this.#options.behindFrom;
  }

  record(action: Action): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ action, resolve });
      this.#writing ??= this.#write();
    });
  }

  async find(query: ActionQuery): Promise<readonly Action[]> {
    const { folder, onFault } = this.#options;
    const onDamaged = (place: string): void => onFault(new Error(`${place} is not an action`));
    return await readActions({ folder, query, onDamaged });
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#writing;
    clearTimeout(this.#flushing);
    await this.#flush();
    await this.#file.close();
  }

  async #write(): Promise<void> {
    const { gatherMs, retryMs, onFault } = this.#options;
    let isFailing = false;
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < BATCH_MAX && this.#closed === undefined) await sleep(gatherMs);
      const batch = this.#waiting.slice(0, BATCH_MAX);
      const fault = await this.#append(batch.map(({ action }) => actionLine(action)).join(''));
      if (fault === undefined) this.#waiting.splice(0, batch.length);
      else if (!isFailing) onFault(fault);
      isFailing = fault !== undefined;
      // Callers continue either way; records that were not written are retried.
      for (const { resolve } of isFailing ? this.#waiting : batch) resolve();
      if (isFailing && this.#closed !== undefined) break;
      if (isFailing) await sleep(retryMs, undefined, { ref: false });
    }
    this.#writing = undefined;
  }

  /** Returns the fault that keeps it from being written, if any. */
  async #append(text: string): Promise<unknown> {
    try {
      if (this.#bytes >= this.#options.fileBytesMax) await this.#turnOver();
      const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text);
      this.#wasTorn = this.#isTorn;
      this.#isTorn = true;
      await this.#file.appendFile(bytes);
      this.#isTorn = false;
      this.#bytes += bytes.length;
      this.#flushing ??= setTimeout(() => void this.#flush(), FLUSH_AFTER_MS).unref();
      return undefined;
    } catch (error) {
      await this.#cutBack();
      return unwritable(actionFile(this.#options.folder, this.#number), error);
    }
  }

  /** Removes what fitted of a write that failed, and gives its space back; if that fails too, the next record begins a new line. */
  async #cutBack(): Promise<void> {
    try {
      await this.#file.truncate(this.#bytes);
      this.#isTorn = this.#wasTorn;
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  async #turnOver(): Promise<void> {
    const next = await openedAt(this.#options.folder, this.#number + 1);
    const full = this.#file;
    this.#file = next.file;
    this.#number = next.number;
    this.#bytes = next.bytes;
    this.#isTorn = next.isTorn;
    await full.datasync();
    await full.close();
  }

  async #flush(): Promise<void> {
    this.#flushing = undefined;
    try {
      await this.#file.datasync();
    } catch (error) {
      this.#options.onFault(error);
    }
  }
}

interface OpenedFile {
  readonly file: FileHandle;
  readonly number: number;
  readonly bytes: number;
  readonly isTorn: boolean;
}

async function openedAt(folder: string, number: number): Promise<OpenedFile> {
  const file = await open(actionFile(folder, number), 'a+', 0o600);
  const { size } = await file.stat();
  const last = Buffer.alloc(1);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  return { file, number, bytes: size, isTorn: size > 0 && last.toString() !== '\n' };
}
