// What is said of a pipe that breaks, and that it does not end the run: this file passes only if it does not.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';

const READS_NOTHING = 'process.stderr.write("up"); setInterval(() => undefined, 1_000)';

test('a process that ends with something unread on a pipe of its own is named, and the run goes on', async () => {
  const written: string[] = [];
  const write = process.stderr.write;
  process.stderr.write = ((text: string) => written.push(text) > 0) as typeof write;
  onTestFinished(() => {
    process.stderr.write = write;
  });
  const child = spawn(process.execPath, ['-e', READS_NOTHING], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , errors, pipe] = child.stdio;
  await once(errors as NodeJS.ReadableStream, 'data');
  (pipe as NodeJS.WritableStream).write('nobody reads this');
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
  await expect.poll(() => written.join('')).toMatch(/^pipe 3 of .*: read ECONNRESET\n$/);
});
