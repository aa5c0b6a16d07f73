// What is said of a pipe that breaks, and that it does not end the run: this file passes only if it does not.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

const READS_NOTHING = 'process.stderr.write("up"); setInterval(() => undefined, 1_000)';

test('a process that ends with something unread on a pipe of its own is named, and the run continues', async () => {
  const written = captured();
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

test('a pipe that is read line by line is named when it is reset, and the run continues', async () => {
  const written = captured();
  const child = spawn(process.execPath, ['-e', READS_NOTHING], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , errors, pipe] = child.stdio;
  createInterface({ input: pipe as NodeJS.ReadableStream });
  await once(errors as NodeJS.ReadableStream, 'data');
  (pipe as NodeJS.WritableStream).write('nobody reads this');
  child.kill('SIGKILL');
  await expect.poll(() => written.join('')).toMatch(/^pipe 3 of .*: read ECONNRESET\n$/);
});

/** What a callback writes to the standard error while it is at work, and later until the test ends. */
function captured(): readonly string[] {
  const written: string[] = [];
  const write = process.stderr.write;
  process.stderr.write = ((text: string) => written.push(text) > 0) as typeof write;
  onTestFinished(() => {
    process.stderr.write = write;
  });
  return written;
}

test('a socket of a test that nobody listens to is named when it is reset, and the run continues', async () => {
  const written = captured();
  const server = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  await expect
    .poll(() => written.join(''))
    .toMatch(/^a socket connected at test\/support\/broken-pipes\.test\.ts.*ECONNRESET/);
});

test('an error that is no reset continues to vitest', () => {
  const heard: Error[] = [];
  const others = process.listeners('uncaughtException').filter(({ name }) => name !== 'judge');
  for (const other of others) process.off('uncaughtException', other);
  const listen = (error: Error): void => void heard.push(error);
  process.on('uncaughtException', listen);
  const error = new Error('a fault of the program');
  for (const one of process.listeners('uncaughtException')) {
    if (one !== listen) one(error, 'uncaughtException');
  }
  process.off('uncaughtException', listen);
  for (const other of others) process.on('uncaughtException', other);
  expect(heard).toEqual([error]);
});
