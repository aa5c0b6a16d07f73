// Continuations of lists, as earlier answers gave them. Any other text is refused: read as a start it would give a wrong page.

import { type Refused, refusal } from '../../core/order/answer-class.ts';

export const UNKNOWN_CONTINUATION = refusal(-32602, {
  param: 'continuation',
  reason: 'is unknown; accepted: the continuation of an earlier answer',
});

/** The id of an RFQ; the page continues below it. */
const OF_RFQS = /^[1-9]\d{0,14}$/;
/** The id of a block trade. */
const OF_BLOCKS = /^BLOCK-[1-9]\d{0,14}$/;

const PATTERNS = { rfqs: OF_RFQS, blocks: OF_BLOCKS };

/** Why a page of this list cannot begin there. */
export const continuationFault = (
  list: keyof typeof PATTERNS,
  continuation: string | undefined,
): Refused | undefined =>
  continuation === undefined || PATTERNS[list].test(continuation)
    ? undefined
    : UNKNOWN_CONTINUATION;
