// Answers the calls of other daemons with the operations of this one. Only what is passed to owners can be called.

import { type AnswerCall, PeerUnreached } from '../../ports/deployment/engine-peers.ts';
import type { Wake } from '../../ports/job-queue.ts';
import {
  isProgrammingError,
  throwProgrammingError,
} from '../../values/errors/programming-error.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Operations } from '../interface/operations.ts';
import type { TradingApi } from '../interface/trading-api.ts';
import {
  type DeskName,
  deskOf,
  isDeskName,
  type OrderOperations,
} from '../order-entry/order-operations.ts';
import type { Wakes } from '../scheduling/wake-portfolio.ts';
import {
  type AccountHandOvers,
  EXPECT,
  HAND_OVER,
  type HandedAccount,
} from './account-hand-overs.ts';
import { argsOf, failureText, resultText } from './call-codec.ts';
import { ownerOf } from './interface-rules.ts';
import { type Method, methodOf } from './method-of.ts';
import { accountIn } from './owner-dispatch.ts';

export interface AnswerCallsOptions {
  readonly operations: Operations;
  readonly orders: OrderOperations;
  readonly trading: TradingApi;
  readonly handOvers: Pick<AccountHandOvers, 'receive' | 'expect'>;
  readonly wakes: Pick<Wakes, 'hold'>;
  /** Called for mistakes of this program: to the caller only their message is passed. */
  readonly onFault: (error: unknown) => void;
}

/** Wake-ups of a shard, passed to its owner. */
export const HOLD_WAKES = 'wakes.hold';

/** A daemon of another version may call what this one does not know: then nothing is done. */
function raise(why: string): never {
  throw new PeerUnreached(why);
}

function readArgs(text: string): readonly unknown[] {
  try {
    return argsOf(text);
  } catch (error) {
    // Text of another version may hold anything.
    if (!(error instanceof SyntaxError)) throwProgrammingError(error);
    return raise('the arguments cannot be read');
  }
}

/** What daemons say to one another besides the calls of clients. */
function betweenDaemons({ handOvers, wakes }: AnswerCallsOptions): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    [
      EXPECT,
      async (accounts) => {
        await handOvers.expect(accounts as readonly AccountId[]);
        return null;
      },
    ],
    [
      HAND_OVER,
      (handed) => {
        handOvers.receive(handed as readonly HandedAccount[]);
        return null;
      },
    ],
    [
      HOLD_WAKES,
      (passed) => {
        wakes.hold(passed as readonly Wake[]);
        return null;
      },
    ],
  ]);
}

export function answerCalls(options: AnswerCallsOptions): AnswerCall {
  const { operations, orders, trading, onFault } = options;
  const atDesk =
    (name: DeskName, method: string): Method =>
    (...args) => {
      const account = accountIn(args) ?? raise(`${name}.${method} names no account`);
      const desk =
        deskOf(orders, name, account) ?? raise(`${account} has no ${name} at this daemon`);
      const own = methodOf(desk, method) ?? raise(`${name} have no ${method} at this daemon`);
      return own(...args);
    };
  const groups: Readonly<Record<string, object>> = { portfolios: operations, trading };
  const ruled = (method: string): Method | undefined => {
    if (ownerOf(method) === undefined) return undefined;
    const [group = '', name = ''] = method.split('.');
    if (isDeskName(group)) return atDesk(group, name);
    const of = groups[group];
    return of && methodOf(of, name);
  };
  const between = betweenDaemons(options);
  return async ({ method, text }) => {
    try {
      const answer = ruled(method) ?? between.get(method);
      if (answer === undefined) return raise(`${method} is not passed between daemons`);
      return resultText(await answer(...readArgs(text)));
    } catch (error) {
      if (isProgrammingError(error)) onFault(error);
      return failureText(error);
    }
  };
}
