// The execution options as plain JSON, as stored in the ledger. Options unknown to an older version are absent, which
// means off.
import { price, ratio, text } from '../../values/amounts.ts';
import type { Plain } from '../../values/text/json-form.ts';
import type { Execution } from './execution.ts';
import { interned } from './interned.ts';

export type ExecutionRecord = Plain<Execution>;

export function executionToRecord({ collar, would, rfq, ...same }: Execution): ExecutionRecord {
  const prices = would?.map((one) => ({ ...one, price: text(one.price) }));
  return {
    ...same,
    collar: text(collar),
    ...(prices && { would: prices }),
    ...(rfq && { rfq: { ...rfq, limitPrice: rfq.limitPrice && text(rfq.limitPrice) } }),
  };
}

/** Options that are off are named as well: objects of one shape are cheap to read. */
const ALL_OFF = {
  catchUp: undefined,
  aim: undefined,
  downtime: undefined,
  randomise: undefined,
  slippageMaxBps: undefined,
  spreadMaxBps: undefined,
  spreadMaxVol: undefined,
  bandBps: undefined,
  participationMax: undefined,
  escalation: undefined,
  would: undefined,
  quiet: undefined,
  rfq: undefined,
  endCapBps: undefined,
  extendMs: undefined,
  mmpGroup: undefined,
} satisfies Partial<Execution>;

/** Most portfolios use the defaults, or those of a few strategies. */
const EXECUTIONS_KEPT = 256;

export const executionFromRecord = interned((record: ExecutionRecord): Execution => {
  const { collar, would, rfq } = record;
  const limit = rfq?.limitPrice;
  return {
    ...ALL_OFF,
    ...record,
    collar: ratio(collar),
    would: would?.map((one) => ({ ...one, price: price(one.price) })),
    rfq: rfq && { ...rfq, limitPrice: limit === undefined ? undefined : price(limit) },
  };
}, EXECUTIONS_KEPT);
