// The pipes and sockets that tests open. Node resets one whose other end closes with something unread, for example that of a browser
// that is ended in the middle of a message. Where nobody listens, the error ends the whole run without a word of where it came from.
//
// On the pipe of a child process, and on a socket that a test itself opened, it is printed with where it came from, and the run continues: a
// test that needed what was on it fails by what it expects. A readline interface passes such an error on as one of its own, to which nobody
// may listen either; the error is the same, and so is what is done. On any other socket it may be the fault of the program: there the error
// stays what it is, and says where the socket was opened.

import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { type EventEmitter, errorMonitor } from 'node:events';
import { Socket } from 'node:net';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const SHOWN_WORDS = 6;
/** The functions of this file. */
const OWN_FRAMES = 3;
const SHOWN_FRAMES = 3;
const STACK_LIMIT = 30;
const WATCHED = Symbol.for('twapd: pipes and sockets are watched');
const once = globalThis as { [WATCHED]?: true };

interface Origin {
  readonly what: string;
  readonly isOfTest: boolean;
}
const origins = new WeakMap<Error, Origin>();

const isReset = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ECONNRESET' || code === 'EPIPE';

function watchPipes(child: ChildProcess): void {
  const command = child.spawnargs.slice(0, SHOWN_WORDS).join(' ');
  for (const [at, pipe] of child.stdio.entries()) {
    if (pipe !== null && pipe !== undefined) {
      remember(pipe, { what: `pipe ${at} of ${command}`, isOfTest: true });
    }
  }
}

/** The places of the repository and its packages that lead here, nearest first. */
function places(): readonly string[] {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = STACK_LIMIT;
  const { stack = '' } = new Error('opened');
  Error.stackTraceLimit = limit;
  const lines = stack.split('\n').filter((line) => /\/(src|test|node_modules)\//.test(line));
  return lines
    .slice(OWN_FRAMES)
    .map((line) => line.replace(/^.*?\/((?:src|test|node_modules)\/.*?)\)?$/, '$1'));
}

function originOfConnect(): Origin {
  const all = places();
  const shown = all.slice(0, SHOWN_FRAMES).join(' < ') || 'an event of Node';
  const own = all.find((place) => !place.startsWith('node_modules/'));
  return { what: `a socket connected at ${shown}`, isOfTest: own?.startsWith('test/') ?? false };
}

function remember(socket: EventEmitter, origin: Origin): void {
  socket.on(errorMonitor, (error: Error) => origins.set(error, origin));
}

/** Of a pipe that was neither connected nor accepted: one of a process. */
const OF_A_PROCESS: Origin = { what: 'a pipe of a process', isOfTest: true };
const isOfPipe = ({ stack = '' }: Error): boolean => stack.includes('at Pipe.onStreamRead');

/** Passes what is no reset of a test's own socket on to vitest, which leaves errors alone that anybody else listens for. */
function judge(error: Error): void {
  const origin = origins.get(error) ?? (isOfPipe(error) ? OF_A_PROCESS : undefined);
  if (origin?.isOfTest === true && isReset(error)) {
    process.stderr.write(`${origin.what}: ${error.message}\n`);
    return;
  }
  if (origin !== undefined) error.message += `, on ${origin.what}`;
  process.off('uncaughtException', judge);
  const isHeard = (process as EventEmitter).emit('uncaughtException', error, 'uncaughtException');
  process.on('uncaughtException', judge);
  if (!isHeard) throw error;
}

function watchSockets(): void {
  const connect = Socket.prototype.connect;
  Socket.prototype.connect = function (this: Socket, ...to: Parameters<typeof connect>) {
    remember(this, originOfConnect());
    return connect.apply(this, to);
  } as typeof connect;
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { socket: Socket };
    const what = `a socket accepted on port ${socket.localPort ?? 'of a file'}`;
    remember(socket, { what, isOfTest: false });
  });
  process.on('uncaughtException', judge);
}

// A worker runs several files: one subscription is enough.
if (isMainThread && once[WATCHED] === undefined) {
  once[WATCHED] = true;
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess };
    child.once('spawn', () => watchPipes(child));
  });
  watchSockets();
}
