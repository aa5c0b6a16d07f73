// A client of the order methods: signs and sends single requests, and follows channels over a WebSocket. Every
// outcome is a value; a request is sent only once, so its outcome may be unknown.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type ClientKey, signedHeaders } from '../auth/signed-stamp.ts';
import { closeSocket } from '../wire/close-socket.ts';

export interface MethodClientOptions extends ClientKey {
  /** For example `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly timeoutMs?: number;
  /** Unix milliseconds; defaults to the clock of this machine. */
  readonly now?: () => number;
}

export type MethodAnswer<T = unknown> =
  | { readonly kind: 'done'; readonly value: T }
  | {
      readonly kind: 'refused';
      readonly code: number;
      readonly message: string;
      readonly param: string;
      readonly reason: string;
      /** Set on temporary refusals. */
      readonly retryAfterSec?: number | undefined;
    }
  /** The request was sent and may have taken effect. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** The connection could not be made: nothing was done. */
  | { readonly kind: 'unreachable'; readonly reason: string };

const TIMEOUT_MS = 15_000;
const OUTCOME_UNKNOWN = 13028;
const HEARTBEAT_MS = 30_000;
/** Close codes. */
const [NORMAL, INVALID_PAYLOAD] = [1000, 1007] as const;

const answerShape = z.union([
  z.object({
    error: z.object({
      code: z.int(),
      message: z.string(),
      data: z
        .object({ param: z.string(), reason: z.string(), retryAfterSec: z.int().optional() })
        .optional(),
    }),
  }),
  z.object({ result: z.unknown() }),
]);

/** Sends one request. The gateway's own tests guarantee the shape of the value. */
export async function requestMethod<T = unknown>(
  options: MethodClientOptions,
  method: string,
  params: object,
): Promise<MethodAnswer<T>> {
  const target = `/api/${method}`;
  const text = JSON.stringify(params);
  const nowMs = (options.now ?? Date.now)();
  const headers = {
    ...signedHeaders(options, nowMs, { method: 'POST', target, body: Buffer.from(text) }),
    'Content-Type': 'application/json',
  };
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  try {
    const request = { method: 'POST', headers, body: text, signal };
    const response = await fetch(options.baseUrl + target, request);
    const read = answerShape.safeParse(await response.json());
    if (!read.success) return { kind: 'unknown', reason: `HTTP ${response.status}: no answer` };
    return 'error' in read.data
      ? refusalOf(read.data.error)
      : { kind: 'done', value: read.data.result as T };
  } catch (error) {
    return failureOf(error as Error);
  }
}

function refusalOf(error: {
  readonly code: number;
  readonly message: string;
  readonly data?:
    | {
        readonly param: string;
        readonly reason: string;
        readonly retryAfterSec?: number | undefined;
      }
    | undefined;
}): MethodAnswer<never> {
  const { code, message, data = { param: '', reason: message } } = error;
  if (code === OUTCOME_UNKNOWN) return { kind: 'unknown', reason: data.reason };
  return { kind: 'refused', code, message, ...data };
}

/** Only a connection that was never made proves that nothing was done. */
function failureOf({ message, cause }: Error): MethodAnswer<never> {
  const reason = cause instanceof Error ? cause.message || message : message;
  const wasRefused = (cause as { readonly code?: unknown } | undefined)?.code === 'ECONNREFUSED';
  return { kind: wasRefused ? 'unreachable' : 'unknown', reason };
}

export interface ChannelMessage {
  readonly channel: string;
  readonly data: unknown;
}

export interface Following {
  readonly channels: readonly string[];
  readonly accountId: string;
  /** Called with the granted channels, before the first message. */
  readonly onGranted: (channels: readonly string[]) => void;
  readonly onMessage: (message: ChannelMessage) => void;
  readonly signal?: AbortSignal | undefined;
}

const frameShape = z.union([
  z.object({ rid: z.literal('subscribe'), result: z.array(z.string()) }),
  z.object({ rid: z.literal('subscribe'), error: z.object({ message: z.string() }) }),
  z.object({
    method: z.literal('subscription'),
    params: z.object({ channel: z.string(), data: z.unknown() }),
  }),
  z.object({}),
]);

/** Follows channels until the connection ends: resolves with the reason, rejects with what `onGranted` or `onMessage` throws. */
export async function followChannels(
  options: MethodClientOptions,
  { channels, accountId, onGranted, onMessage, signal }: Following,
): Promise<string> {
  const target = '/ws/api';
  const at = { method: 'GET', target, body: Buffer.alloc(0) };
  const socket = new WebSocket(options.baseUrl.replace(/^http/, 'ws') + target, {
    headers: signedHeaders(options, Date.now(), at),
  });
  const ended = endOf(socket);
  const stop = (): void => socket.close();
  signal?.addEventListener('abort', stop);
  const say = (frame: object): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };
  const heartbeat = setInterval(() => say({ rid: 'beat', method: 'public/test' }), HEARTBEAT_MS);
  socket.on('open', () =>
    say({ rid: 'subscribe', method: 'private/subscribe', params: { accountId, channels } }),
  );
  let refusal: string | undefined;
  const end = (code: number, why: string): void => {
    refusal ??= why;
    closeSocket(socket, code, why);
  };
  const obey = (text: string): void => {
    const frame = frameOf(text);
    if (frame === undefined)
      end(INVALID_PAYLOAD, 'the daemon sent a frame that is none of its own');
    else if ('params' in frame) onMessage(frame.params);
    else if ('result' in frame) onGranted(frame.result);
    else if ('error' in frame) end(NORMAL, frame.error.message);
  };
  const broken = new Promise<never>((_, reject) => {
    socket.on('message', (raw) => {
      try {
        if (refusal === undefined) obey(raw.toString());
      } catch (error) {
        socket.terminate();
        reject(error);
      }
    });
  });
  try {
    const why = await Promise.race([ended, broken]);
    return refusal ?? why;
  } finally {
    clearInterval(heartbeat);
    signal?.removeEventListener('abort', stop);
  }
}

/** `undefined`: not one that a daemon sends. */
function frameOf(text: string): z.infer<typeof frameShape> | undefined {
  try {
    const read = frameShape.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function endOf(socket: WebSocket): Promise<string> {
  let why = '';
  socket.on('error', (error) => {
    why ||= error.message;
  });
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  return reason.toString() || why || `closed with ${code}`;
}
