// Entries of the method table about Block RFQs: methods of an account whose venue has them. Makers'
// methods are for accounts that have a maker's alias there.
import type { z } from 'zod';
import type { RfqDesk } from '../../ports/block-rfq.ts';
import { textField } from '../field-kinds.ts';
import { optional } from '../fields.ts';
import { type AccountCall, accountMethod, type Method, type MethodAnswer } from './method.ts';
import { forbidden, notFound } from './refusals.ts';

export interface RfqCall extends AccountCall {
  readonly rfqs: RfqDesk;
}

type AccountSpec<S extends z.ZodRawShape> = Parameters<typeof accountMethod<S>>[0];

export interface RfqSpec<S extends z.ZodRawShape> extends Omit<AccountSpec<S>, 'needs' | 'run'> {
  readonly needs: 'rfqRead' | 'rfq';
  readonly run: (call: RfqCall, params: z.output<z.ZodObject<S>>) => MethodAnswer;
}

/** For takers and makers alike. */
export function rfqMethod<S extends z.ZodRawShape>({ run, ...spec }: RfqSpec<S>): Method {
  return accountMethod<S>({
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
export function makerMethod<S extends z.ZodRawShape>({ run, ...spec }: RfqSpec<S>): Method {
  return rfqMethod<S>({
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
