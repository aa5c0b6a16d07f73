// The life of a private server of one data folder, whatever its program: one that is already running is reused,
// otherwise one is started. It outlives a killed daemon on purpose, and is ended step by step. Which server
// serves the folder is queried from the server itself, never inferred from a file alone.
import { setTimeout as sleep } from 'node:timers/promises';
import { UP_WITHIN_MS } from './launch-server.ts';
import { type EndStep, endProcess, processIdentity } from './server-process.ts';

const LOOK_EVERY_MS = 50;

export interface ServerLog {
  info(message: string): void;
  warn(message: string): void;
}

/** A server that serves the data folder. */
export interface RunningServer {
  /** Name and, where known, version. */
  readonly title: string;
  readonly pid: number;
  readonly address: string;
  /** Removes what it leaves behind alongside its data once it has ended; nothing of a successor's. */
  readonly clearUp: () => Promise<void>;
}

/** Other processes hold the folder; `why` completes an error message if that does not end. */
export interface Busy {
  readonly kind: 'busy';
  readonly why: string;
}

export type Standing =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly server: RunningServer }
  | Busy;

/** What one program needs beyond the life that all share. */
export interface ServerDescription {
  readonly name: string;
  /** The data folder, without symbolic links. */
  readonly dataDir: string;
  /** Finds the server of the folder; removes what is left of a dead one. */
  probe(): Promise<Standing>;
  /** Starts the program and waits until it is up. */
  launch(): Promise<RunningServer | Busy>;
  /** How it is ended if that may take this long; the last step always succeeds. */
  ending(withinMs: number): readonly EndStep[];
  readonly stopWithinMs: number;
}

export interface PrivateServer {
  /** What clients connect to; no other user may. */
  readonly address: string;
  readonly pid: number;
  /** True if a server left by an earlier daemon was reused. */
  readonly reused: boolean;
  /** Ends it: orderly, less so once this time has passed, finally by force. A second call does nothing. */
  stop(withinMs?: number): Promise<void>;
}

/** @throws Error if it does not start, or if other processes hold the folder for too long */
export async function startPrivateServer(
  description: ServerDescription,
  log: ServerLog,
): Promise<PrivateServer> {
  const { name, dataDir } = description;
  const deadline = performance.now() + UP_WITHIN_MS;
  for (;;) {
    const found = await description.probe();
    if (found.kind === 'running') {
      const { server } = found;
      log.info(`reusing the ${name} server of process ${server.pid} in ${dataDir}`);
      return started(server, { description, log, reused: true });
    }
    const startedAt = performance.now();
    const next = found.kind === 'busy' ? found : await description.launch();
    if (!('why' in next)) {
      const tookMs = Math.round(performance.now() - startedAt);
      log.info(`${next.title} started as process ${next.pid} in ${tookMs} ms, ${dataDir}`);
      return started(next, { description, log, reused: false });
    }
    if (performance.now() > deadline) throw new Error(`${name} in ${dataDir} ${next.why}`);
    await sleep(LOOK_EVERY_MS);
  }
}

interface StartedContext {
  readonly description: ServerDescription;
  readonly log: ServerLog;
  readonly reused: boolean;
}

function started(server: RunningServer, context: StartedContext): PrivateServer {
  const { description, log, reused } = context;
  const { pid, address } = server;
  const identity = processIdentity(pid);
  const end = async (withinMs: number): Promise<void> => {
    if (identity !== undefined && processIdentity(pid) === identity) {
      const steps = description.ending(withinMs);
      const needed = await endProcess(pid, steps);
      if (needed !== undefined && needed !== steps[0]) {
        log.warn(`${description.name} did not end within ${withinMs} ms and was ${needed.wording}`);
      }
    }
    await server.clearUp();
  };
  let stopped: Promise<void> | undefined;
  const stop = (withinMs = description.stopWithinMs): Promise<void> => {
    stopped ??= end(withinMs);
    return stopped;
  };
  return { pid, address, reused, stop };
}
