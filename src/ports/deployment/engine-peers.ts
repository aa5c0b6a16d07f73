// The engines of the other daemons of a deployment. A call names a method of the engine and carries plain data as text;
// calls to one daemon begin there in the order in which they were made. What is followed arrives in the order in which it
// was sent.

export interface EngineCall {
  /** For example `orders.place`. */
  readonly method: string;
  /** The arguments, as written by the codec of `src/engine/link/`. */
  readonly text: string;
}

/** The call did not come to an engine that knows it: nothing was done. */
export class PeerUnreached extends Error {
  override readonly name = 'PeerUnreached';
}

/** The call may have been carried out; its answer did not come. */
export class PeerUnanswered extends Error {
  override readonly name = 'PeerUnanswered';
}

/** Whether an engine could not be asked, or did not answer. */
export const isPeerAway = (error: unknown): error is PeerUnreached | PeerUnanswered =>
  error instanceof PeerUnreached || error instanceof PeerUnanswered;

export interface PeerFollower {
  notice(text: string): void;
  /** Called once, if the daemon cannot be reached or the connection to it is lost: no notice follows. */
  ended(why: PeerUnreached | PeerUnanswered): void;
}

export interface EnginePeers {
  /**
   * Calls the daemon at this address; resolves with its answer as text.
   * @throws {@link PeerUnreached} or {@link PeerUnanswered}.
   */
  call(address: string, call: EngineCall): Promise<string>;
  /**
   * Follows notices of the daemon at this address until the returned function is called or they have ended. From a
   * daemon that does not know the method none comes.
   */
  follow(address: string, call: EngineCall, follower: PeerFollower): () => void;
  close(): Promise<void>;
}

/** Answers the calls of other daemons. Never rejects: a failure is an answer too. */
export type AnswerCall = (call: EngineCall) => Promise<string>;

/** Notifies another daemon until the returned function is called. Never throws. */
export type AnswerFollow = (call: EngineCall, notify: (text: string) => void) => () => void;
