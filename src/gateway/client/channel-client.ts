// Follows channels of the order methods over a WebSocket, until the connection ends.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { signedHeaders } from '../auth/signed-stamp.ts';
import { closeSocket } from '../wire/close-socket.ts';
import type { MethodClientOptions } from './method-client.ts';
import { connectionOptions } from './secure-http.ts';

const HEARTBEAT_MS = 30_000;
/** Close codes. */
const [NORMAL, INVALID_PAYLOAD] = [1000, 1007] as const;

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
    ...(options.tls && connectionOptions(options.tls)),
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
