// Secrets that a command prints, as the clients of Vault and of password stores do. No part of what it prints is repeated,
// neither in a fault nor in the log.
import { execFile, spawnSync } from 'node:child_process';
import { absent, type Fetched } from './secret-sources.ts';

/** Runs the command of the option at `path`, or says why it is not run. */
export type RunCommand = (words: readonly string[], path: readonly (string | number)[]) => Fetched;

const WITHIN_MS = 10_000;
/** More than any key or certificate. */
const BYTES_MAX = 64 * 1024;
const LIMITS = { timeout: WITHIN_MS, maxBuffer: BYTES_MAX, killSignal: 'SIGKILL' } as const;

/** Runs it and waits, which holds up the process: for a start, before anything is served. */
export const runSecretCommand: RunCommand = ([program = '', ...words]) => {
  const { error, status, stdout } = spawnSync(program, words, {
    ...LIMITS,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return fetchedBy(program, { code: code ?? status ?? undefined, stdout });
};

/** The same alongside other work. */
export const runSecretCommandAside = ([
  program = '',
  ...words
]: readonly string[]): Promise<Fetched> =>
  new Promise((resolve) => {
    const child = execFile(program, words, { ...LIMITS, encoding: 'utf8' }, (error, stdout) => {
      const { code, killed } = (error ?? { code: 0 }) as NodeJS.ErrnoException & {
        killed?: boolean;
      };
      resolve(fetchedBy(program, { code: killed === true ? 'ETIMEDOUT' : code, stdout }));
    });
    child.stdin?.end();
  });

/** Leaves every command alone: its secret counts as unset in this environment. */
export const runNoCommand: RunCommand = () => absent('is not run here', true);

interface Ended {
  /** Exit code, or what the system says; absent: ended by a signal. */
  readonly code: string | number | undefined;
  readonly stdout: string | null;
}

function fetchedBy(program: string, { code, stdout }: Ended): Fetched {
  const text = (stdout ?? '').trim();
  if (code === 0 && text !== '') return { kind: 'fetched', text };
  return absent(
    `names the command ${program}, which ${endOf(code)}; accepted: one that prints the secret within ${WITHIN_MS / 1_000} s and ends with 0`,
    code === 'ENOENT',
  );
}

function endOf(code: Ended['code']): string {
  switch (code) {
    case 0:
      return 'printed nothing';
    case 'ENOENT':
      return 'is not found on this machine';
    case 'ETIMEDOUT':
      return 'took too long and was ended';
    case 'ENOBUFS':
    case 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER':
      return `printed more than ${BYTES_MAX} bytes`;
    case undefined:
    case null:
      return 'was ended by a signal';
    default:
      return typeof code === 'number' ? `ended with ${code}` : `cannot be run (${code})`;
  }
}
