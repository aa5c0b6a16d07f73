import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type BatchSocket, FrameBatch } from '../../../src/adapters/engine-link/frame-batch.ts';
import { framesOf } from '../../../src/adapters/engine-link/link-frames.ts';

/** What happens, in order; a message by the numbers of its frames. */
function batchInto(happened: (string | readonly number[])[]): FrameBatch {
  const socket: BatchSocket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (message: unknown) => {
      happened.push((framesOf(String(message)) ?? []).map(({ id }) => id));
    },
  };
  return new FrameBatch(socket);
}

const answer = (id: number) => ({ kind: 'answer', id, text: 'null' }) as const;

test('the frames of one callback are one message, which leaves before the next callback', async () => {
  const happened: (string | readonly number[])[] = [];
  const frames = batchInto(happened);
  await new Promise<void>((done) => {
    setImmediate(() => {
      frames.send(answer(1));
      frames.send(answer(2));
      happened.push('end of the callback');
    });
    setImmediate(() => {
      happened.push('next callback');
      done();
    });
  });
  expect(happened).toEqual(['end of the callback', [1, 2], 'next callback']);
});

test('answers that became known with one write are one message', async () => {
  const happened: (string | readonly number[])[] = [];
  const frames = batchInto(happened);
  const { promise: written, resolve } = Promise.withResolvers<void>();
  for (const id of [1, 2, 3]) void written.then(() => frames.send(answer(id)));
  setImmediate(() => process.nextTick(resolve));
  await nextTurn();
  await nextTurn();
  expect(happened).toEqual([[1, 2, 3]]);
});
