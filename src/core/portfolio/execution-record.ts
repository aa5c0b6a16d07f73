// The execution options as plain JSON, as the ledger keeps them. What an older version did not know is
// absent, which is off.
import { price, ratio, text } from '../../values/amounts.ts';
import type { EndRfq, Execution, WouldPrice } from './execution.ts';

type WouldRecord = Omit<WouldPrice, 'price'> & { readonly price: string };

type EndRfqRecord = Omit<EndRfq, 'limitPrice'> & { readonly limitPrice?: string | undefined };

export type ExecutionRecord = Omit<Execution, 'collar' | 'would' | 'rfq'> & {
  readonly collar: string;
  readonly rfq?: EndRfqRecord | undefined;
  readonly would?: readonly WouldRecord[] | undefined;
};

export function executionToRecord({ collar, would, rfq, ...same }: Execution): ExecutionRecord {
  const prices = would?.map((one) => ({ ...one, price: text(one.price) }));
  return {
    ...same,
    collar: text(collar),
    ...(prices && { would: prices }),
    ...(rfq && { rfq: { ...rfq, limitPrice: rfq.limitPrice && text(rfq.limitPrice) } }),
  };
}

export function executionFromRecord({ collar, would, rfq, ...same }: ExecutionRecord): Execution {
  const prices = would?.map((one) => ({ ...one, price: price(one.price) }));
  const limit = rfq?.limitPrice;
  return {
    ...same,
    collar: ratio(collar),
    ...(prices && { would: prices }),
    ...(rfq && { rfq: { ...rfq, limitPrice: limit === undefined ? undefined : price(limit) } }),
  };
}
