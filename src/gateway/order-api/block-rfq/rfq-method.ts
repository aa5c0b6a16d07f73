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
  extends Omit<AccountSpec<N, S, Out>, 'needs' | 'run'> {
  readonly needs: 'rfqRead' | 'rfq';
  readonly run: (call: RfqCall, params: z.output<z.ZodObject<S>>) => MethodAnswer;
}

/** A method for takers and makers. */
export function rfqMethod<N extends string, S extends z.ZodRawShape, Out>({
  run,
  ...spec
}: RfqSpec<N, S, Out>) {
  return accountMethod<N, S, Out>({
    ...spec,
    run: (call, params) => {
      const rfqs = call.orders.rfqsFor(call.account);
      if (rfqs !== undefined) return run({ ...call, rfqs }, params);
      const reason = `the venue of ${call.account} has no Block RFQs; accepted: another account`;
      return notFound('accountId', reason);
    },
  });
}

/** A method for makers only. */
export function makerMethod<N extends string, S extends z.ZodRawShape, Out>({
  run,
  ...spec
}: RfqSpec<N, S, Out>) {
  return rfqMethod<N, S, Out>({
    ...spec,
    run: (call, params) =>
      call.rfqs.aliasOf(call.account) === undefined
        ? ifMakerNow(call, () => run(call, params))
        : run(call, params),
  });
}

/** An account may have become a maker a moment ago. */
async function ifMakerNow(
  { account, orders }: RfqCall,
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
