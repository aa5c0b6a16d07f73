// A gateway's connection to an engine: made as soon as an engine can be reached, and made again when it is lost. What is
// under way is bounded in number and bytes; changes have places that reads cannot take, and cancels and halts places that
// nothing else can take.
import type { WebSocket } from 'ws';
import type { CallLane, EngineLine, LineCall } from '../../ports/deployment/engine-line.ts';
import { PeerUnreached } from '../../ports/deployment/engine-peers.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import { FrameBatch } from './frame-batch.ts';
import { framesOf } from './link-frames.ts';
import { openLink } from './open-link.ts';
import { PendingCalls } from './pending-calls.ts';

export interface GatewayLineOptions {
  /** The engines that may be asked, the preferred one first. May reject: it is asked again. */
  readonly addresses: () => Promise<readonly string[]> | readonly string[];
  readonly secret: string;
  /** Called once for each reason why no engine can be reached. */
  readonly onFault: (error: unknown) => void;
  readonly onLost?: (() => void) | undefined;
  readonly openMs?: number;
  readonly answerMs?: number;
  readonly pingMs?: number;
  /** Pause between two rounds over the addresses. */
  readonly pauseMs?: number;
  readonly limits?: Partial<LineLimits>;
}

export interface LineLimits {
  /** Unanswered calls. Reads may occupy half of them. */
  readonly calls: number;
  /** More of them, for what is urgent alone. */
  readonly urgentCalls: number;
  /** Bytes that have not left this process; beyond, only what is urgent is called. */
  readonly bytes: number;
}

/** On a busy machine, an engine that has just started may be busy for seconds before it greets. */
const DEFAULTS = { openMs: 5_000, answerMs: 30_000, pingMs: 1_000, pauseMs: 100 };
const LIMITS: LineLimits = { calls: 2_048, urgentCalls: 512, bytes: 16 * 1024 * 1024 };

interface Connection {
  readonly address: string;
  readonly socket: WebSocket;
  readonly frames: FrameBatch;
  readonly asked: PendingCalls;
  readonly followed: Map<number, (text: string) => void>;
}

export class GatewayLine implements EngineLine {
  readonly #options: GatewayLineOptions & typeof DEFAULTS;
  readonly #limits: LineLimits;
  readonly #listeners = new Set<() => void>();
  #connection: Connection | undefined;
  #next = 1;
  #isClosed = false;
  #toldFault = '';
  #pause: NodeJS.Timeout | undefined;

  constructor(options: GatewayLineOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#limits = { ...LIMITS, ...options.limits };
    void this.#connect();
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  call({ method, text, by, lane = 'read' }: LineCall): Promise<string> {
    const connection = this.#connection;
    if (connection === undefined) return Promise.reject(new PeerUnreached('it is not connected'));
    const { frames, asked } = connection;
    const isStuck = lane !== 'urgent' && frames.waiting > this.#limits.bytes;
    if (isStuck || asked.size >= this.#callsMax(lane))
      return Promise.reject(new PeerUnreached(`${asked.size} calls are under way`));
    const id = this.#newId();
    const answer = asked.add(id);
    frames.send({ kind: 'call', id, method, by, text });
    return answer;
  }

  follow({ method, text, by }: LineCall, listener: (text: string) => void): () => void {
    const connection = this.#connection;
    if (connection === undefined) return () => undefined;
    const id = this.#newId();
    connection.followed.set(id, listener);
    connection.frames.send({ kind: 'follow', id, method, by, text });
    return () => {
      if (!connection.followed.delete(id)) return;
      if (this.#connection === connection) connection.frames.send({ kind: 'leave', id });
    };
  }

  onConnected(listener: () => void): void {
    this.#listeners.add(listener);
    if (this.isConnected) listener();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    const connection = this.#connection;
    // No call is made from now on, also before the socket has closed.
    this.#connection = undefined;
    connection?.socket.terminate();
    return Promise.resolve();
  }

  #callsMax(lane: CallLane): number {
    const { calls, urgentCalls } = this.#limits;
    if (lane === 'read') return calls / 2;
    return lane === 'change' ? calls : calls + urgentCalls;
  }

  #newId(): number {
    const id = this.#next;
    this.#next += 1;
    return id;
  }

  async #connect(): Promise<void> {
    const { addresses, pauseMs } = this.#options;
    try {
      for (const address of await addresses()) {
        if (this.#isClosed || (await this.#isOpened(address))) return;
      }
    } catch (error) {
      this.#failed(error);
    }
    if (this.#isClosed) return;
    this.#pause = setTimeout(() => void this.#connect(), pauseMs);
  }

  async #isOpened(address: string): Promise<boolean> {
    try {
      const onFault = (): void => undefined;
      const socket = await openLink(address, { ...this.#options, as: 'gateway', onFault });
      if (this.#isClosed) socket.terminate();
      else this.#opened(address, socket);
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  #failed(error: unknown): void {
    const why = String(error);
    if (why === this.#toldFault && !isProgrammingError(error)) return;
    this.#toldFault = why;
    this.#options.onFault(error);
  }

  #opened(address: string, socket: WebSocket): void {
    this.#toldFault = '';
    const asked = new PendingCalls(address, this.#options.answerMs);
    const frames = new FrameBatch(socket);
    const connection: Connection = { address, socket, frames, asked, followed: new Map() };
    this.#connection = connection;
    socket.on('message', (message) => this.#receive(connection, String(message)));
    socket.once('close', () => {
      this.#connection = undefined;
      connection.followed.clear();
      asked.lose();
      if (this.#isClosed) return;
      this.#options.onLost?.();
      void this.#connect();
    });
    for (const listener of this.#listeners) listener();
  }

  #receive({ asked, followed, socket }: Connection, message: string): void {
    const frames = framesOf(message);
    if (frames === undefined) {
      this.#failed(new Error('an engine sent a message that cannot be read'));
      return socket.terminate();
    }
    for (const frame of frames) {
      if (frame.kind === 'answer') asked.answered(frame.id, frame.text);
      else if (frame.kind === 'notice') followed.get(frame.id)?.(frame.text);
    }
  }
}
