// Finds the RFQ of a request and checks the account's role: another account's id is not found, the account's
// own id in the wrong role is forbidden.
import type { AccountId } from '../../values/ids.ts';
import { checkBook } from '../checks/order-checks.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Refusal } from '../model/refusal.ts';
import { isLive, type Rfq } from './rfq.ts';
import * as refusal from './rfq-refusal.ts';

export interface RfqRequest {
  readonly account: AccountId;
  readonly rfqId: string;
}

const unknown = (): Refusal =>
  refusal.notFound('blockRfqId', 'is none of this account; accepted: its own id of an RFQ');

function liveRfq(state: ExchangeState, { account, rfqId }: RfqRequest): Rfq | Refusal {
  const rfq = state.rfqs.find(account, rfqId);
  if (rfq === undefined) return unknown();
  return isLive(rfq) ? rfq : refusal.alreadyClosed('blockRfqId', `the RFQ is ${rfq.status}`);
}

export function takersRfq(state: ExchangeState, request: RfqRequest): Rfq | Refusal {
  const known = state.rfqs.find(request.account, request.rfqId);
  if (known !== undefined && known.taker !== request.account) {
    return refusal.forbidden('blockRfqId', 'only its taker may do that');
  }
  return liveRfq(state, request);
}

export function makersRfq(state: ExchangeState, request: RfqRequest): Rfq | Refusal {
  const known = seatedRfq(state, request);
  return 'code' in known ? known : liveRfq(state, request);
}

/** An RFQ the account may quote, or could have quoted before it ended. */
export function seatedRfq(state: ExchangeState, { account, rfqId }: RfqRequest): Rfq | Refusal {
  if (!state.rfqs.makers.has(account)) {
    const accepted = 'accepted: an account with a maker alias';
    return refusal.forbidden('accountId', `is not a maker; ${accepted}`);
  }
  const known = state.rfqs.find(account, rfqId);
  if (known === undefined) return unknown();
  return known.taker === account
    ? refusal.forbidden(
        'blockRfqId',
        "is the account's own RFQ; accepted: an RFQ of another account",
      )
    : known;
}

/** Checks that every book the RFQ would trade in is open. */
export function checkBooks(
  state: ExchangeState,
  { legs, hedge }: Pick<Rfq, 'legs' | 'hedge'>,
): Refusal | undefined {
  for (const { instrument } of hedge === undefined ? legs : [...legs, hedge]) {
    const listing = state.listings.get(instrument);
    if (listing === undefined) return refusal.unknownInstrument('instrumentName', instrument);
    const refused = checkBook(listing, state.now);
    if (refused !== undefined) return refused;
  }
  return undefined;
}
