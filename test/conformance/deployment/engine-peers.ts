// Contract of every EnginePeers: calls between the engines of a deployment.
import { expect, test } from 'vitest';
import type { AnswerCall, EnginePeers } from '../../../src/ports/deployment/engine-peers.ts';
import { PeerUnanswered, PeerUnreached } from '../../../src/ports/deployment/engine-peers.ts';

export interface PeersStage {
  readonly peers: EnginePeers;
  /** Opens an engine that answers like this, and returns its address. */
  readonly open: (answer: AnswerCall) => Promise<string>;
  /** Ends the engine at the address, as a kill does. */
  readonly end: (address: string) => Promise<void>;
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => `answered: ${String(value)}`,
    (error: unknown) => error,
  );

export function enginePeersConformance(stage: () => Promise<PeersStage>): void {
  test('a call reaches the engine at its address, and its answer comes back', async () => {
    const { peers, open } = await stage();
    const [one, other] = await Promise.all(
      ['one', 'other'].map((name) =>
        open(({ method, text }) => Promise.resolve(`${name} ${method} ${text}`)),
      ),
    );
    const text = '[{"quantity":{"$decimal":"0.1"}},"ünïcode \\n"]';
    const calls = [one, other, one].map((address, index) =>
      peers.call(address ?? '', { method: `orders.place${index}`, text }),
    );
    expect(await Promise.all(calls)).toEqual([
      `one orders.place0 ${text}`,
      `other orders.place1 ${text}`,
      `one orders.place2 ${text}`,
    ]);
  });

  test('calls begin in the order in which they were made, whichever is answered first', async () => {
    const { peers, open } = await stage();
    const begun: string[] = [];
    const answers: (() => void)[] = [];
    const address = await open(({ text }) => {
      begun.push(text);
      return new Promise((resolve) => {
        answers.push(() => resolve(`answer ${text}`));
        if (answers.length === 20) for (const give of answers.reverse()) give();
      });
    });
    const texts = Array.from({ length: 20 }, (_, index) => `[${index}]`);
    const calls = texts.map((text) => peers.call(address, { method: 'orders.place', text }));
    expect(await Promise.all(calls)).toEqual(texts.map((text) => `answer ${text}`));
    expect(begun).toEqual(texts);
  });

  test('a call to an address where no engine is was not made', async () => {
    const { peers, open, end } = await stage();
    const address = await open(() => Promise.resolve('here'));
    await end(address);
    const failure = await failureOf(peers.call(address, { method: 'orders.place', text: '[]' }));
    expect(failure).toBeInstanceOf(PeerUnreached);
  });

  test('a call whose engine ends before its answer may have been made', async () => {
    const { peers, open, end } = await stage();
    const { promise: isBegun, resolve: begun } = Promise.withResolvers<void>();
    const address = await open(() => {
      begun();
      return new Promise(() => undefined);
    });
    const failed = failureOf(peers.call(address, { method: 'orders.place', text: '[]' }));
    await isBegun;
    await end(address);
    expect(await failed).toBeInstanceOf(PeerUnanswered);
  });

  test('an engine that ended is reached again at the address of its next life', async () => {
    const { peers, open, end } = await stage();
    const address = await open(() => Promise.resolve('first life'));
    expect(await peers.call(address, { method: 'm', text: '[]' })).toBe('first life');
    await end(address);
    const next = await open(() => Promise.resolve('next life'));
    expect(await peers.call(next, { method: 'm', text: '[]' })).toBe('next life');
  });
}
