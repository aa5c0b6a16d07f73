// Runs a script of the simulation as a process of its own, as an operator or the project's CI does.
import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly complaint: string;
}

/** Resolves with what it said, whatever its exit code. */
export function runScript(name: string, args: readonly string[]): Promise<Ended> {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const words = ['--disable-warning=ExperimentalWarning', script, ...args];
  return new Promise((done) => {
    execFile(process.execPath, words, { maxBuffer: 64_000_000 }, (error, output, complaint) => {
      done({
        code: typeof error?.code === 'number' ? error.code : error ? -1 : 0,
        output,
        complaint,
      });
    });
  });
}
