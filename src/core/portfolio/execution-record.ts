// The execution options as plain JSON, as the ledger keeps them. What an older version did not know is
// absent, which is off.
import { price, ratio, text } from '../../values/amounts.ts';
import type { Execution, WouldPrice } from './execution.ts';

type WouldRecord = Omit<WouldPrice, 'price'> & { readonly price: string };

export type ExecutionRecord = Omit<Execution, 'collar' | 'would'> & {
  readonly collar: string;
  readonly would?: readonly WouldRecord[] | undefined;
};

export function executionToRecord({ collar, would, ...same }: Execution): ExecutionRecord {
  const prices = would?.map((one) => ({ ...one, price: text(one.price) }));
  return { ...same, collar: text(collar), ...(prices && { would: prices }) };
}

export function executionFromRecord({ collar, would, ...same }: ExecutionRecord): Execution {
  const prices = would?.map((one) => ({ ...one, price: price(one.price) }));
  return { ...same, collar: ratio(collar), ...(prices && { would: prices }) };
}
