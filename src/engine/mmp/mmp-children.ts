// Applies protection to the children of a portfolio with an MMP group: they carry the flag and are not sent while
// the group is frozen.

import { freezesAt, type MmpFreezeInForce } from '../../core/mmp/mmp-state.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { legSpec } from '../../core/portfolio/aggregate/positions.ts';
import type { OrderAnswer, Refused } from '../../ports/venue.ts';
import type { Instant } from '../../values/instant.ts';
import { MMP_TRIGGER } from './mmp-fence.ts';
import type { MmpGuard } from './mmp-guard.ts';

type Child = { readonly leg: number };

/** The freezes in force for decisions about the portfolio; `undefined` if it has no group to freeze. */
export function freezesFor(
  guard: MmpGuard | undefined,
  { spec }: PortfolioState,
  now: Instant,
): readonly MmpFreezeInForce[] | undefined {
  if (spec.execution.mmpGroup === undefined) return undefined;
  return guard && freezesAt(guard.stateOf({ account: spec.accountId, kind: 'order' }), now);
}

/** Why a child must not be sent now. */
export function childRefusal(
  guard: MmpGuard | undefined,
  state: PortfolioState,
  child: Child,
): Refused | undefined {
  const place = placeOf(state, child);
  const objection = place && guard?.objection(place);
  if (objection === undefined) return undefined;
  const { code, message } = objection.reply;
  return { kind: 'refused', code, message: `not sent: ${message}`, class: 'later' };
}

/** If the venue's own protection has tripped, ours follows and the child may be sent later. */
export function afterTrigger(
  guard: MmpGuard | undefined,
  { state, child, answer }: { state: PortfolioState; child: Child; answer: OrderAnswer },
): OrderAnswer {
  if (answer.kind !== 'refused' || answer.code !== MMP_TRIGGER) return answer;
  const place = placeOf(state, child);
  if (place !== undefined) guard?.refusedByVenue(place);
  return { ...answer, class: 'later' };
}

function placeOf(state: PortfolioState, { leg }: Child) {
  const { accountId: account, execution } = state.spec;
  const group = execution.mmpGroup;
  const instrument = state.instruments.get(legSpec(state, leg).instrument);
  if (group === undefined || instrument === undefined) return undefined;
  return { account, kind: 'order', index: instrument.indexName, group } as const;
}
