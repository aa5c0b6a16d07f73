// A process that starts a server as the daemon does and then keeps running, so that a test can end it
// abruptly.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface StarterProcess {
  readonly child: ChildProcess;
  /** Process id of the started server. */
  readonly serverPid: number;
}

/** Runs `start({dataDir, log})` of a module under src/adapters in a process group of its own. */
export async function startInProcess(options: {
  readonly module: string;
  readonly start: string;
  readonly dataDir: string;
}): Promise<StarterProcess> {
  const module = fileURLToPath(new URL(`../../src/adapters/${options.module}`, import.meta.url));
  const script = `
    import { ${options.start} as start } from ${JSON.stringify(module)};
    const log = { info: () => undefined, warn: console.error };
    const server = await start({ dataDir: ${JSON.stringify(options.dataDir)}, log });
    process.stdout.write(String(server.pid));
    setInterval(() => undefined, 1000);
  `;
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript'];
  const child = spawn(process.execPath, [...flags, '--eval', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, serverPid: Number(printed.toString()) };
}

/** Kills the starter, and only the starter. */
export async function killStarter({ child }: StarterProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Whether a process is running; a zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
