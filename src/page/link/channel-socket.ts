// Channels of the order methods: markets, and what happens to the orders and Block RFQs of the accounts. It connects while
// something is shown that needs a channel, and subscribes again by itself after a connection was lost.
import { signal } from '@preact/signals';
import { sessionSecret } from './page-session.ts';

export interface ChannelListener {
  /** What the channel published. */
  hear(data: unknown): void;
  /** The subscription begins, or begins again: what was published in between is missing. */
  begin?(): void;
}

export interface ChannelWish {
  readonly channel: string;
  /** For channels of an account. */
  readonly account?: string;
}

/** Whether the channels arrive now. */
export const areChannelsLive = signal(false);
/** Since when they do not, by `performance.now()`. */
export const channelsLostMs = signal(performance.now());

const WAIT_MS = 250;
const WAIT_MS_MAX = 10_000;
const HEARTBEAT_SEC = 10;
const SILENT_MS = 25_000;
const CHECK_MS = 5_000;
/** The session or its key is over; the stream of news says so. */
const REVOKED = 4401;

interface Followed extends ChannelWish {
  readonly listeners: Set<ChannelListener>;
}

interface Heard {
  readonly rid?: string;
  readonly method?: string;
  readonly params?: {
    readonly channel?: string;
    readonly accountId?: string;
    readonly data?: unknown;
    readonly type?: string;
  };
}

const followed = new Map<string, Followed>();
let socket: WebSocket | undefined;
let tries = 0;
let heardMs = 0;
let isChecked = false;
let isFlushDue = false;
let sent = 0;
const added = new Set<string>();
/** Subscriptions that were requested, by the ids of their requests. */
const beginning = new Map<string, readonly ChannelWish[]>();

const keyOf = ({ channel, account = '' }: ChannelWish): string => `${account}/${channel}`;

/** Calls the listener until the returned function is called. */
export function followChannel(wish: ChannelWish, listener: ChannelListener): () => void {
  const key = keyOf(wish);
  const before = followed.get(key);
  const entry = before ?? { ...wish, listeners: new Set() };
  entry.listeners.add(listener);
  followed.set(key, entry);
  added.add(key);
  flushSoon();
  if (before === undefined) open();
  return () => {
    entry.listeners.delete(listener);
    if (entry.listeners.size > 0) return;
    followed.delete(key);
    added.delete(key);
    request('unsubscribe', [entry]);
    if (followed.size === 0) socket?.close();
  };
}

/** A screen requests many channels at once: they are sent together. */
function flushSoon(): void {
  if (isFlushDue) return;
  isFlushDue = true;
  queueMicrotask(() => {
    isFlushDue = false;
    if (socket?.readyState !== WebSocket.OPEN) return;
    const wanted = [...added].map((key) => followed.get(key)).filter((one) => one !== undefined);
    added.clear();
    // A channel that is followed already starts again, so that a new listener gets its state.
    request('unsubscribe', wanted);
    request('subscribe', wanted);
  });
}

/** One frame for each account. */
function request(what: 'subscribe' | 'unsubscribe', wishes: readonly ChannelWish[]): void {
  for (const [account, ofAccount] of Map.groupBy(wishes, (one) => one.account)) {
    const params = {
      channels: ofAccount.map(({ channel }) => channel),
      ...(account !== undefined && { accountId: account }),
    };
    const rid = send(`private/${what}`, params);
    if (what === 'subscribe') beginning.set(rid, ofAccount);
  }
}

/** Returns the id of the request. */
function send(method: string, params: object): string {
  sent += 1;
  const rid = `${method} ${sent}`;
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ rid, method, params }));
  return rid;
}

function open(): void {
  const secret = sessionSecret();
  if (secret === '' || socket !== undefined || followed.size === 0) return;
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const opened = new WebSocket(`${scheme}://${location.host}/page/ws/api`, ['twapd.page', secret]);
  socket = opened;
  heardMs = performance.now();
  if (!isChecked) setInterval(check, CHECK_MS);
  isChecked = true;
  opened.addEventListener('open', () => {
    tries = 0;
    beginning.clear();
    areChannelsLive.value = true;
    send('public/set_heartbeat', { interval: HEARTBEAT_SEC });
    for (const key of followed.keys()) added.add(key);
    flushSoon();
  });
  opened.addEventListener('message', ({ data }) => {
    heardMs = performance.now();
    hear(JSON.parse(String(data)) as Heard);
  });
  opened.addEventListener('close', ({ code }) => {
    if (socket !== opened) return;
    socket = undefined;
    lose(performance.now());
    if (code === REVOKED) return;
    const waitMs = Math.min(WAIT_MS * 2 ** tries, WAIT_MS_MAX) * (0.5 + Math.random() / 2);
    tries += 1;
    setTimeout(open, waitMs);
  });
}

function hear({ rid = '', method, params = {} }: Heard): void {
  const { channel = '', accountId, data, type } = params;
  if (method === 'heartbeat' && type === 'test_request') send('public/test', {});
  for (const one of beginning.get(rid) ?? []) begin(followed.get(keyOf(one)));
  beginning.delete(rid);
  const wish = { channel, ...(accountId !== undefined && { account: accountId }) };
  const entry = followed.get(keyOf(wish)) ?? followed.get(keyOf({ channel }));
  if (method === 'subscription') for (const one of entry?.listeners ?? []) one.hear(data);
  // The venue's connection was interrupted: something may be missing.
  if (method === 'gap' || method === 'resync') begin(entry);
}

function begin(entry: Followed | undefined): void {
  for (const one of entry?.listeners ?? []) one.begin?.();
}

function lose(sinceMs: number): void {
  if (areChannelsLive.value) channelsLostMs.value = sinceMs;
  areChannelsLive.value = false;
}

/** A dead connection does not close by itself. */
function check(): void {
  if (socket === undefined || performance.now() - heardMs < SILENT_MS) return;
  const dead = socket;
  socket = undefined;
  lose(heardMs);
  dead.close();
  open();
}
