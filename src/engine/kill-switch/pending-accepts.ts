// Cancels accepts of Block RFQs that wait for quotes: each would trade without further confirmation.
import type { RfqReads } from '../../ports/block-rfq.ts';
import type { AccountId } from '../../values/ids.ts';

/** More open RFQs than a taker may have. */
const OPEN_MAX = 1_000;

/** Cancels them all and returns their number. Rejects if the venue does not reply. */
export async function cancelPendingAccepts(rfqs: RfqReads, account: AccountId): Promise<number> {
  const query = { account, role: 'taker', status: 'open', count: OPEN_MAX } as const;
  const found = await rfqs.rfqs(query);
  if (found.kind !== 'done') throw new Error(`the Block RFQs of ${account} are not known`);
  const waiting = found.value.rfqs.filter(({ triggers }) =>
    triggers.some(({ state }) => state === 'untriggered'),
  );
  const asked = waiting.map(({ id: rfqId }) => rfqs.cancelTrigger({ account, rfqId }));
  for (const reply of await Promise.all(asked)) {
    if (reply.kind === 'unknown') throw new Error(`an accept of ${account} may still wait`);
  }
  return waiting.length;
}
