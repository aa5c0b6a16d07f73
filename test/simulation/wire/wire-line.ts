// The connections between the adapter and the served wire in virtual time, with the faults of a plan. As over TCP, what is
// sent in one direction arrives in order or not at all; a connection that nothing passes any more is not reported to
// either side, and what was under way when it breaks is lost.
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { VenueLine } from '../../../src/adapters/deribit/open-deribit-venue.ts';
import type {
  Socket,
  VenueSocketOptions,
} from '../../../src/adapters/deribit/session/venue-socket.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { must } from '../../../src/values/assert.ts';
import { later } from '../../../src/values/instant.ts';
import type { Trouble } from '../world/trouble.ts';
import type { ServedWire } from './served-wire.ts';

export interface WireLineParts {
  readonly clock: Clock;
  readonly trouble: Trouble;
  /** The gateway that serves at the moment; `undefined` while none does. */
  readonly served: () => ServedWire | undefined;
}

/** One way, where nothing delays it. */
const WAY_MS = 1;
const NEVER = Number.POSITIVE_INFINITY;
const ABNORMAL = 1006;
const RATE_ENDED = 10028;
/** Refusals of a look-up that say nothing of an order: bad parameters, no right, maintenance. */
const LOOK_UP_REFUSALS = [-32602, 13403, 11051, 11094];
const LOOK_UP =
  /^private\/get_(?:open_orders|order_state|order_history|user_trades|positions|account_summary|transaction_log)/;
/** How long the first of two frames waits for the second. */
const HELD_MS = 20;
const REPLY = /^\{"jsonrpc":"2\.0","id"/;
const BOOK_CHANGE = /"channel":"book\..*"type":"change"/;
const NOTIFICATION = '{"jsonrpc":"2.0","method":"subscription","params":{"channel":"user.';

export class WireLine implements VenueLine {
  readonly #parts: WireLineParts;
  readonly #connections = new Set<Connection>();

  constructor(parts: WireLineParts) {
    this.#parts = parts;
  }

  readonly open: VenueLine['open'] = (options) => {
    const connection: Connection = new Connection(options, this.#parts, () =>
      this.#connections.delete(connection),
    );
    this.#connections.add(connection);
    return connection;
  };

  readonly post: VenueLine['post'] = async (address, { body, headers, timeoutMs }) => {
    const { trouble, served } = this.#parts;
    const isLost = trouble.strikes('wire_cut');
    await this.#pass(WAY_MS + (trouble.spellMs('wire_late') ?? 0));
    const at = served();
    if (at === undefined) throw new Error('connection refused');
    const answer = at.post({ path: address.pathname, body, headers });
    const text = await answer;
    if (isLost) {
      await this.#pass(timeoutMs);
      throw new Error('no answer in time');
    }
    await this.#pass(WAY_MS);
    return text;
  };

  /** The process of the gateway ends, and with it its connections. */
  cutAll(): void {
    for (const connection of [...this.#connections]) connection.cut('connection reset');
  }

  #pass(forMs: number): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((done) => clock.at(later(clock.now(), forMs), done));
  }
}

/** One connection: the adapter's end of it. */
class Connection implements Socket {
  readonly #options: VenueSocketOptions;
  readonly #parts: WireLineParts;
  readonly #over: () => void;
  readonly #server: ServerEnd;
  /** When what is sent now arrives at the earliest, by direction. */
  #outMs = 0;
  #backMs = 0;
  #isOpen = false;
  #hasEnded = false;
  #isCut = false;
  /** A frame that the next one overtakes. */
  #held: string | undefined;
  #gone: () => void = () => undefined;

  constructor(options: VenueSocketOptions, parts: WireLineParts, over: () => void) {
    this.#options = options;
    this.#parts = parts;
    this.#over = over;
    this.#server = new ServerEnd({
      send: (text) => this.#sendBack(text),
      close: (code, reason) => this.#closedBy(code, reason),
    });
    this.#in(WAY_MS, () => this.#opened());
  }

  send(text: string): boolean {
    if (!this.#isOpen || this.#hasEnded) return false;
    const refusal = this.#refusalOf(text);
    if (refusal !== undefined) {
      this.#sendBack(refusal.text);
      if (refusal.endsSession) this.#server.close(1008, 'too_many_requests');
      return true;
    }
    this.#mishap();
    if (this.#hasEnded) return true;
    const { trouble } = this.#parts;
    this.#outMs = this.#arrival(this.#outMs, trouble.spellMs('wire_late') ?? 0);
    this.#at(this.#outMs, () => {
      if (!this.#isCut) this.#server.receive(text);
    });
    return true;
  }

  /** Closes at once; what was sent before still arrives. */
  end(reason: string): void {
    if (this.#hasEnded) return;
    this.#endHere(reason);
    this.#at(this.#arrival(this.#outMs, 0), () => this.#goneThere(ABNORMAL));
  }

  close(): void {
    if (this.#hasEnded) return;
    this.#endHere('closed');
    this.#at(this.#arrival(this.#outMs, 0), () => this.#goneThere(1000));
  }

  /** Broken in the middle: both sides notice, and frames under way are lost. */
  cut(reason: string): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#endHere(reason);
    this.#goneThere(ABNORMAL);
  }

  #opened(): void {
    if (this.#hasEnded) return;
    const { trouble, served, clock } = this.#parts;
    const at = served();
    if (at === undefined || trouble.strikes('wire_refused')) {
      return this.#endHere('refused with HTTP 502');
    }
    if (this.#options.handshakeMs < (trouble.spellMs('wire_late') ?? 0)) {
      return this.#endHere('Opening handshake has timed out');
    }
    this.#isOpen = true;
    this.#outMs = clock.monotonicMs();
    this.#backMs = clock.monotonicMs();
    const end = this.#server as unknown;
    this.#gone = at.accept(end as WebSocket, end as Duplex);
    this.#options.onOpen();
  }

  #sendBack(text: string): void {
    const { trouble } = this.#parts;
    const held = this.#held;
    this.#held = undefined;
    const kind = kindOf(text);
    if (BOOK_CHANGE.test(text) && trouble.strikes('wire_book_lost')) return;
    if (held !== undefined) {
      const pair = [kindOf(held), kind];
      const isSwapped = pair.includes('reply') && pair.includes('notice');
      for (const one of isSwapped ? [text, held] : [held, text]) this.#deliver(one);
      return;
    }
    if (kind !== 'other' && trouble.strikes('wire_swapped')) {
      this.#held = text;
      // Nothing follows: it comes a little later.
      return this.#in(HELD_MS, () => this.#release());
    }
    this.#deliver(text);
    if (kind === 'notice' && trouble.strikes('wire_repeated')) this.#deliver(text);
  }

  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#deliver(held);
  }

  #deliver(text: string): void {
    const { trouble } = this.#parts;
    const pauseMs = (trouble.spellMs('wire_late') ?? 0) + (trouble.spellMs('wire_unread') ?? 0);
    this.#backMs = this.#arrival(this.#backMs, pauseMs);
    const carried = text.startsWith(NOTIFICATION) ? garbled(text, trouble) : text;
    this.#server.bufferedAmount += text.length;
    this.#at(this.#backMs, () => {
      this.#server.bufferedAmount -= text.length;
      if (this.#isCut || this.#hasEnded) return;
      this.#options.onText(carried);
    });
  }

  #mishap(): void {
    const { trouble } = this.#parts;
    if (trouble.strikes('wire_cut')) this.cut('the connection was cut');
    else if (trouble.strikes('wire_half_open')) {
      this.#outMs = NEVER;
      this.#backMs = NEVER;
    }
  }

  /** What the venue answers in place of carrying a request out. */
  #refusalOf(text: string): { readonly text: string; readonly endsSession: boolean } | undefined {
    const { trouble } = this.#parts;
    const { id, method } = headOf(text);
    if (method.startsWith('private/') && trouble.strikes('wire_rate_ended')) {
      return { text: errorText(id, RATE_ENDED, 'too_many_requests'), endsSession: true };
    }
    if (!LOOK_UP.test(method) || !trouble.strikes('wire_query_refused')) return undefined;
    const code = LOOK_UP_REFUSALS[trouble.pick('wire_query_refused', LOOK_UP_REFUSALS.length)];
    return { text: errorText(id, code ?? RATE_ENDED, 'refused'), endsSession: false };
  }

  /** The gateway closes: its client learns of it after what was sent before. */
  #closedBy(code: number, reason: string): void {
    this.#backMs = this.#arrival(this.#backMs, 0);
    this.#at(this.#backMs, () => this.#endHere(`closed with ${code} ${reason}`));
    this.#goneThere(code);
  }

  #endHere(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.onEnd(reason);
    this.#over();
  }

  #goneThere(code: number): void {
    if (!this.#isOpen || this.#server.isGone) return;
    this.#server.gone(code);
    this.#gone();
  }

  #arrival(beforeMs: number, lateMs: number): number {
    return Math.max(beforeMs, this.#parts.clock.monotonicMs() + WAY_MS + lateMs);
  }

  #in(forMs: number, then: () => void): void {
    this.#at(this.#parts.clock.monotonicMs() + forMs, then);
  }

  #at(ms: number, then: () => void): void {
    if (ms === NEVER) return;
    const { clock } = this.#parts;
    clock.at(later(clock.now(), ms - clock.monotonicMs()), then);
  }
}

interface ServerEndParts {
  readonly send: (text: string) => void;
  readonly close: (code: number, reason: string) => void;
}

/** What the gateway holds of a connection: a WebSocket and the socket below it, as far as it uses them. */
class ServerEnd extends EventEmitter {
  readonly OPEN = 1;
  readonly #parts: ServerEndParts;
  readyState = 1;
  bufferedAmount = 0;
  isGone = false;
  #isPaused = false;
  readonly #unread: string[] = [];

  constructor(parts: ServerEndParts) {
    super();
    this.#parts = parts;
  }

  receive(text: string): void {
    if (this.isGone) return;
    if (this.#isPaused) this.#unread.push(text);
    else this.emit('message', Buffer.from(text), false);
  }

  gone(code: number): void {
    this.isGone = true;
    this.readyState = 3;
    this.emit('close', code, Buffer.alloc(0));
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const text of this.#unread.splice(0)) this.receive(text);
  }

  close(code: number, reason: string): void {
    if (this.readyState !== this.OPEN) return;
    this.readyState = 2;
    this.#parts.close(code, reason);
  }

  terminate(): void {
    if (!this.isGone) this.#parts.close(ABNORMAL, '');
  }

  /** What is written while it is corked is sent at once here. */
  readonly cork = (): void => undefined;
  readonly uncork = (): void => undefined;

  /** A frame, or a piece of one: the header and what follows it. */
  write(piece: Buffer, written?: () => void): boolean {
    this.#take(piece);
    if (written !== undefined) setImmediate(written);
    return true;
  }

  #pieces: Buffer[] = [];

  #take(piece: Buffer): void {
    this.#pieces.push(piece);
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
    const short = bytes.readUInt8(1);
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length < head) return;
    const length =
      short < 126
        ? short
        : short === 126
          ? bytes.readUInt16BE(2)
          : Number(bytes.readBigUInt64BE(2));
    if (bytes.length < head + length) return;
    this.#pieces = [];
    this.#parts.send(bytes.toString('utf8', head));
  }
}

/** As the session writes its frames: the id before the method, both before the params. */
const HEAD = /"id":(\d+).*?"method":"([^"]+)"/;

function headOf(text: string): { readonly id: number; readonly method: string } {
  const [, id, method] = must(HEAD.exec(text), () => `not a request: ${text}`);
  return { id: Number(id), method: method ?? '' };
}

const errorText = (id: number, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message }, testnet: true });

/** Without a member that is needed, or not even JSON. */
function garbled(text: string, trouble: Trouble): string {
  if (!trouble.strikes('wire_garbled')) return text;
  const isCutShort = trouble.pick('wire_garbled', 3) === 0;
  return isCutShort
    ? text.slice(0, text.length / 2)
    : text.replace('"order_id":"', '"order_name":"');
}

const kindOf = (text: string): 'notice' | 'reply' | 'other' => {
  if (text.startsWith(NOTIFICATION)) return 'notice';
  return REPLY.test(text) ? 'reply' : 'other';
};
