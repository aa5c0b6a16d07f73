// Contract of every EngineLine: a gateway's connection to an engine.
import { expect, test } from 'vitest';
import type { EngineLine, LineCall, ServeLine } from '../../../src/ports/deployment/engine-line.ts';
import { PeerUnanswered, PeerUnreached } from '../../../src/ports/deployment/engine-peers.ts';

export interface LineStage {
  readonly line: EngineLine;
  /** Starts the engine, or its next life; resolves when the line is connected to it. */
  readonly connect: (serving: ServeLine) => Promise<void>;
  /** Ends the engine, as a kill does; resolves when the line has noticed. */
  readonly disconnect: () => Promise<void>;
  /** How many calls may be under way. */
  readonly callsMax: number;
}

const nothing = (): (() => void) => () => undefined;

const answering = (call: (call: LineCall) => Promise<string>): ServeLine => ({
  call,
  follow: nothing,
});

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => `answered: ${String(value)}`,
    (error: unknown) => error,
  );

const PLACE: LineCall = { method: 'orders.place', text: '[]', lane: 'change' };
const never = (): Promise<string> => new Promise(() => undefined);

export function engineLineConformance(stage: () => Promise<LineStage>): void {
  test('a call reaches the engine with all that it carries, and its answer comes back', async () => {
    const { line, connect } = await stage();
    const seen: LineCall[] = [];
    await connect(
      answering((call) => {
        seen.push(call);
        return Promise.resolve(`answer to ${call.text}`);
      }),
    );
    const text = '[{"quantity":{"$decimal":"0.1"}},"ünïcode \\n \\u001e"]';
    const by = { rid: 'r\u001e\n1', method: 'private/buy', uid: '7', scopes: ['trade'] } as const;
    expect(await line.call({ method: 'orders.place', text, by })).toBe(`answer to ${text}`);
    expect(seen).toMatchObject([{ method: 'orders.place', text, by }]);
  });

  test('calls begin in the order in which they were made, whichever is answered first', async () => {
    const { line, connect } = await stage();
    const begun: string[] = [];
    const answers: (() => void)[] = [];
    await connect(
      answering(({ text }) => {
        begun.push(text);
        return new Promise((resolve) => {
          answers.push(() => resolve(`answer ${text}`));
          if (answers.length === 4) for (const give of answers.reverse()) give();
        });
      }),
    );
    const texts = ['[0]', '[1]', '[2]', '[3]'];
    const calls = texts.map((text) => line.call({ ...PLACE, text }));
    expect(await Promise.all(calls)).toEqual(texts.map((text) => `answer ${text}`));
    expect(begun).toEqual(texts);
  });

  test('notices arrive in their order, and before an answer that is given after them', async () => {
    const { line, connect } = await stage();
    let notify: (text: string) => void = () => undefined;
    await connect({
      call: () => {
        for (const text of ['"first"', '"second"']) notify(text);
        return Promise.resolve('"answer"');
      },
      follow: (_call, send) => {
        notify = send;
        return () => undefined;
      },
    });
    const heard: string[] = [];
    line.follow({ method: 'orders.follow', text: '[]' }, (text) => heard.push(text));
    heard.push(await line.call(PLACE));
    expect(heard).toEqual(['"first"', '"second"', '"answer"']);
  });

  test('a subscription that is left ends at the engine, and its follower hears no more', async () => {
    const { line, connect } = await stage();
    const { promise: isLeft, resolve: left } = Promise.withResolvers<void>();
    let notify: (text: string) => void = () => undefined;
    await connect({
      call: () => Promise.resolve('""'),
      follow: (_call, send) => {
        notify = send;
        return left;
      },
    });
    const heard: string[] = [];
    const leave = line.follow({ method: 'orders.follow', text: '[]' }, (text) => heard.push(text));
    await line.call(PLACE);
    leave();
    await isLeft;
    notify('"late"');
    await line.call(PLACE);
    expect(heard).toEqual([]);
  });

  test('a call without a connection was not made', async () => {
    const { line, connect, disconnect } = await stage();
    await connect(answering(() => Promise.resolve('here')));
    await disconnect();
    expect(line.isConnected).toBe(false);
    expect(await failureOf(line.call(PLACE))).toBeInstanceOf(PeerUnreached);
  });

  test('a call whose engine ends before its answer may have been made', async () => {
    const { line, connect, disconnect } = await stage();
    const { promise: isBegun, resolve: begun } = Promise.withResolvers<void>();
    await connect(
      answering(() => {
        begun();
        return never();
      }),
    );
    const failed = failureOf(line.call(PLACE));
    await isBegun;
    await disconnect();
    expect(await failed).toBeInstanceOf(PeerUnanswered);
  });

  test('every connection is announced, and what was followed on the one before has ended', async () => {
    const { line, connect, disconnect } = await stage();
    let announced = 0;
    line.onConnected(() => {
      announced += 1;
    });
    const { promise: hasEnded, resolve: ended } = Promise.withResolvers<void>();
    await connect({ call: () => Promise.resolve('""'), follow: () => ended });
    line.follow({ method: 'orders.follow', text: '[]' }, () => undefined);
    await line.call(PLACE);
    await disconnect();
    await hasEnded;
    await connect(answering(() => Promise.resolve('"next life"')));
    expect(await line.call(PLACE)).toBe('"next life"');
    expect(announced).toBe(2);
  });

  test('a listener that is added while there is a connection is called at once', async () => {
    const { line, connect } = await stage();
    let announced = 0;
    const count = (): void => {
      announced += 1;
    };
    await connect(answering(() => Promise.resolve('here')));
    line.onConnected(count);
    expect(announced).toBe(1);
  });

  test('without a connection nothing is followed, and to leave it has no effect', async () => {
    const { line, connect, disconnect } = await stage();
    const followed: string[] = [];
    const serving: ServeLine = {
      call: () => Promise.resolve('"here"'),
      follow: ({ text }) => {
        followed.push(text);
        return () => undefined;
      },
    };
    await connect(serving);
    const leave = line.follow({ method: 'orders.follow', text: '["before"]' }, () => undefined);
    await line.call(PLACE);
    await disconnect();
    const leaveNothing = line.follow(
      { method: 'orders.follow', text: '["without"]' },
      () => undefined,
    );
    await connect(serving);
    for (const again of [leave, leave, leaveNothing]) again();
    expect(await line.call(PLACE)).toBe('"here"');
    expect(followed).toEqual(['["before"]']);
  });

  test('after the close no call is made, and those under way may have been', async () => {
    const { line, connect } = await stage();
    const { promise: isBegun, resolve: begun } = Promise.withResolvers<void>();
    await connect(
      answering(() => {
        begun();
        return never();
      }),
    );
    const underWay = failureOf(line.call(PLACE));
    await isBegun;
    const closing = line.close();
    expect(line.isConnected).toBe(false);
    expect(await failureOf(line.call(PLACE))).toBeInstanceOf(PeerUnreached);
    await closing;
    expect(await underWay).toBeInstanceOf(PeerUnanswered);
    await line.close();
  });

  test('more calls than may be under way are not made, except urgent ones', async () => {
    const { line, connect, disconnect, callsMax } = await stage();
    const made: string[] = [];
    await connect(
      answering(({ method }) => {
        made.push(method);
        return method === 'orders.cancel' ? Promise.resolve('"cancelled"') : never();
      }),
    );
    const calls = Array.from({ length: callsMax }, () => failureOf(line.call(PLACE)));
    expect(await failureOf(line.call(PLACE))).toBeInstanceOf(PeerUnreached);
    const cancel = { method: 'orders.cancel', text: '[]', lane: 'urgent' } as const;
    expect(await line.call(cancel)).toBe('"cancelled"');
    expect(made.filter((method) => method === 'orders.place')).toHaveLength(callsMax);
    await disconnect();
    for (const failure of await Promise.all(calls)) expect(failure).toBeInstanceOf(PeerUnanswered);
  });

  test('reads leave half of the places to changes', async () => {
    const { line, connect, disconnect, callsMax } = await stage();
    await connect(
      answering(({ method }) =>
        method === 'orders.place' ? Promise.resolve('"placed"') : never(),
      ),
    );
    const read = { method: 'market.ticker', text: '[]', lane: 'read' } as const;
    const reads = Array.from({ length: callsMax / 2 }, () => failureOf(line.call(read)));
    expect(await failureOf(line.call(read))).toBeInstanceOf(PeerUnreached);
    expect(await line.call(PLACE)).toBe('"placed"');
    await disconnect();
    for (const failure of await Promise.all(reads)) expect(failure).toBeInstanceOf(PeerUnanswered);
  });
}
