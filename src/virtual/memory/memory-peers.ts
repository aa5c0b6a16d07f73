// The engines of one program, which call each other directly, with the same text as over a connection.
import {
  type AnswerCall,
  type EngineCall,
  type EnginePeers,
  PeerUnanswered,
  PeerUnreached,
} from '../../ports/deployment/engine-peers.ts';

interface Reachable {
  readonly answer: AnswerCall;
  /** One per call under way. */
  readonly losses: Set<() => void>;
}

export class MemoryPeers implements EnginePeers {
  readonly #engines = new Map<string, Reachable>();

  /** Makes an engine reachable at the address. */
  add(address: string, answer: AnswerCall): void {
    this.#engines.set(address, { answer, losses: new Set() });
  }

  /** As if the process of the engine were gone: calls that it has not answered are lost. */
  remove(address: string): void {
    const engine = this.#engines.get(address);
    this.#engines.delete(address);
    for (const lose of engine?.losses ?? []) lose();
  }

  call(address: string, call: EngineCall): Promise<string> {
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

  close(): Promise<void> {
    this.#engines.clear();
    return Promise.resolve();
  }
}
