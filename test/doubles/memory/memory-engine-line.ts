// The line between a gateway and an engine of one program: the same text as over a connection, carried by the clock, in
// order. The test or the simulation decides when the connection is lost and made.
import type {
  CallLane,
  EngineLine,
  LineCall,
  ServeLine,
} from '../../../src/ports/deployment/engine-line.ts';
import { PeerUnanswered, PeerUnreached } from '../../../src/ports/deployment/engine-peers.ts';

export interface MemoryLineOptions {
  /** Runs it later, in the order given. */
  readonly carry: (act: () => void) => void;
  /** Calls under way at most; reads may be half as many, urgent ones half as many more. */
  readonly callsMax?: number;
}

const SHARE_OF: Readonly<Record<CallLane, number>> = { read: 0.5, change: 1, urgent: 1.5 };

interface Connection {
  readonly serving: ServeLine;
  readonly losses: Set<() => void>;
  readonly leaves: Set<() => void>;
  isLost: boolean;
}

export class MemoryEngineLine implements EngineLine {
  readonly #options: MemoryLineOptions;
  readonly #listeners = new Set<() => void>();
  #connection: Connection | undefined;

  constructor(options: MemoryLineOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** Connects to this engine; an earlier connection is lost. */
  connect(serving: ServeLine): void {
    this.disconnect();
    this.#connection = { serving, losses: new Set(), leaves: new Set(), isLost: false };
    for (const listener of this.#listeners) listener();
  }

  /** As if the engine's process were gone. */
  disconnect(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return;
    connection.isLost = true;
    for (const leave of connection.leaves) leave();
    for (const lose of [...connection.losses]) lose();
  }

  call(call: LineCall): Promise<string> {
    const { carry, callsMax = Number.POSITIVE_INFINITY } = this.#options;
    const connection = this.#connection;
    if (connection === undefined) return Promise.reject(new PeerUnreached('it is not connected'));
    const { losses, serving } = connection;
    const most = callsMax * SHARE_OF[call.lane ?? 'read'];
    if (losses.size >= most) {
      return Promise.reject(new PeerUnreached(`${losses.size} calls are under way`));
    }
    return new Promise((resolve, reject) => {
      const lose = (): void => {
        losses.delete(lose);
        reject(new PeerUnanswered('the connection to the engine was lost'));
      };
      losses.add(lose);
      carry(() => {
        if (connection.isLost) return;
        void serving.call(call).then((text) =>
          carry(() => {
            if (losses.delete(lose)) resolve(text);
          }),
        );
      });
    });
  }

  follow(call: LineCall, listener: (text: string) => void): () => void {
    const { carry } = this.#options;
    const connection = this.#connection;
    if (connection === undefined) return () => undefined;
    let isLeft = false;
    let leaveEngine: () => void = () => undefined;
    const leave = (): void => {
      isLeft = true;
      connection.leaves.delete(leave);
      carry(() => leaveEngine());
    };
    connection.leaves.add(leave);
    carry(() => {
      if (isLeft) return;
      leaveEngine = connection.serving.follow(call, (text) =>
        carry(() => {
          if (!isLeft) listener(text);
        }),
      );
    });
    return leave;
  }

  onConnected(listener: () => void): void {
    this.#listeners.add(listener);
    if (this.isConnected) listener();
  }

  close(): Promise<void> {
    this.disconnect();
    return Promise.resolve();
  }
}
