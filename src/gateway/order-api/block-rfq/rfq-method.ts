// Entries of the method table about Block RFQs: methods of an account whose venue has them. Makers'
// methods are for accounts that have a maker's alias there.
import type { z } from 'zod';
import type { RfqDesk } from '../../../ports/block-rfq.ts';
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

/** For takers and makers alike. */
export function rfqMethod<N extends string, S extends z.ZodRawShape, Out>({
  run,
  ...spec
}: RfqSpec<N, S, Out>) {
  return accountMethod<N, S, Out>({
    ...spec,
    run: (call, params) => {
      const rfqs = call.orders.rfqsFor?.(call.account);
      if (rfqs !== undefined) return run({ ...call, rfqs }, params);
      const reason = `the venue of ${call.account} has no Block RFQs; accepted: another account`;
      return notFound('accountId', reason);
    },
  });
}

/** For accounts that are makers. */
export function makerMethod<N extends string, S extends z.ZodRawShape, Out>({
  run,
  ...spec
}: RfqSpec<N, S, Out>) {
  return rfqMethod<N, S, Out>({
    ...spec,
    run: (call, params) => {
      if (call.rfqs.aliasOf(call.account) !== undefined) return run(call, params);
      const reason = `${call.account} is no maker; accepted: an account with a maker's alias`;
      return forbidden('accountId', reason);
    },
  });
}

export const idempotencyKey = optional(
  textField({
    max: 64,
    description: 'Does it once: the same request again gets the first answer',
  }),
);
