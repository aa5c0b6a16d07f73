import { expect, test } from 'vitest';
import { PendingCalls } from '../../../src/adapters/engine-link/pending-calls.ts';
import { PeerUnanswered } from '../../../src/ports/deployment/engine-peers.ts';

const HOUR_MS = 3_600_000;
const SOON_MS = 5;

const failureOf = (call: Promise<string>): Promise<unknown> =>
  call.then(
    (text) => text,
    (error: unknown) => error,
  );

test('calls that are not answered in time are given up in the order in which they were made', async () => {
  const asked = new PendingCalls('ws://engine', SOON_MS);
  const givenUp: number[] = [];
  const failures = [1, 2, 3].map(async (id) => {
    const failure = await failureOf(asked.add(id));
    givenUp.push(id);
    return failure;
  });
  for (const failure of await Promise.all(failures)) expect(failure).toBeInstanceOf(PeerUnanswered);
  expect(givenUp).toEqual([1, 2, 3]);
  expect(asked.size).toBe(0);
});

test('a call made after others were answered or given up has its own time', async () => {
  const asked = new PendingCalls('ws://engine', SOON_MS);
  const answered = asked.add(1);
  asked.answered(1, 'one');
  expect(await answered).toBe('one');
  expect(await failureOf(asked.add(2))).toBeInstanceOf(PeerUnanswered);
  expect(await failureOf(asked.add(3))).toBeInstanceOf(PeerUnanswered);
});

test('answers come in any order, one that nobody waits for is passed over, and a lost link ends the rest', async () => {
  const asked = new PendingCalls('ws://engine', HOUR_MS);
  const calls = [1, 2, 3].map((id) => failureOf(asked.add(id)));
  asked.answered(3, 'three');
  asked.answered(1, 'one');
  asked.answered(1, 'once more');
  asked.answered(9, 'nobody');
  expect(asked.size).toBe(1);
  asked.lose();
  const [first, second, third] = await Promise.all(calls);
  expect([first, third]).toEqual(['one', 'three']);
  expect(second).toBeInstanceOf(PeerUnanswered);
});
