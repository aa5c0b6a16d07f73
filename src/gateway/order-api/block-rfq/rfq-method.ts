// Builders of Block RFQ entries in the method table: methods of an account whose venue offers Block RFQs. Maker
// methods need an account with a maker alias there.
import type { z } from 'zod';
import type { RfqDesk } from '../../../ports/block-rfq.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import { textField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { type AccountCall, type AccountSpec, accountMethod, type MethodAnswer } from '../method.ts';
import { forbidden, notFound } from '../refusals.ts';

export interface RfqCall extends AccountCall {
  readonly rfqs: RfqDesk;
}

export interface RfqSpec<N extends string, S extends z.ZodRawShape, Out>
  extends Omit<AccountSpec<N, S, Out>, 'run'> {
  readonly run: (call: RfqCall, params: z.output<z.ZodObject<S>>) => MethodAnswer;
}

/** A method for takers and makers. */
export function rfqMethod<N extends string, S extends z.ZodRawShape, Out>({
  run,
  ...spec
}: RfqSpec<N, S, Out>) {
  return accountMethod<N, S, Out>({
    ...spec,
    run: (call, params) => withRfqs(call, (rfqs) => run({ ...call, rfqs }, params)),
  });
}

/** A method for makers only. */
export function makerMethod<N extends string, S extends z.ZodRawShape, Out>({
  run,
  ...spec
}: RfqSpec<N, S, Out>) {
  return rfqMethod<N, S, Out>({
    ...spec,
    run: (call, params) => asMaker(call, () => run(call, params)),
  });
}

type Caller = Pick<AccountCall, 'account' | 'orders'>;

/** Runs with the Block RFQs of the account's venue, if it has them. */
export function withRfqs({ account, orders }: Caller, run: (rfqs: RfqDesk) => MethodAnswer) {
  const rfqs = orders.rfqsFor(account);
  if (rfqs !== undefined) return run(rfqs);
  const reason = `the venue of ${account} has no Block RFQs; accepted: another account`;
  return notFound('accountId', reason);
}

export const asMaker = (
  caller: Caller & { readonly rfqs: RfqDesk },
  run: () => MethodAnswer,
): MethodAnswer =>
  caller.rfqs.aliasOf(caller.account) === undefined ? ifMakerNow(caller, run) : run();

/** An account may have become a maker a moment ago. */
async function ifMakerNow(
  { account, orders }: Caller,
  run: () => MethodAnswer,
): Promise<Reply<unknown>> {
  if ((await orders.aliasOf(account)) !== undefined) return await run();
  const reason = `${account} is not a maker; accepted: an account with a maker alias`;
  return forbidden('accountId', reason);
}

export const idempotencyKey = optional(
  textField({
    max: 64,
    description: 'Executes the request once; a repetition gets the first answer',
  }),
);
