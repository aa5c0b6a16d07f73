// A wall clock that can be stepped for a process: libfaketime, controlled by a file. If it is not installed, a loud
// warning says what is not proved.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notProved } from './reporters/not-proved.ts';

const FOLDERS = ['/usr/lib', '/usr/local/lib', '/usr/lib64'];
const LIBRARY = 'faketime/libfaketime.so.1';

export interface FakeTime {
  /** The environment of the process with that clock; its monotonic clock is not affected. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets the wall clock to this offset from the true time. */
  step(offsetSec: number): void;
}

/** Steps are written to `path`. */
export function fakeTime(path: string): FakeTime | undefined {
  const library = FOLDERS.flatMap(candidates).find((file) => existsSync(file));
  if (library === undefined) {
    notProved('steps of the clock', 'libfaketime is not installed; apt-get install faketime');
    return undefined;
  }
  const step = (offsetSec: number): void =>
    writeFileSync(path, `${offsetSec < 0 ? '' : '+'}${offsetSec}\n`);
  step(0);
  const environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: path,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
  return { environment, step };
}

/** The library itself, or the one in the folder of a machine type such as x86_64-linux-gnu. */
const candidates = (folder: string): readonly string[] =>
  existsSync(folder)
    ? [join(folder, LIBRARY), ...readdirSync(folder).map((name) => join(folder, name, LIBRARY))]
    : [];
