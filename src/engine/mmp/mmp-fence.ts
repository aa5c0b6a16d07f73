// Guards an order that counts for protection while it is in flight: it is blocked up to the last moment before sending,
// and if the venue's own protection refuses it, ours follows.
import { freezesAt, type MmpFreezeInForce } from '../../core/mmp/mmp-state.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { legSpec } from '../../core/portfolio/aggregate/positions.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Objection } from '../risk/gate-orders.ts';
import { MMP_TRIGGER, type MmpGuard } from './mmp-guard.ts';

type Place = Parameters<MmpGuard['objection']>[0];

export interface Fence {
  readonly objection: () => Objection | undefined;
  /** Called with the reply to the request; an objection of ours does not count as the venue's. */
  readonly answered: (reply: Reply<unknown>) => void;
}

/** `undefined` if there is no guard. */
function fenceAt(guard: MmpGuard | undefined, place: Place): Fence | undefined {
  if (guard === undefined) return undefined;
  let isOurs = false;
  return {
    objection: () => {
      const objection = guard.objection(place);
      isOurs = objection !== undefined;
      return objection;
    },
    // Counting a refusal of ours would trip the group again after a reset.
    answered: (reply) => {
      if (!isOurs && reply.kind === 'refused' && reply.code === MMP_TRIGGER) {
        guard.refusedByVenue(place);
      }
    },
  };
}

/** For an order entered with the flag `mmp`: manual orders belong to the unnamed group. */
export const fenceOf = (
  guard: MmpGuard | undefined,
  account: AccountId,
  { indexName: index }: Instrument,
): Fence | undefined => fenceAt(guard, { account, kind: 'order', index, group: '' });

/** For a child; `undefined` if its portfolio names no group. */
export function childFence(
  guard: MmpGuard | undefined,
  state: PortfolioState,
  { leg }: { readonly leg: number },
): Fence | undefined {
  const { accountId: account, execution } = state.spec;
  const group = execution.mmpGroup;
  const instrument = state.instruments.get(legSpec(state, leg).instrument);
  if (group === undefined || instrument === undefined) return undefined;
  return fenceAt(guard, { account, kind: 'order', index: instrument.indexName, group });
}

/** The freezes in force for decisions about the portfolio; `undefined` if it has no group to freeze. */
export function freezesFor(
  guard: MmpGuard | undefined,
  { spec }: PortfolioState,
  now: Instant,
): readonly MmpFreezeInForce[] | undefined {
  if (spec.execution.mmpGroup === undefined) return undefined;
  return guard && freezesAt(guard.stateOf({ account: spec.accountId, kind: 'order' }), now);
}
