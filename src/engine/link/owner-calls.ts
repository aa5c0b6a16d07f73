// Passes what changes an account, and what is read of it, to the daemon that owns it. Its owner alone knows what is under
// way, reserved and counted for the account, so what may trade is refused while the owner cannot be asked; a cancel, what
// is read of the venue, and what only changes the ledger, is done here instead.

import { unsent } from '../../core/order/answer-class.ts';
import { type EnginePeers, PeerUnreached } from '../../ports/deployment/engine-peers.ts';
import { LedgerFailure } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import type { Ownership } from '../ownership/ownership.ts';
import { argsText, resultOf } from './call-codec.ts';
import type { Unanswered } from './interface-rules.ts';

export interface OwnerCallsOptions {
  readonly ownership: Pick<Ownership, 'owns' | 'addressOf' | 'peers'>;
  readonly peers: Pick<EnginePeers, 'call'>;
  readonly observer: Observer;
}

type Args = readonly unknown[];

/** A call of a method of an account or a portfolio. */
export interface PassedCall {
  readonly shard: number;
  /** The account or the portfolio. */
  readonly of: string;
  readonly method: string;
  readonly args: Args;
  readonly unanswered: Unanswered;
}

/** Where `keyed` methods have their key among the arguments. */
const KEY = 2;

export class OwnerCalls {
  readonly #options: OwnerCallsOptions;

  constructor(options: OwnerCallsOptions) {
    this.#options = options;
  }

  /** True if this daemon owns the shard, or no daemon is known to: then nothing is passed on. */
  isHere(shard: number): boolean {
    const { ownership } = this.#options;
    return ownership.owns(shard) || ownership.addressOf(shard) === undefined;
  }

  /** Makes the call at its owner; here if that does not answer, and only where its rule allows it. */
  async pass<T>(call: PassedCall, here: () => Promise<T>): Promise<T> {
    switch (call.unanswered) {
      case 'trade':
        return (await this.#trade(call)) as T;
      case 'set':
        return (await this.#set(call, here)) as T;
      case 'cancel':
      case 'read':
        return await this.#cancel(call, here);
      case 'change':
        return await this.#change(call, here, true);
      case 'keyed':
        return await this.#change(call, here, call.args[KEY] !== undefined);
      case 'fail':
        return await this.atOwner<T>(call.shard, call.method, call.args);
    }
  }

  /** A request that may trade: an owner that does not answer leaves its outcome unknown. */
  async #trade({ shard, of, method, args }: PassedCall): Promise<unknown> {
    try {
      return await this.#call(shard, method, args);
    } catch (error) {
      this.#reportMistake(error);
      const why = reasonOf(error);
      if (error instanceof PeerUnreached) return unsent(`the daemon that works ${of}: ${why}`);
      return { kind: 'unknown', reason: why };
    }
  }

  /** A cancel, which no daemon must be kept from, or what the venue says: done here if the owner does not answer. */
  async #cancel<T>({ shard, method, args }: PassedCall, here: () => Promise<T>): Promise<T> {
    try {
      return (await this.#call(shard, method, args)) as T;
    } catch (error) {
      this.#options.observer.observe({ event: 'failed', where: 'owner', error });
      return await here();
    }
  }

  /** A setting of the account that trades nothing. It is made once: here if the owner cannot be reached. */
  async #set({ shard, method, args }: PassedCall, here: () => Promise<unknown>): Promise<unknown> {
    try {
      return await this.#call(shard, method, args);
    } catch (error) {
      if (!(error instanceof PeerUnreached)) {
        this.#reportMistake(error);
        return { kind: 'unknown', reason: reasonOf(error) };
      }
      this.#options.observer.observe({ event: 'failed', where: 'owner', error });
      return await here();
    }
  }

  /** A change of the ledger, which any daemon may write; `isRepeatable`: doing it twice changes nothing. */
  async #change<T>(
    { shard, method, args }: PassedCall,
    here: () => Promise<T>,
    isRepeatable: boolean,
  ): Promise<T> {
    try {
      return (await this.#call(shard, method, args)) as T;
    } catch (error) {
      if (error instanceof PeerUnreached || isRepeatable) {
        this.#options.observer.observe({ event: 'failed', where: 'owner', error });
        return await here();
      }
      if (error instanceof LedgerFailure || isProgrammingError(error)) throw error;
      throw new LedgerFailure(reasonOf(error), true, error);
    }
  }

  /** Calls the owner; throws if it does not answer. */
  async atOwner<T>(shard: number, method: string, args: Args): Promise<T> {
    return (await this.#call(shard, method, args)) as T;
  }

  /** Calls every other daemon; one that does not answer is left out, and reported. */
  async everywhere<T>(method: string, args: Args): Promise<readonly T[]> {
    const { ownership, peers, observer } = this.#options;
    const asked = ownership
      .peers()
      .map(async (address) =>
        resultOf(await peers.call(address, { method, text: argsText(args) })),
      );
    const answers = await Promise.allSettled(asked);
    return answers.flatMap((answer) => {
      if (answer.status === 'fulfilled') return [answer.value as T];
      observer.observe({ event: 'failed', where: 'owner', error: answer.reason });
      return [];
    });
  }

  /** The outcome is unknown all the same: the request may have left. */
  #reportMistake(error: unknown): void {
    if (isProgrammingError(error))
      this.#options.observer.observe({ event: 'failed', where: 'owner', error });
  }

  async #call(shard: number, method: string, args: Args): Promise<unknown> {
    const { ownership, peers } = this.#options;
    const address = ownership.addressOf(shard);
    if (address === undefined) throw new PeerUnreached('its owner is changing');
    return resultOf(await peers.call(address, { method, text: argsText(args) }));
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
