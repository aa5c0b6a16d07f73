// Publishes MMP triggers. A trigger for all indexes is published on each of them.
import { ALL_INDEXES } from '../../../core/mmp/index-names.ts';
import type { MmpOperations } from '../../../engine/mmp/mmp-operations.ts';
import type { AccountId } from '../../../values/ids.ts';
import { frozenView } from '../mmp/mmp-view.ts';
import type { Leave, Told } from './market-channels.ts';

export function openMmpTriggers(
  mmp: MmpOperations,
  { account, index }: { readonly account: AccountId; readonly index: string | undefined },
  { tell }: Told,
): Leave {
  return mmp.listen((trip) => {
    if (trip.account !== account) return;
    const isMeant = index === undefined || trip.index === index || trip.index === ALL_INDEXES;
    if (isMeant) tell(frozenView(trip));
  });
}
