// Guards an order with the `mmp` flag while it is in flight: it is blocked up to the last moment before sending,
// and tracked once the venue has replied, because its group may have tripped in between.
import type { NewOrder, Reply, Worked } from '../../ports/trading-desk.ts';
import type { Venue } from '../../ports/venue.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Objection } from '../risk/gate-orders.ts';
import type { MmpGuard } from './mmp-guard.ts';

export interface Fence {
  readonly objection: () => Objection | undefined;
  readonly answered: (reply: Reply<Worked>) => void;
}

export const MMP_TRIGGER = 13030;

/** Manual orders belong to the unnamed group. */
const placeOf = (account: AccountId, { indexName: index }: Instrument) =>
  ({ account, kind: 'order', index, group: '' }) as const;

/** `undefined` if the order is not protected. */
export function fenceOf(
  guard: MmpGuard | undefined,
  venue: Venue,
  { account, mmp, instrument: name }: NewOrder,
): Fence | undefined {
  const instrument = guard && mmp ? venue.instrument(name) : undefined;
  if (guard === undefined || instrument === undefined) return undefined;
  const place = placeOf(account, instrument);
  let isOurs = false;
  return {
    objection: () => {
      const objection = guard.objection(place);
      isOurs = objection !== undefined;
      return objection;
    },
    answered: (reply) => {
      // This refusal is ours, not the venue's; counting it would trip the group again after a reset.
      if (isOurs) return;
      if (reply.kind === 'done') guard.entered(venue, reply.value.order);
      if (reply.kind === 'refused' && reply.code === MMP_TRIGGER) guard.refusedByVenue(place);
    },
  };
}

/** Why an open order must not be edited now. */
export const editObjection = (
  guard: MmpGuard | undefined,
  { account, mmp }: { readonly account: AccountId; readonly mmp: boolean },
  instrument: Instrument,
): Objection | undefined => (mmp ? guard?.objection(placeOf(account, instrument)) : undefined);
