// Subscriptions to public channels: how many calls they take, and what becomes of those that the venue leaves out,
// refuses or does not answer.
import { describe, expect, test } from 'vitest';
import { PublicChannels } from '../../../../src/adapters/deribit/market/public-channels.ts';
import type { Outcome, Params } from '../../../../src/adapters/deribit/outcome.ts';
import { later } from '../../../../src/values/instant.ts';
import { rng } from '../../../../src/values/rng.ts';
import { VirtualClock } from '../../../../src/virtual/virtual-clock.ts';
import { NOON, settle } from '../../paper/paper-stage.ts';

type Answer = (channels: readonly string[]) => Outcome | Promise<Outcome>;

interface Call {
  readonly method: 'subscribe' | 'unsubscribe';
  readonly channels: readonly string[];
}

class Scene {
  readonly clock = new VirtualClock(NOON);
  readonly calls: Call[] = [];
  readonly faults: string[] = [];
  /** What the venue answers to subscribing; default: everything is granted. */
  answer: Answer = (channels) => ({ kind: 'result', value: channels });
  readonly channels = new PublicChannels({
    clock: this.clock,
    rng: rng('channels'),
    request: (method, params) => this.#request(method, params),
    onFault: (error) => this.faults.push(String(error)),
  });

  static up(): Scene {
    const scene = new Scene();
    scene.channels.up();
    return scene;
  }

  async #request(method: string, { channels }: Params): Promise<Outcome> {
    const call = {
      method: method.split('/')[1] as Call['method'],
      channels: channels as readonly string[],
    };
    this.calls.push(call);
    await Promise.resolve();
    return call.method === 'subscribe'
      ? await this.answer(call.channels)
      : { kind: 'result', value: channels };
  }

  listen(...names: readonly string[]): () => void {
    const leaves = names.map((name) => this.channels.listen(name, () => undefined));
    return () => {
      for (const leave of leaves) leave();
    };
  }

  pass(forMs: number): Promise<void> {
    return this.clock.run(later(this.clock.now(), forMs), settle);
  }
}

const subscribed = (...channels: readonly string[]): Call => ({ method: 'subscribe', channels });
const unsubscribed = (...channels: readonly string[]): Call => ({
  method: 'unsubscribe',
  channels,
});

describe('public channels', () => {
  test('Channels wanted at one time are subscribed to in one call, and a second listener takes none', async () => {
    const scene = Scene.up();
    scene.listen('a', 'b');
    scene.listen('b', 'c');
    await scene.pass(100);
    expect(scene.calls).toEqual([subscribed('a', 'b', 'c')]);
  });

  test('Every listener of a channel receives its messages until it leaves, and the last ends the subscription', async () => {
    const scene = Scene.up();
    const seen: string[] = [];
    const leaves = ['one', 'two'].map((who) =>
      scene.channels.listen('a', (data) => seen.push(`${who} ${String(data)}`)),
    );
    await scene.pass(100);
    scene.channels.receive('a', 1);
    leaves[0]?.();
    await scene.pass(100);
    scene.channels.receive('a', 2);
    leaves[1]?.();
    await scene.pass(100);
    scene.channels.receive('a', 3);
    expect(seen).toEqual(['one 1', 'two 1', 'two 2']);
    expect(scene.calls).toEqual([subscribed('a'), unsubscribed('a')]);
  });

  test('More channels than a call takes are split by number and by the length of their names', async () => {
    const scene = Scene.up();
    scene.listen(...Array.from({ length: 1_100 }, (_, index) => `short.${index}`));
    const long = 'x'.repeat(100);
    scene.listen(...Array.from({ length: 400 }, (_, index) => `${long}.${index}`));
    await scene.pass(100);
    const sizes = scene.calls.map(({ channels }) => channels.length);
    expect(Math.max(...sizes)).toBe(500);
    expect(sizes.reduce((sum, one) => sum + one)).toBe(1_500);
    for (const { channels } of scene.calls) {
      expect(JSON.stringify(channels).length).toBeLessThan(30_000);
    }
  });

  test('One call is sent at a time, so that what is wanted meanwhile goes out together', async () => {
    const scene = Scene.up();
    const first = Promise.withResolvers<Outcome>();
    scene.answer = () => first.promise;
    scene.listen('a');
    await scene.pass(100);
    scene.listen('b');
    await scene.pass(100);
    scene.listen('c');
    await scene.pass(100);
    expect(scene.calls).toEqual([subscribed('a')]);
    scene.answer = (channels) => ({ kind: 'result', value: channels });
    first.resolve({ kind: 'result', value: ['a'] });
    await scene.pass(100);
    expect(scene.calls).toEqual([subscribed('a'), subscribed('b', 'c')]);
  });

  test('A channel left out of the answer is reported once and tried again with growing pauses', async () => {
    const scene = Scene.up();
    scene.answer = () => ({ kind: 'result', value: ['a'] });
    scene.listen('a', 'gone');
    await scene.pass(100);
    expect(scene.channels.isHeld('a')).toBe(true);
    expect(scene.channels.isHeld('gone')).toBe(false);
    await scene.pass(3_600_000);
    expect(scene.faults).toEqual(['Error: not subscribed to gone: left out of the answer']);
    const tries = scene.calls.filter(({ channels }) => channels.includes('gone')).length;
    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThan(40);
    expect(scene.calls.filter(({ channels }) => channels.includes('a'))).toHaveLength(1);
    scene.answer = (channels) => ({ kind: 'result', value: channels });
    await scene.pass(300_000);
    expect(scene.channels.isHeld('gone')).toBe(true);
  });

  test('A channel without listeners is not tried again', async () => {
    const scene = Scene.up();
    scene.answer = () => ({ kind: 'result', value: [] });
    const leave = scene.listen('gone');
    await scene.pass(100);
    leave();
    await scene.pass(3_600_000);
    expect(scene.calls).toEqual([subscribed('gone')]);
  });

  test('Everything wanted is subscribed to again after a break, also what was refused before', async () => {
    const scene = Scene.up();
    scene.answer = (channels) => ({ kind: 'result', value: channels.filter((one) => one !== 'c') });
    scene.listen('a', 'b', 'c');
    await scene.pass(100);
    scene.channels.down();
    scene.listen('d');
    await scene.pass(10_000);
    expect(scene.calls).toHaveLength(1);
    scene.channels.up();
    await scene.pass(100);
    expect(scene.calls.at(-1)).toEqual(subscribed('a', 'b', 'c', 'd'));
  });

  test('An answer of an earlier connection says nothing about the current one', async () => {
    const scene = Scene.up();
    const late = Promise.withResolvers<Outcome>();
    scene.answer = () => late.promise;
    scene.listen('a');
    await scene.pass(100);
    scene.channels.down();
    scene.answer = () => ({ kind: 'result', value: [] });
    scene.channels.up();
    late.resolve({ kind: 'result', value: ['a'] });
    await scene.pass(100);
    expect(scene.channels.isHeld('a')).toBe(false);
  });

  test('A refused call is repeated in halves until the channel that is refused is alone', async () => {
    const scene = Scene.up();
    const refusal: Outcome = { kind: 'error', code: -32602, message: 'Invalid params' };
    scene.answer = (channels) =>
      channels.includes('bad') ? refusal : { kind: 'result', value: channels };
    scene.listen('a', 'b', 'bad', 'c', 'd', 'e', 'f', 'g');
    await scene.pass(900);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      expect([name, scene.channels.isHeld(name)]).toEqual([name, true]);
    }
    expect(scene.faults).toEqual(['Error: not subscribed to bad: -32602 Invalid params']);
  });

  test('A call without an answer is repeated after unsubscribing, because it may have had its effect', async () => {
    const scene = Scene.up();
    scene.answer = () => ({ kind: 'unknown', reason: 'no answer' });
    scene.listen('a');
    await scene.pass(100);
    scene.answer = (channels) => ({ kind: 'result', value: channels });
    await scene.pass(2_000);
    expect(scene.calls).toEqual([subscribed('a'), unsubscribed('a'), subscribed('a')]);
    expect(scene.channels.isHeld('a')).toBe(true);
  });

  test('A renewed channel is unsubscribed from and subscribed to; one that is not held is left alone', async () => {
    const scene = Scene.up();
    scene.answer = () => ({ kind: 'result', value: ['a'] });
    scene.listen('a', 'gone');
    await scene.pass(100);
    scene.channels.renew('a');
    scene.channels.renew('gone');
    await scene.pass(100);
    expect(scene.calls.slice(1)).toEqual([unsubscribed('a'), subscribed('a')]);
  });

  test('A listener that comes right after the last one left has the first message of a new subscription', async () => {
    const scene = Scene.up();
    scene.listen('a')();
    scene.listen('a');
    await scene.pass(100);
    const leave = scene.listen('b');
    await scene.pass(100);
    leave();
    scene.listen('b');
    await scene.pass(100);
    expect(scene.calls).toEqual([
      subscribed('a'),
      subscribed('b'),
      unsubscribed('b'),
      subscribed('b'),
    ]);
  });
});
