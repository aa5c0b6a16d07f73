// The AsyncAPI document of both WebSockets, generated from the validating schemas and the method table.
// Operations are described from the daemon's side: it receives what clients send.
import { z } from 'zod';
import type { Method } from '../order-api/method.ts';
import { METHODS } from '../order-api/method-table.ts';
import { ASKED, type Message, TOLD } from './asyncapi-frames.ts';

type Json = Readonly<Record<string, unknown>>;

const rid = z.union([z.string(), z.int()]);
const notification = z.object({
  method: z.enum(['subscription', 'gap', 'resync', 'heartbeat']),
  params: z.record(z.string(), z.unknown()),
});

/** Builds the document; without portfolios there is only one WebSocket. */
export function asyncApi(version: string, hasPortfolios: boolean): Json {
  const methods = [...METHODS.values()];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'twapd',
      version,
      description:
        'Credentials: the query of /ws/portfolio, the handshake headers of /ws/api. See docs/interface.md.',
    },
    defaultContentType: 'application/json',
    channels: {
      ...(hasPortfolios && { portfolio: portfolioChannel() }),
      methods: methodsChannel(methods),
    },
    operations: {
      ...(hasPortfolios && portfolioOperations()),
      ...Object.fromEntries(methods.map((method) => [keyOf(method), methodOperation(method)])),
      notify: sends('methods', ['notification']),
    },
  };
}

function portfolioChannel(): Json {
  const messages = Object.entries({ ...ASKED, ...TOLD });
  return {
    address: '/ws/portfolio',
    messages: Object.fromEntries(messages.map(([name, one]) => [name, messageOf(name, one)])),
  };
}

function portfolioOperations(): Json {
  const asked = Object.keys(ASKED).map((name) => [
    name,
    receives('portfolio', { asked: name, answer: 'answer' }),
  ]);
  const told = Object.keys(TOLD).filter((name) => name !== 'answer');
  return { ...Object.fromEntries(asked), push: sends('portfolio', told) };
}

function methodsChannel(methods: readonly Method[]): Json {
  const messages = methods.flatMap(messagesOf);
  const told = {
    title: 'Notifications of subscribed channels, and heartbeats',
    payload: notification,
  };
  return {
    address: '/ws/api',
    messages: {
      ...Object.fromEntries(messages),
      notification: messageOf('notification', told),
    },
  };
}

const inAdvance = new WeakMap<Method, readonly (readonly [string, Json])[]>();

function messagesOf(method: Method): readonly (readonly [string, Json])[] {
  const known = inAdvance.get(method);
  if (known !== undefined) return known;
  const { name, summary, params, result, example } = method;
  const request = z.object({ rid, method: z.literal(name), params });
  const refusal = z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() });
  const payload = z.union([z.object({ rid, result }), z.object({ rid, error: refusal })]);
  const key = keyOf(method);
  const asked = {
    title: summary,
    payload: request,
    example: { rid: 1, method: name, params: example },
  };
  const made = [
    [key, messageOf(name, asked)],
    [`${key}Answer`, messageOf(`${name} answer`, { title: `Answer to ${name}`, payload })],
  ] as const;
  inAdvance.set(method, made);
  return made;
}

/** Describes the methods in advance, one at a time. */
export function* describeMethods(): Iterable<void> {
  for (const method of METHODS.values()) {
    messagesOf(method);
    yield;
  }
}

const methodOperation = (method: Method): Json => {
  const key = keyOf(method);
  return receives('methods', { asked: key, answer: `${key}Answer` });
};

/** Converts a method name to a valid AsyncAPI component name: `private/get_order_state` is not one. */
const keyOf = ({ name }: Method): string => name.replaceAll('/', '.');

const channelRef = (channel: string): Json => ({ $ref: `#/channels/${channel}` });
const messageRef = (channel: string, message: string): Json => ({
  $ref: `#/channels/${channel}/messages/${message}`,
});

const receives = (
  channel: string,
  { asked, answer }: { readonly asked: string; readonly answer: string },
): Json => ({
  action: 'receive',
  channel: channelRef(channel),
  messages: [messageRef(channel, asked)],
  reply: { channel: channelRef(channel), messages: [messageRef(channel, answer)] },
});

const sends = (channel: string, messages: readonly string[]): Json => ({
  action: 'send',
  channel: channelRef(channel),
  messages: messages.map((message) => messageRef(channel, message)),
});

function messageOf(name: string, { title, payload, example }: Message): Json {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(payload, {
    io: 'input',
    unrepresentable: 'any',
  });
  return {
    name,
    title,
    payload: schema,
    ...(example === undefined ? {} : { examples: [{ name: 'example', payload: example }] }),
  };
}
