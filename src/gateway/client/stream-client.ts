// A client of the portfolio stream: signs the address, subscribes, keeps the connection alive and yields news
// in order. It stops reading from the socket while the consumer is not ready.
import { WebSocket } from 'ws';
import { rng } from '../../values/rng.ts';
import { type ClientKey, signedQuery } from '../auth/signed-stamp.ts';
import type { NewsFrame, ResyncFrame } from '../stream/news-frame.ts';
import { PacedResyncs } from '../stream/paced-resyncs.ts';
import type { ChannelAnswer } from '../stream/stream-frames.ts';
import { type ClientTls, connectionOptions } from './secure-http.ts';

export type StreamItem =
  /**
   * Nothing is missed from now on: the moment to read the current state, unless the stream resumes from an
   * earlier sequence.
   */
  | { readonly kind: 'listening'; readonly sequence: string }
  /**
   * Messages up to `sequence` may be missing: read the current state once. However often the gateway sends
   * this, it is passed on with increasing pauses, and may therefore come after newer news.
   */
  | { readonly kind: 'resync'; readonly sequence: string; readonly reason: ResyncFrame['reason'] }
  | { readonly kind: 'news'; readonly frame: NewsFrame }
  /** Always the last item. `code` is a WebSocket close code, or the HTTP status of a refusal. */
  | {
      readonly kind: 'ended';
      readonly code: number;
      readonly reason: string;
      /** Set if the gateway says when to retry. */
      readonly retryAfterSec?: number | undefined;
    };

export interface StreamOptions extends ClientKey {
  readonly baseUrl: string;
  /** How a gateway that serves TLS is trusted. */
  readonly tls?: ClientTls | undefined;
  readonly now?: () => number;
}

export interface WatchOptions {
  readonly signal?: AbortSignal | undefined;
  /** Sequence of the last message that was processed; later messages are replayed first. */
  readonly after?: string | undefined;
}

const PATH = '/ws/portfolio';
const HEARTBEAT_MS = 60_000;
const WAITING_MAX = 1_000;
const ABNORMAL = 1006;
const TRY_AGAIN = 1013;

/** Items in order; leaving the loop closes the connection. */
export async function* watchNews(
  options: StreamOptions,
  portfolioId: string | 'all',
  { signal, after }: WatchOptions = {},
): AsyncGenerator<StreamItem, void> {
  const socket = open(options);
  const items = listen(socket, portfolioId, after);
  const heartbeat = setInterval(
    () => say(socket, { id: 'heartbeat', op: 'heartbeat' }),
    HEARTBEAT_MS,
  );
  const abort = () => socket.terminate();
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  try {
    while (true) {
      const item = await items.next();
      yield item;
      if (item.kind === 'ended') return;
    }
  } finally {
    clearInterval(heartbeat);
    signal?.removeEventListener('abort', abort);
    socket.close();
  }
}

function open({ baseUrl, tls, now = Date.now, ...key }: StreamOptions): WebSocket {
  const address = `${baseUrl.replace(/^http/, 'ws')}${PATH}`;
  return new WebSocket(`${address}?${signedQuery(key, now(), PATH)}`, {
    perMessageDeflate: false,
    ...(tls && connectionOptions(tls)),
  });
}

interface Waiting {
  next(): Promise<StreamItem>;
}

function listen(socket: WebSocket, portfolioId: string, after: string | undefined): Waiting {
  const items: StreamItem[] = [];
  let wake: (() => void) | undefined;
  let why = '';
  let status = ABNORMAL;
  let retryAfterSec: number | undefined;
  const add = (item: StreamItem): void => {
    items.push(item);
    if (items.length > WAITING_MAX) socket.pause();
    wake?.();
  };
  const resyncs = pacedResyncs(add);
  socket.on('open', () =>
    say(socket, { id: 'news', op: 'subscribe', after, data: [{ channel: 'trade-news' }] }),
  );
  socket.on('unexpected-response', (request, response) => {
    status = response.statusCode ?? ABNORMAL;
    why = response.statusMessage ?? '';
    retryAfterSec = secondsOf(response.headers['retry-after']);
    request.destroy();
    socket.terminate();
  });
  socket.on('error', (error) => {
    if (why === '') why = error.message;
  });
  socket.on('close', (code, reason) => {
    const refused = code === ABNORMAL;
    resyncs.stop();
    add({
      kind: 'ended',
      code: refused ? status : code,
      reason: reason.toString() || why,
      retryAfterSec,
    });
  });
  socket.on('message', (raw) => {
    const item = itemOf(raw.toString(), portfolioId);
    if (item?.kind === 'resync') resyncs.heard(item);
    else if (item !== undefined) add(item);
  });
  return {
    next: async () => {
      while (items.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (socket.isPaused) socket.resume();
      return items.shift() as StreamItem;
    },
  };
}

const pacedResyncs = (deliver: (item: StreamItem) => void): PacedResyncs<StreamItem> =>
  new PacedResyncs<StreamItem>({
    deliver,
    rng: rng(crypto.randomUUID()),
    nowMs: () => performance.now(),
    after: (delayMs, call) => {
      const timer = setTimeout(call, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
  });

/** The gateway's tests guarantee the shape of these frames. */
function itemOf(text: string, portfolioId: string): StreamItem | undefined {
  const frame = JSON.parse(text) as
    | NewsFrame
    | ResyncFrame
    | { readonly op: 'subscribe'; readonly code: number; readonly data?: readonly ChannelAnswer[] }
    | { readonly op: 'heartbeat' };
  if (frame.op === 'subscribe') return answered(frame.data?.[0]);
  if (frame.op === 'resync') {
    return { kind: 'resync', sequence: frame.sequence, reason: frame.reason };
  }
  if (frame.op !== 'push') return undefined;
  const wanted = portfolioId === 'all' || frame.data.portfolioId === portfolioId;
  return wanted ? { kind: 'news', frame } : undefined;
}

/** After a refused channel the client has to subscribe again on a new connection. */
function answered(channel: ChannelAnswer | undefined): StreamItem {
  if (channel?.success === true) return { kind: 'listening', sequence: channel.sequence ?? '0' };
  return { kind: 'ended', code: TRY_AGAIN, reason: channel?.errorMsg ?? 'not answered' };
}

function secondsOf(header: string | undefined): number | undefined {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

function say(socket: WebSocket, frame: object): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
}
