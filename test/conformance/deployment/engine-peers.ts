// Contract of every EnginePeers: calls between the engines of a deployment.
import { expect, test } from 'vitest';
import type {
  AnswerCall,
  AnswerFollow,
  EnginePeers,
} from '../../../src/ports/deployment/engine-peers.ts';
import { PeerUnanswered, PeerUnreached } from '../../../src/ports/deployment/engine-peers.ts';
import { until } from '../../adapters/until.ts';

export interface PeersStage {
  readonly peers: EnginePeers;
  /** Opens an engine that answers and notifies like this, and returns its address. */
  readonly open: (answer: AnswerCall, notify?: AnswerFollow) => Promise<string>;
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

  test('nobody is reached at an address that is none', async () => {
    const { peers } = await stage();
    for (const address of ['', 'nowhere', 'ftp://127.0.0.1:1', 'ws://127.0.0.1:99999']) {
      const failure = await failureOf(peers.call(address, { method: 'orders.place', text: '[]' }));
      expect(failure, address).toBeInstanceOf(PeerUnreached);
      const late = follower();
      peers.follow(address, { method: 'orders.follow', text: '[]' }, late);
      await until(() => late.ends.length === 1);
      expect(late.ends[0], address).toBeInstanceOf(PeerUnreached);
    }
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

  test('what is followed arrives in order, until it is left', async () => {
    const { peers, open } = await stage();
    const served = new Notifying();
    const address = await open(nothing, served.notify);
    const [one, other] = [follower(), follower()];
    const text = '["a venue"]';
    const leave = peers.follow(address, { method: 'orders.follow', text }, one);
    peers.follow(address, { method: 'rfqs.follow', text }, other);
    await until(() => served.followed.length === 2);
    expect(served.followed).toEqual([`orders.follow ${text}`, `rfqs.follow ${text}`]);
    for (let n = 0; n < 20; n += 1) served.send(`{"n":${n}}`);
    await until(() => one.heard.length === 20 && other.heard.length === 20);
    expect(one.heard).toEqual(other.heard);
    expect(one.heard).toEqual(Array.from({ length: 20 }, (_, n) => `{"n":${n}}`));
    leave();
    await until(() => served.followed.length === 1);
    served.send('{"n":20}');
    await until(() => other.heard.length === 21);
    expect(one.heard).toHaveLength(20);
    expect([...one.ends, ...other.ends]).toEqual([]);
  });

  test('a follower is notified once that its engine is gone, or was never there, unless it left', async () => {
    const { peers, open, end } = await stage();
    const served = new Notifying();
    const address = await open(nothing, served.notify);
    const [followed, left, late] = [follower(), follower(), follower()];
    const call = { method: 'orders.follow', text: '[]' };
    peers.follow(address, call, followed);
    const leave = peers.follow(address, call, left);
    await until(() => served.followed.length === 2);
    leave();
    await end(address);
    await until(() => followed.ends.length === 1);
    expect(followed.ends[0]).toBeInstanceOf(PeerUnanswered);
    peers.follow(address, call, late);
    await until(() => late.ends.length === 1);
    expect(late.ends[0]).toBeInstanceOf(PeerUnreached);
    expect(followed.ends).toHaveLength(1);
    expect(left.ends).toEqual([]);
  });

  test('one that leaves before its engine is reached follows nothing, and is not notified of an end', async () => {
    const { peers, open, end } = await stage();
    const served = new Notifying();
    const address = await open(nothing, served.notify);
    const [left, other] = [follower(), follower()];
    const call = { method: 'orders.follow', text: '[]' };
    peers.follow(address, call, left)();
    peers.follow(address, call, other);
    await until(() => served.followed.length > 0);
    served.send('{"n":1}');
    await until(() => other.heard.length === 1);
    expect(served.followed).toHaveLength(1);
    await end(address);
    await until(() => other.ends.length === 1);
    expect([left.heard, left.ends]).toEqual([[], []]);
  });

  test('after the close no call is made, and those under way may have been', async () => {
    const { peers, open } = await stage();
    const served = new Notifying();
    const { promise: isBegun, resolve: begun } = Promise.withResolvers<void>();
    const address = await open(() => {
      begun();
      return new Promise(() => undefined);
    }, served.notify);
    const [followed, late] = [follower(), follower()];
    const call = { method: 'orders.place', text: '[]' };
    const underWay = failureOf(peers.call(address, call));
    peers.follow(address, call, followed);
    await isBegun;
    await until(() => served.followed.length === 1);
    await peers.close();
    expect(await underWay).toBeInstanceOf(PeerUnanswered);
    await until(() => followed.ends.length === 1);
    expect(followed.ends[0]).toBeInstanceOf(PeerUnanswered);
    expect(await failureOf(peers.call(address, call))).toBeInstanceOf(PeerUnreached);
    peers.follow(address, call, late);
    await until(() => late.ends.length === 1);
    expect(late.ends[0]).toBeInstanceOf(PeerUnreached);
    await peers.close();
  });
}

const nothing: AnswerCall = () => Promise.resolve('');

/** An engine that notifies everybody who follows. */
class Notifying {
  readonly #followers = new Map<(text: string) => void, string>();

  readonly notify: AnswerFollow = ({ method, text }, notify) => {
    const own = (notice: string): void => notify(notice);
    this.#followers.set(own, `${method} ${text}`);
    return () => this.#followers.delete(own);
  };

  get followed(): readonly string[] {
    return [...this.#followers.values()];
  }

  send(text: string): void {
    for (const notify of this.#followers.keys()) notify(text);
  }
}

function follower() {
  const heard: string[] = [];
  const ends: unknown[] = [];
  return {
    heard,
    ends,
    notice: (text: string): void => void heard.push(text),
    ended: (why: unknown): void => void ends.push(why),
  };
}
