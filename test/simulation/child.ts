// Runs a script of the simulation in its own process, as an operator or CI does.
import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly complaint: string;
}

/** As `npm run simulate` starts it (src/setup/launch.mjs): a small young generation costs a tenth more in collections. */
const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
];
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/twapd', import.meta.url));

/** Resolves with its output, whatever its exit code. */
export function runScript(name: string, args: readonly string[]): Promise<Ended> {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const words = [...NODE_FLAGS, script, ...args];
  const options = { maxBuffer: 64_000_000, env: { ...process.env, NODE_COMPILE_CACHE: COMPILED } };
  return new Promise((done) => {
    execFile(process.execPath, words, options, (error, output, complaint) => {
      done({
        code: typeof error?.code === 'number' ? error.code : error ? -1 : 0,
        output,
        complaint,
      });
    });
  });
}
