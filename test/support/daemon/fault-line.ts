// A TCP connection between a process and one of its servers. It can be slow, silent or cut, refuse new connections,
// and strike at the n-th message of a kind: before it arrives, or after the server has answered and before the
// answer is passed on.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Receives the client's data chunk by chunk and returns how many messages of the kind ended in this chunk. */
export type Sense = (chunk: Buffer) => number;

/** The kind of message counted on a connection. */
export interface Counted {
  /** One per TCP connection. */
  readonly sense: () => Sense;
  /** Whether the data that the server sent since the message contains its complete answer. */
  readonly isAnswered: (held: Buffer) => boolean;
  /** Called when a connection has ended, with what {@link sense} returned for it. */
  readonly ended?: (sense: Sense) => void;
}

export interface Strike {
  /** The number of the message from now on, starting at 1. */
  readonly nth: number;
  readonly when: 'before' | 'after';
  /** The action at this moment; the connection is closed when it has completed. */
  readonly act?: () => unknown;
}

/** A port of this machine, or the path of a socket. */
export type Target = number | string;

/** If no answer arrives within this time, the strike happens without it. */
const ANSWER_WITHIN_MS = 1_000;
const UNCOUNTED: Counted = { sense: () => () => 0, isAnswered: () => true };

export class FaultLine {
  readonly #server: Server;
  readonly #counted: Counted;
  readonly #pairs = new Set<Pair>();
  #strike: { left: number; strike: Strike; struck: () => void } | undefined;
  target: Target;
  /** Added to every chunk in both directions. */
  delayMs = 0;
  /** Nothing passes; every socket stays open. */
  isSilent = false;
  /** New connections are rejected. */
  isClosed = false;
  /** The number of messages of the kind so far. */
  count = 0;

  private constructor(target: Target, counted: Counted) {
    this.target = target;
    this.#counted = counted;
    this.#server = createServer((client) => this.#join(client));
  }

  static async to(target: Target, counted = UNCOUNTED): Promise<FaultLine> {
    const line = new FaultLine(target, counted);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resolves when the strike has happened. One at a time. */
  strike(strike: Strike): Promise<void> {
    return new Promise((struck) => {
      this.#strike = { left: strike.nth, strike, struck };
    });
  }

  /** Resets every open connection. */
  cut(): void {
    for (const pair of this.#pairs) pair.end();
  }

  /** Ends a silence: data sent meanwhile never arrives, so every connection is closed. */
  speak(): void {
    this.isSilent = false;
    this.cut();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    client.on('error', () => client.destroy());
    if (this.isClosed) return void client.resetAndDestroy();
    const { target } = this;
    const server =
      typeof target === 'number' ? connect(target, '127.0.0.1') : connect({ path: target });
    const { isAnswered, ended } = this.#counted;
    const sense = this.#counted.sense();
    const pair = new Pair({
      client,
      server,
      isAnswered,
      sense,
      delayMs: () => this.delayMs,
      isSilent: () => this.isSilent,
      seen: (count) => this.#seen(count),
    });
    this.#pairs.add(pair);
    client.on('close', () => {
      this.#pairs.delete(pair);
      ended?.(sense);
    });
  }

  #seen(count: number): Due | undefined {
    this.count += count;
    const armed = this.#strike;
    if (armed === undefined || count === 0) return undefined;
    armed.left -= count;
    if (armed.left > 0) return undefined;
    this.#strike = undefined;
    const { strike, struck } = armed;
    const act = async (): Promise<void> => {
      await strike.act?.();
      struck();
    };
    return { when: strike.when, act };
  }
}

interface Due {
  readonly when: Strike['when'];
  readonly act: () => Promise<void>;
}

interface PairParts {
  readonly client: Socket;
  readonly server: Socket;
  readonly sense: Sense;
  readonly isAnswered: Counted['isAnswered'];
  readonly delayMs: () => number;
  readonly isSilent: () => boolean;
  readonly seen: (count: number) => Due | undefined;
}

class Pair {
  readonly #parts: PairParts;
  #state: 'passing' | 'answering' | 'struck' = 'passing';
  #held = Buffer.alloc(0);
  #answered: () => void = () => undefined;

  constructor(parts: PairParts) {
    this.#parts = parts;
    const { client, server } = parts;
    for (const socket of [client, server]) {
      socket.setNoDelay(true).on('error', () => this.end());
      socket.on('close', () => this.end());
    }
    client.on('data', (chunk) => this.#fromClient(chunk));
    server.on('data', (chunk) => this.#fromServer(chunk));
  }

  end(): void {
    const { client, server } = this.#parts;
    if (!client.destroyed) client.resetAndDestroy();
    server.destroy();
  }

  #fromClient(chunk: Buffer): void {
    const { sense, seen, server } = this.#parts;
    if (this.#state === 'struck') return;
    const due = seen(sense(chunk));
    if (due !== undefined) {
      this.#state = due.when === 'before' ? 'struck' : 'answering';
      void this.#suffer(due);
    }
    if (due?.when !== 'before') this.#pass(server, chunk);
  }

  #fromServer(chunk: Buffer): void {
    if (this.#state === 'passing') return this.#pass(this.#parts.client, chunk);
    this.#held = Buffer.concat([this.#held, chunk]);
    if (this.#parts.isAnswered(this.#held)) this.#answered();
  }

  async #suffer({ when, act }: Due): Promise<void> {
    if (when === 'after') {
      const answered = new Promise<void>((done) => {
        this.#answered = done;
      });
      await Promise.race([answered, sleep(ANSWER_WITHIN_MS)]);
      this.#state = 'struck';
    }
    await act();
    this.end();
  }

  #pass(to: Socket, chunk: Buffer): void {
    const { isSilent, delayMs } = this.#parts;
    if (isSilent()) return;
    const delay = delayMs();
    if (delay === 0) to.write(chunk);
    else setTimeout(() => !to.destroyed && to.write(chunk), delay);
  }
}
