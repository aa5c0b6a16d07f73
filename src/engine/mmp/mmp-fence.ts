// Guards an order that counts for protection while it is in flight: it is blocked up to the last moment before sending,
// and if the venue's own protection refuses it, ours follows.
import { coinsOf } from '../../core/mmp/mmp-exposure.ts';
import { freezesAt, type MmpFreezeInForce } from '../../core/mmp/mmp-state.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { legSpec } from '../../core/portfolio/aggregate/positions.ts';
import type { NewOrder, Reply } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { type Instrument, isCombo } from '../../values/instrument.ts';
import type { Objection } from '../risk/gate-orders.ts';
import type { QuotedSize } from './mmp-book.ts';
import { MMP_TRIGGER, type MmpProtecting } from './mmp-guard.ts';

type Place = Parameters<MmpProtecting['objection']>[0];

export interface Fence {
  readonly objection: () => Objection | undefined;
  /** Called with the reply to the request; an objection of ours does not count as the venue's. */
  readonly answered: (reply: Reply<unknown>) => void;
}

/** The order that is to be sent; its price is unknown only if it needs none. */
type Sized = Pick<NewOrder, 'side' | 'quantity' | 'price' | 'validUntil'>;

type Fencing = Pick<MmpProtecting, 'objection' | 'sizeObjection' | 'sending' | 'refusedByVenue'>;

function fenceAt(
  guard: Fencing,
  place: Place,
  { instrument, order }: { readonly instrument: Instrument; readonly order: Sized | undefined },
): Fence {
  let isOurs = false;
  let end: ReturnType<Fencing['sending']> | undefined;
  const size = order && sizeOf(place, instrument, order);
  return {
    objection: () => {
      const objection = guard.objection(place) ?? (size && guard.sizeObjection(size));
      isOurs = objection !== undefined;
      if (!isOurs && size !== undefined) end ??= guard.sending(size, order?.validUntil);
      return objection;
    },
    // Counting a refusal of ours would trip the group again after a reset.
    answered: (reply) => {
      end?.(reply.kind);
      if (!isOurs && reply.kind === 'refused' && reply.code === MMP_TRIGGER) {
        guard.refusedByVenue(place);
      }
    },
  };
}

/** In coins; `undefined` where the price says nothing about them, as that of a spread in USD. */
export function sizeOf(
  { account, index, group }: Place,
  instrument: Instrument,
  { side, quantity, price }: Sized,
): QuotedSize | undefined {
  if (price === undefined || (isCombo(instrument) && instrument.amountUnit === 'usd')) return;
  const coins = coinsOf(instrument, { quantity, price });
  return { account, index, group, instrument: instrument.name, side, coins };
}

/**
 * For an order entered with the flag `mmp`: manual orders belong to the unnamed group. Without the order only freezes
 * hold it back.
 */
export const fenceOf = (
  guard: Fencing,
  account: AccountId,
  instrument: Instrument,
  order?: Sized,
): Fence => {
  const { indexName: index } = instrument;
  return fenceAt(guard, { account, kind: 'order', index, group: '' }, { instrument, order });
};

/** For a child; `undefined` if its portfolio names no group. */
export function childFence(
  guard: Fencing,
  state: PortfolioState,
  { leg, ...order }: Sized & { readonly leg: number },
): Fence | undefined {
  const { accountId: account, execution } = state.spec;
  const group = execution.mmpGroup;
  const instrument = state.instruments.get(legSpec(state, leg).instrument);
  if (group === undefined || instrument === undefined) return undefined;
  const place = { account, kind: 'order', index: instrument.indexName, group } as const;
  return fenceAt(guard, place, { instrument, order });
}

/** The freezes in force for decisions about the portfolio; `undefined` if it has no group to freeze. */
export function freezesFor(
  guard: Pick<MmpProtecting, 'stateOf'>,
  { spec }: PortfolioState,
  now: Instant,
): readonly MmpFreezeInForce[] | undefined {
  if (spec.execution.mmpGroup === undefined) return undefined;
  return freezesAt(guard.stateOf({ account: spec.accountId, kind: 'order' }), now);
}
