// The engines of one program, which call each other directly, with the same text as over a connection.
import {
  type AnswerCall,
  type AnswerFollow,
  type EngineCall,
  type EnginePeers,
  type PeerFollower,
  PeerUnanswered,
  PeerUnreached,
} from '../../../src/ports/deployment/engine-peers.ts';

interface Reachable {
  readonly answer: AnswerCall;
  readonly notify: AnswerFollow;
  /** One per call under way and per follower. */
  readonly losses: Set<() => void>;
}

export class MemoryPeers implements EnginePeers {
  readonly #engines = new Map<string, Reachable>();
  #isClosed = false;

  /** Makes an engine reachable at the address; without `notify` nothing of it can be followed. */
  add(address: string, answer: AnswerCall, notify: AnswerFollow = () => () => undefined): void {
    this.#engines.set(address, { answer, notify, losses: new Set() });
  }

  /** As if the process of the engine were gone: calls that it has not answered are lost, and notices end. */
  remove(address: string): void {
    const engine = this.#engines.get(address);
    this.#engines.delete(address);
    for (const lose of engine?.losses ?? []) lose();
  }

  call(address: string, call: EngineCall): Promise<string> {
    if (this.#isClosed) return Promise.reject(new PeerUnreached('the links are closed'));
    const engine = this.#engines.get(address);
    if (engine === undefined) {
      return Promise.reject(new PeerUnreached(`${address}: no engine is there`));
    }
    return new Promise((resolve, reject) => {
      const lose = (): void => reject(new PeerUnanswered(`the engine at ${address} is gone`));
      engine.losses.add(lose);
      engine
        .answer(call)
        .then(resolve, reject)
        .finally(() => engine.losses.delete(lose));
    });
  }

  /** Notices arrive as they are sent; that they have ended is known a moment later. */
  follow(address: string, call: EngineCall, follower: PeerFollower): () => void {
    const engine = this.#engines.get(address);
    let isOver = false;
    const end = (why: PeerUnreached | PeerUnanswered): void => {
      if (isOver) return;
      isOver = true;
      follower.ended(why);
    };
    let leave = (): void => undefined;
    const lose = (): void => {
      leave();
      end(new PeerUnanswered(`the engine at ${address} is gone`));
    };
    void Promise.resolve().then(() => {
      if (isOver) return;
      if (this.#isClosed || engine === undefined || this.#engines.get(address) !== engine) {
        return end(new PeerUnreached(`${address}: no engine is there`));
      }
      engine.losses.add(lose);
      leave = engine.notify(call, (text) => isOver || follower.notice(text));
    });
    return () => {
      isOver = true;
      engine?.losses.delete(lose);
      leave();
    };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    for (const { losses } of this.#engines.values()) for (const lose of losses) lose();
    return Promise.resolve();
  }
}
