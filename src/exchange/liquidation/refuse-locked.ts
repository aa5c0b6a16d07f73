// While an account is liquidated in a currency, nothing that could trade in that currency is accepted from it; cancels are.
import type { Currency } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { ExchangeCommand } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';

/** The refusal of a command of a locked account; `undefined` if the command may be performed. */
export function refuseLocked(state: ExchangeState, command: ExchangeCommand): Refusal | undefined {
  switch (command.kind) {
    case 'place':
    case 'edit_by_label':
      return refuseIn(state, command.account, state.listings.get(command.instrument)?.instrument);
    case 'edit':
      return refuseIn(
        state,
        command.account,
        state.orders.byId(command.orderId)?.listing.instrument,
      );
    case 'create_rfq':
    case 'accept_rfq':
    case 'quote_rfq':
    case 'edit_rfq_quote': {
      const [currency] = state.accounts.get(command.account)?.liquidating ?? [];
      return currency && refusal.accountLocked(currency);
    }
    default:
      return undefined;
  }
}

function refuseIn(
  state: ExchangeState,
  account: Parameters<ExchangeState['accounts']['get']>[0],
  instrument: Instrument | undefined,
): Refusal | undefined {
  const { liquidating } = state.accounts.get(account) ?? {};
  if (liquidating === undefined || liquidating.size === 0 || instrument === undefined) return;
  const locked = spentIn(instrument).find((currency) => liquidating.has(currency));
  return locked && refusal.accountLocked(locked);
}

/** The currencies that an order of the instrument may spend. */
export const spentIn = ({ kind, base, quote, settlement }: Instrument): readonly Currency[] =>
  kind === 'spot' ? [base, quote] : [settlement];
