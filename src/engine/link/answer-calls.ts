// Answers the calls of other daemons with the operations of this one. Only what is passed to owners can be called.

import { type AnswerCall, PeerUnreached } from '../../ports/deployment/engine-peers.ts';
import type { Wake } from '../../ports/job-queue.ts';
import {
  isProgrammingError,
  throwProgrammingError,
} from '../../values/errors/programming-error.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Operations } from '../interface/operations.ts';
import type { TradingApi } from '../interface/trading-api.ts';
import type { OrderOperations } from '../order-entry/order-operations.ts';
import type { Wakes } from '../scheduling/wake-portfolio.ts';
import {
  type AccountHandOvers,
  EXPECT,
  HAND_OVER,
  type HandedAccount,
} from './account-hand-overs.ts';
import { ACCOUNT_METHODS, accountIn, type DeskName } from './account-methods.ts';
import { argsOf, failureText, resultText } from './call-codec.ts';

export interface AnswerCallsOptions {
  readonly operations: Operations;
  readonly orders: OrderOperations;
  /** Absent: neither overrides nor the use of limits are passed. */
  readonly trading?: TradingApi | undefined;
  /** Absent: what other daemons leave of an account is not taken note of. */
  readonly handOvers?: Pick<AccountHandOvers, 'receive' | 'expect'> | undefined;
  /** Absent: no wake-ups are passed. */
  readonly wakes?: Pick<Wakes, 'hold'> | undefined;
  /** Called for mistakes of this program: to the caller only their message is passed. */
  readonly onFault: (error: unknown) => void;
}

/** Wake-ups of a shard, passed to its owner. */
export const HOLD_WAKES = 'wakes.hold';

type Answer = (...args: never[]) => unknown;

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

export function answerCalls(options: AnswerCallsOptions): AnswerCall {
  const { operations, orders, trading, handOvers, wakes, onFault } = options;
  const desks: { readonly [N in DeskName]: (account: AccountId) => object | undefined } = {
    orders: (account) => orders.forAccount(account),
    rfqs: (account) => orders.rfqsFor?.(account),
    combos: (account) => orders.combosFor?.(account),
    margins: (account) => orders.marginsFor?.(account),
    mmp: () => orders.mmp,
  };
  const answerOf = (name: DeskName, method: string): ((...args: readonly unknown[]) => unknown) => {
    return (...args) => {
      const account = accountIn(args) ?? raise(`${name}.${method} names no account`);
      const desk = desks[name](account) ?? raise(`${account} has no ${name} at this daemon`);
      return (Reflect.get(desk, method) as Answer).apply(desk, args as never[]);
    };
  };
  const portfolios: Pick<
    Operations,
    'submit' | 'cancel' | 'cancelAll' | 'pause' | 'resume' | 'amend'
  > = {
    submit: (...args) => operations.submit(...args),
    cancel: (...args) => operations.cancel(...args),
    cancelAll: (...args) => operations.cancelAll(...args),
    pause: (...args) => operations.pause(...args),
    resume: (...args) => operations.resume(...args),
    amend: (...args) => operations.amend(...args),
  };
  const controls: readonly (readonly [string, Answer])[] =
    trading === undefined
      ? []
      : [
          ['trading.overrides', (at: Instant) => trading.overrides(at)],
          [
            'trading.requestOverride',
            (...args: Parameters<TradingApi['requestOverride']>) =>
              trading.requestOverride(...args),
          ],
          [
            'trading.grantOverride',
            (...args: Parameters<TradingApi['grantOverride']>) => trading.grantOverride(...args),
          ],
          [
            'trading.limitUse',
            (...args: Parameters<TradingApi['limitUse']>) => trading.limitUse(...args),
          ],
        ];
  const answers = new Map<string, Answer>([
    ...controls,
    [
      EXPECT,
      async (accounts: readonly AccountId[]) => {
        await handOvers?.expect(accounts);
        return null;
      },
    ],
    [
      HAND_OVER,
      (handed: readonly HandedAccount[]) => {
        handOvers?.receive(handed);
        return null;
      },
    ],
    [
      HOLD_WAKES,
      (passed: readonly Wake[]) => {
        if (wakes === undefined) return raise('this daemon holds no wake-ups');
        wakes.hold(passed);
        return null;
      },
    ],
    ...Object.entries(portfolios).map(([name, answer]) => [`portfolios.${name}`, answer] as const),
    ...(Object.keys(ACCOUNT_METHODS) as DeskName[]).flatMap((name) =>
      Object.keys(ACCOUNT_METHODS[name]).map(
        (method) => [`${name}.${method}`, answerOf(name, method)] as const,
      ),
    ),
  ]);
  return async ({ method, text }) => {
    try {
      const answer = answers.get(method);
      if (answer === undefined) return raise(`${method} is not passed between daemons`);
      const args = readArgs(text);
      return resultText(await answer(...(args as never[])));
    } catch (error) {
      if (isProgrammingError(error)) onFault(error);
      return failureText(error);
    }
  };
}
