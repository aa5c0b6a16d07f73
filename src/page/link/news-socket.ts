// The stream of news: subscribes, resumes after the last message it got, and connects again by itself. A connection that
// does not answer a heartbeat is given up, because a dead one does not close.
import { signal } from '@preact/signals';
import type { NewsFrame, ResyncFrame } from '../../gateway/stream/news-frame.ts';
import type { FrameAnswer } from '../../gateway/stream/stream-frames.ts';
import { endedByGateway, sessionSecret } from './page-session.ts';

export type Link =
  | { readonly kind: 'live' }
  | { readonly kind: 'catching up' }
  | { readonly kind: 'reconnecting'; readonly sinceMs: number };

export interface NewsListener {
  news(frame: NewsFrame): void;
  /** Messages may be missing up to now: read everything. Resolves when that is done. */
  reread(): Promise<void>;
}

export const link = signal<Link>({ kind: 'catching up' });

/** When the gateway was last heard, by `performance.now()`. */
export const heardMs = signal(performance.now());

const HEARTBEAT_MS = 5_000;
const SILENT_MS = 12_000;
const WAIT_MS = 250;
const WAIT_MS_MAX = 10_000;
/** The session or its key is over. */
const REVOKED = 4401;

let socket: WebSocket | undefined;
let tries = 0;
let last: string | undefined;

type Heard = NewsFrame | ResyncFrame | FrameAnswer;

/** Connects while there is a session; call once. */
export function followNews(listener: NewsListener): void {
  setInterval(() => beat(listener), HEARTBEAT_MS);
  for (const name of ['online', 'pageshow']) {
    addEventListener(name, () => {
      if (socket === undefined) open(listener);
    });
  }
  open(listener);
}

function open(listener: NewsListener): void {
  const secret = sessionSecret();
  if (secret === '' || socket !== undefined) return;
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const opened = new WebSocket(`${scheme}://${location.host}/page/ws`, ['twapd.page', secret]);
  socket = opened;
  opened.addEventListener('open', () => {
    heardMs.value = performance.now();
    opened.send(
      JSON.stringify({
        id: 'news',
        op: 'subscribe',
        after: last,
        data: [{ channel: 'trade-news' }],
      }),
    );
  });
  opened.addEventListener('message', ({ data }) => {
    heardMs.value = performance.now();
    hear(JSON.parse(String(data)) as Heard, listener);
  });
  opened.addEventListener('close', ({ code, reason }) => {
    if (socket === opened) lost(code, reason, listener);
  });
}

function hear(frame: Heard, listener: NewsListener): void {
  if (frame.op === 'push' && 'channel' in frame) {
    last = frame.sequence;
    listener.news(frame as NewsFrame);
  } else if (frame.op === 'resync' && 'channel' in frame) {
    last = frame.sequence;
    void catchUp(listener);
  } else if (frame.op === 'subscribe' && 'data' in frame) {
    const sequence = frame.data?.[0]?.sequence;
    tries = 0;
    if (last !== undefined) link.value = { kind: 'live' };
    else {
      last = sequence;
      void catchUp(listener);
    }
  }
}

async function catchUp(listener: NewsListener): Promise<void> {
  link.value = { kind: 'catching up' };
  await listener.reread();
  if (socket?.readyState === WebSocket.OPEN) link.value = { kind: 'live' };
}

function lost(code: number, reason: string, listener: NewsListener): void {
  socket = undefined;
  if (code === REVOKED) return endedByGateway(reason);
  if (link.value.kind !== 'reconnecting') {
    link.value = { kind: 'reconnecting', sinceMs: performance.now() };
  }
  const waitMs = Math.min(WAIT_MS * 2 ** tries, WAIT_MS_MAX);
  tries += 1;
  setTimeout(() => open(listener), waitMs * (0.5 + Math.random() / 2));
}

function beat(listener: NewsListener): void {
  if (socket?.readyState !== WebSocket.OPEN) return;
  if (performance.now() - heardMs.value > SILENT_MS) {
    // The other side may never answer the close.
    const silent = socket;
    lost(0, '', listener);
    silent.close();
  } else socket.send('{"id":"beat","op":"heartbeat"}');
}
