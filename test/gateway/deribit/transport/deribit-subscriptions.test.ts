// The subscriptions of one connection, over families of channels of the test's own.
import { describe, expect, test } from 'vitest';
import type {
  ChannelFamily,
  ChannelOpening,
} from '../../../../src/gateway/deribit/channels/deribit-channel.ts';
import type { Login } from '../../../../src/gateway/deribit/method/deribit-login.ts';
import { DeribitSubscriptions } from '../../../../src/gateway/deribit/session/deribit-subscriptions.ts';
import { NotificationFrames } from '../../../../src/gateway/deribit/session/notification-frames.ts';
import { accountId } from '../../../../src/values/ids.ts';
import { TAKER } from '../../gateway-under-test.ts';

const login = (account = '10001'): Login => ({
  key: TAKER,
  account: accountId(account),
  scopes: ['trade:read'],
});

/** Knows `NAME.raw` and `NAME.100ms`, and `own.NAME` for a login; publishes 1 while it opens. */
class TestFamily implements ChannelFamily {
  readonly open_ = new Map<string, ChannelOpening>();
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  isRaw(name: string): boolean {
    return name.startsWith(this.prefix) && name.endsWith('.raw');
  }

  open(name: string, opening: ChannelOpening) {
    if (!name.startsWith(this.prefix)) return undefined;
    if (name.includes('own') && opening.login === undefined) return undefined;
    this.open_.set(name, opening);
    opening.publish('1');
    return { leave: () => void this.open_.delete(name), markets: 10 };
  }

  close(): void {
    this.open_.clear();
  }
}

function scene() {
  const families = [new TestFamily('a'), new TestFamily('b')] as const;
  const sent: string[] = [];
  const subscriptions = new DeribitSubscriptions({
    families,
    frames: new NotificationFrames(),
    // A frame has a header of two bytes, or four when it is longer than 125.
    send: (frame) => sent.push(String(frame.subarray(frame.indexOf('{')))),
    limits: { marketsMax: 40, marketsOfStrangersMax: 10 },
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { families, sent, subscriptions, settled };
}

const granted = (reply: { readonly kind: string; readonly value?: unknown }): unknown =>
  reply.kind === 'done' ? reply.value : reply;

describe('a subscription', () => {
  test('the answer has the channels that are open, each once, and leaves unknown ones out', () => {
    const { subscriptions } = scene();
    const channels = ['a.x.100ms', 'nothing', 'b.y.100ms', 'a.x.100ms', ''];
    const reply = subscriptions.subscribe({ channels, isKnown: true });
    expect(granted(reply)).toEqual(['a.x.100ms', 'b.y.100ms']);
    expect(granted(subscriptions.subscribe({ channels: ['a.x.100ms'], isKnown: true }))).toEqual([
      'a.x.100ms',
    ]);
  });

  test('a channel publishes what it begins with after the answer, with the label', async () => {
    const { subscriptions, sent, settled } = scene();
    subscriptions.subscribe({ channels: ['a.x.100ms'], isKnown: true, label: 'mine' });
    expect(sent).toEqual([]);
    await settled();
    expect(sent.map((text) => JSON.parse(text))).toEqual([
      {
        jsonrpc: '2.0',
        method: 'subscription',
        params: { channel: 'a.x.100ms', label: 'mine', data: 1 },
      },
    ]);
  });

  test('to a raw channel needs a login, and then nothing of the request is opened', () => {
    const { subscriptions, families } = scene();
    const channels = ['a.x.100ms', 'b.y.raw'];
    expect(subscriptions.subscribe({ channels, isKnown: false })).toMatchObject({ code: 13_778 });
    expect(families[0].open_.size).toBe(0);
    expect(granted(subscriptions.subscribe({ channels, isKnown: true }))).toEqual(channels);
  });

  test('to a private channel is granted to the login it is requested with', () => {
    const { subscriptions } = scene();
    const channels = ['a.own'];
    expect(granted(subscriptions.subscribe({ channels, isKnown: true }))).toEqual([]);
    const reply = subscriptions.subscribe({ channels, isKnown: true, login: login() });
    expect(granted(reply)).toEqual(channels);
    expect(granted(subscriptions.subscribe({ channels, isKnown: true }))).toEqual([]);
  });

  test('of another account takes the place of the first one', () => {
    const { subscriptions, families } = scene();
    const channels = ['a.own'];
    subscriptions.subscribe({ channels, isKnown: true, login: login() });
    subscriptions.subscribe({ channels, isKnown: true, login: login('10002') });
    expect(families[0].open_.get('a.own')?.login?.account).toBe('10002');
    expect(subscriptions.unsubscribe(channels)).toEqual(channels);
    expect(families[0].open_.size).toBe(0);
  });

  test('of a login that is over ends, and public ones stay', () => {
    const { subscriptions, families } = scene();
    subscriptions.subscribe({ channels: ['a.own', 'b.y'], isKnown: true, login: login() });
    subscriptions.prune(() => true);
    expect(families[0].open_.size).toBe(1);
    subscriptions.prune(() => false);
    expect(families[0].open_.size).toBe(0);
    expect(families[1].open_.size).toBe(1);
  });

  test('beyond the markets of a client is not granted, fewer without a login', () => {
    for (const [isKnown, most] of [
      [true, 4],
      [false, 1],
    ] as const) {
      const { subscriptions, families } = scene();
      const channels = [1, 2, 3, 4, 5].map((n) => `a.${n}`);
      expect(granted(subscriptions.subscribe({ channels, isKnown }))).toEqual(
        channels.slice(0, most),
      );
      expect(families[0].open_.size).toBe(most);
      subscriptions.unsubscribe(['a.1']);
      expect(granted(subscriptions.subscribe({ channels: ['a.5'], isKnown }))).toEqual(['a.5']);
    }
  });

  test('ends with the connection', () => {
    const { subscriptions, families } = scene();
    subscriptions.subscribe({ channels: ['a.1', 'b.2'], isKnown: true });
    expect(subscriptions.unsubscribe(['a.1', 'a.1', 'other'])).toEqual(['a.1']);
    subscriptions.close();
    expect(families.map(({ open_ }) => open_.size)).toEqual([0, 0]);
  });
});

describe('a notification', () => {
  test('a notification is framed once for all connections that get the same text', () => {
    const frames = new NotificationFrames();
    const frame = frames.frameOf('{"a":', '1', '}');
    expect(frames.frameOf('{"a":', '1', '}')).toBe(frame);
    expect(String(frames.frameOf('{"a":', '2', '}'))).toContain('{"a":2}');
    expect(String(frames.frameOf('{"b":', '2', '}'))).toContain('{"b":2}');
    for (let n = 0; n < 5_000; n += 1) frames.frameOf(`{"${n}":`, '1', '}');
    expect(String(frames.frameOf('{"a":', '3', '}'))).toContain('{"a":3}');
  });
});
