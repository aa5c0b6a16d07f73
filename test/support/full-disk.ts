// A disk that becomes full: from a given write on, files in one folder take half of the bytes of that write and then
// refuse with ENOSPC, as a real one does. The calls of `node:fs` themselves are replaced, so that every writer can be
// tried at each of its writes without knowing of it.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve, sep } from 'node:path';

type Call = (...given: never[]) => unknown;
type Calls = Record<string, Call>;
/** Errors of the others name the path. */
type Syscall = 'write' | 'mkdir' | 'copyfile';

/** A full disk, and one that is read-only. */
type Refusal = 'ENOSPC' | 'EROFS';
const REFUSALS = {
  ENOSPC: { says: 'no space left on device', errno: -28 },
  EROFS: { says: 'read-only file system', errno: -30 },
} as const;

export class FullDisk {
  readonly #folder: string;
  readonly #paths = new Map<number, string>();
  readonly #before: (() => void)[] = [];
  /** How many writes still fit. */
  #left: number;
  readonly #code: Refusal;
  #isNested = false;
  /** Writes in the folder so far. */
  writes = 0;

  /** Space is freed: everything fits again. */
  free(): void {
    this.#left = Number.POSITIVE_INFINITY;
  }

  /** Until `restore` is called. */
  constructor(
    folder: string,
    { writesLeft, code = 'ENOSPC' }: { readonly writesLeft: number; readonly code?: Refusal },
  ) {
    this.#code = code;
    this.#folder = resolve(folder) + sep;
    this.#left = writesLeft;
    const sync = fs as unknown as Calls;
    const async = fs.promises as unknown as Calls;
    this.#replace(sync, 'openSync', (open) => (...given) => {
      const file = open(...given) as number;
      this.#paths.set(file, String(given[0]));
      return file;
    });
    this.#replace(
      sync,
      'writeSync',
      (write) =>
        (...given) =>
          this.#writeSync(write, given),
    );
    for (const name of ['writeFileSync', 'appendFileSync']) {
      this.#replace(
        sync,
        name,
        (write) =>
          (...given) =>
            this.#whole(write, given),
      );
    }
    for (const name of ['mkdirSync', 'copyFileSync']) {
      const syscall = name === 'mkdirSync' ? 'mkdir' : 'copyfile';
      this.#replace(
        sync,
        name,
        (make) =>
          (...given) =>
            this.#whole(make, given, syscall),
      );
    }
    for (const name of ['writeFile', 'appendFile']) {
      this.#replace(
        async,
        name,
        (write) =>
          async (...given) =>
            this.#whole(write, given),
      );
    }
    // Of streams.
    this.#replace(sync, 'open', (open) => (...given) => {
      const then = given.at(-1) as unknown as (error: unknown, file: number) => void;
      const noted = (error: unknown, file: number): void => {
        if (error === null) this.#paths.set(file, String(given[0]));
        then(error, file);
      };
      const args = [...given.slice(0, -1), noted] as never[];
      return open(...args);
    });
    for (const name of ['write', 'writev']) {
      this.#replace(
        sync,
        name,
        (write) =>
          (...given) =>
            this.#called(write, given),
      );
    }
    this.#replace(async, 'open', (open) => async (...given) => {
      const handle = (await open(...given)) as fs.promises.FileHandle;
      if (this.#isHere(given[0])) this.#guard(handle);
      return handle;
    });
    syncBuiltinESMExports();
  }

  restore(): void {
    for (const undo of this.#before.splice(0)) undo();
    syncBuiltinESMExports();
  }

  #refusal(syscall: string): NodeJS.ErrnoException {
    const { says, errno } = REFUSALS[this.#code];
    const error = new Error(`${this.#code}: ${says}, ${syscall}`);
    return Object.assign(error, { code: this.#code, errno, syscall: syscall.split(' ')[0] });
  }

  #replace(of: Calls, name: string, by: (before: Call) => Call): void {
    const before = of[name] as Call;
    of[name] = by(before.bind(of) as Call);
    this.#before.push(() => {
      of[name] = before;
    });
  }

  #isHere(path: unknown): boolean {
    return typeof path === 'string' && (resolve(path) + sep).startsWith(this.#folder);
  }

  /** `full` once, at the write that no longer fits whole; `over` from then on. */
  #count(): 'fits' | 'full' | 'over' {
    this.writes += 1;
    this.#left -= 1;
    return this.#left >= 0 ? 'fits' : this.#left === -1 ? 'full' : 'over';
  }

  #writeSync(write: Call, given: never[]): unknown {
    const [file, bytes, offset = 0, asked] = given as unknown as [
      file: number,
      bytes: Uint8Array,
      offset?: number,
      length?: number,
    ];
    const length = asked ?? bytes.length - offset;
    if (this.#isNested || !this.#isHere(this.#paths.get(file))) return write(...given);
    const room = this.#count();
    if (room === 'fits') return write(...given);
    const half = Math.floor(length / 2);
    if (room === 'over' || half === 0) throw this.#refusal('write');
    const args = [file, bytes, offset, half] as never[];
    return write(...args);
  }

  /** A write that calls back; what no longer fits is refused as a whole. */
  #called(write: Call, given: never[]): unknown {
    if (!this.#isHere(this.#paths.get(given[0] as unknown as number))) return write(...given);
    if (this.#count() === 'fits') return write(...given);
    const then = given.at(-1) as unknown as (error: unknown) => void;
    setImmediate(() => then(this.#refusal('write')));
    return undefined;
  }

  /** A call that opens, writes and closes. */
  #whole(write: Call, given: never[], syscall: Syscall = 'write'): unknown {
    const pathAt = syscall === 'copyfile' ? 1 : 0;
    const target = given[pathAt] as unknown;
    const path = typeof target === 'number' ? this.#paths.get(target) : target;
    if (this.#isNested || !this.#isHere(path)) return write(...given);
    const room = this.#count();
    if (room === 'fits') return this.#nested(write, given);
    if (syscall !== 'write') throw this.#refusal(`${syscall} '${path}'`);
    const [, data, options] = given as unknown as [unknown, unknown, unknown];
    if (room === 'full' && typeof data === 'string') {
      const half = data.slice(0, data.length / 2);
      const begun = this.#nested(write, [target, half, options] as never[]);
      if (begun instanceof Promise) return begun.then(() => Promise.reject(this.#refusal('write')));
    }
    throw this.#refusal('write');
  }

  /** Calls of Node.js that are made of others of it count once. */
  #nested(write: Call, given: never[]): unknown {
    this.#isNested = true;
    try {
      return write(...given);
    } finally {
      this.#isNested = false;
    }
  }

  #guard(handle: fs.promises.FileHandle): void {
    const calls = handle as unknown as Calls;
    for (const name of ['write', 'writeFile', 'appendFile']) {
      const write = (calls[name] as Call).bind(handle) as Call;
      calls[name] = async (...given: never[]) => {
        const room = this.#count();
        if (room === 'fits') return write(...given);
        const [data] = given as unknown as [string | Uint8Array];
        if (room === 'full') await write(data.slice(0, data.length / 2) as never);
        throw this.#refusal('write');
      };
    }
  }
}

/**
 * Repeats `act` with the disk full from its first write on, from its second, and so on until all of its writes fit; returns what
 * each try failed with. After each, `after` sees the folder on a disk with space.
 */
export async function fullAtEachWrite(
  folder: string,
  act: () => unknown,
  after: (error: unknown) => unknown,
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (let writesLeft = 0; ; writesLeft += 1) {
    const disk = new FullDisk(folder, { writesLeft });
    let failure: unknown;
    try {
      await act();
    } catch (error) {
      failure = error;
    } finally {
      disk.restore();
    }
    if (disk.writes <= writesLeft) {
      if (failure !== undefined) throw failure;
      return failures;
    }
    failures.push(failure);
    await after(failure);
  }
}
