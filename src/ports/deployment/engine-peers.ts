// The engines of the other daemons of a deployment. A call names a method of the engine and carries plain data as text;
// calls to one daemon begin there in the order in which they were made.

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

export interface EnginePeers {
  /**
   * Calls the daemon at this address; resolves with its answer as text.
   * @throws {@link PeerUnreached} or {@link PeerUnanswered}.
   */
  call(address: string, call: EngineCall): Promise<string>;
  close(): Promise<void>;
}

/** Answers the calls of other daemons. Never rejects: a failure is an answer too. */
export type AnswerCall = (call: EngineCall) => Promise<string>;
