// Reads what the start of a daemon found at the venues and not in the ledger, where the ledger stores it.
import type { Ledger } from '../../ports/ledger.ts';
import type { ReadUnaccounted, UnaccountedAccount } from '../interface/unaccounted-api.ts';
import {
  CHOICE_MARK,
  type ChosenOrders,
  parsedMark,
  type Unaccounted,
  unaccountedMark,
} from './unaccounted.ts';

export const unaccountedFrom =
  (ledger: Pick<Ledger, 'getMetadata'>): ReadUnaccounted =>
  async (accounts) => {
    const chosen = parsedMark<ChosenOrders>(await ledger.getMetadata(CHOICE_MARK));
    const found: UnaccountedAccount[] = [];
    for (const account of accounts) {
      const stored = await ledger.getMetadata(unaccountedMark(account));
      const one = parsedMark<Unaccounted>(stored);
      if (one === undefined) continue;
      const { labels: _, ...rest } = one;
      found.push(rest);
    }
    return { orders: chosen?.orders ?? 'cancel', accounts: found };
  };
