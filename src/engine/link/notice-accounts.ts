// The accounts that news of a venue is about, and those of a venue whose notices this daemon begins to send.
import { isInShards } from '../../core/ownership/shards.ts';
import type { RfqNews } from '../../ports/block-rfq.ts';
import type { AccountId, VenueName } from '../../values/ids.ts';

/** `undefined` for what concerns every account. */
export const accountOfNews = (news: RfqNews): AccountId | undefined =>
  news.kind === 'tape' || news.kind === 'reconnected' ? undefined : news.account;

/** Of the accounts with their venues, those of one venue that are in these shards. */
export function accountsInShards(
  accounts: readonly (readonly [account: AccountId, venue: VenueName])[],
  shards: readonly number[],
): (of: VenueName) => readonly AccountId[] {
  const isMeant = isInShards(shards);
  return (of) => accounts.flatMap(([one, venue]) => (venue === of && isMeant(one) ? [one] : []));
}
