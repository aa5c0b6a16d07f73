// The pipes to the processes that tests start. Node resets a pipe whose other end closes with something unread, for example that of
// a browser that is ended in the middle of a message. Where nobody listens, the error would end the whole run without a word of which
// process it was; here it is printed with the command. A test that needed what was on the pipe fails by what it expects.

import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const SHOWN_WORDS = 6;
const WATCHED = Symbol.for('twapd: the pipes of children are watched');
const once = globalThis as { [WATCHED]?: true };

function watch(child: ChildProcess): void {
  const command = child.spawnargs.slice(0, SHOWN_WORDS).join(' ');
  for (const [at, pipe] of child.stdio.entries()) {
    pipe?.on('error', (error: NodeJS.ErrnoException) => {
      const isReset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      if (pipe.listenerCount('error') > 1) return;
      if (!isReset) throw error;
      process.stderr.write(`pipe ${at} of ${command}: ${error.message}\n`);
    });
  }
}

// A worker runs several files: one subscription is enough.
if (isMainThread && once[WATCHED] === undefined) {
  once[WATCHED] = true;
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess };
    child.once('spawn', () => watch(child));
  });
}
