// Params that private methods share, and the accounts of a key as its subaccounts.
//
// Decisions: the first account of a key is its main account, the others are its subaccounts; a login acts for one of
// them, and queries that take `subaccount_id` may read any account of the same key.

import type { AccountId } from '../../../values/ids.ts';
import { owns } from '../../auth/key-store.ts';
import { forbidden } from '../../order-api/refusals.ts';
import { accountIdField } from '../../wire/field-kinds.ts';
import { optional, optionalOr } from '../../wire/fields.ts';
import type { DeribitAnswer, PrivateCall } from './deribit-method.ts';
import { wholeParam } from './deribit-params.ts';

export const countParam = (byDefault: number) =>
  optionalOr(
    wholeParam({
      min: 1,
      max: 1_000,
      description: `How many, at most 1000 (default ${byDefault})`,
    }),
    byDefault,
  );

export const subaccountParam = optional(accountIdField('An account of the same key'));

/** Runs for that account, or for the one that has logged in. */
export function asSubaccount(
  call: PrivateCall,
  account: AccountId | undefined,
  run: (call: PrivateCall) => DeribitAnswer,
): DeribitAnswer {
  if (account === undefined || account === call.account) return run(call);
  const desk = owns(call.login.key, account) ? call.orders.forAccount(account) : undefined;
  return desk === undefined
    ? forbidden('subaccount_id', 'is not an account of this key; accepted: an account of this key')
    : run({ ...call, account, desk });
}
