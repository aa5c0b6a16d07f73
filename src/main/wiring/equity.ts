// What an account has at its venue, in every currency in which something is settled there.
import { whyNot } from '../../core/order/answer-class.ts';
import type { Venue } from '../../ports/venue.ts';
import { text as amountText, isZero } from '../../values/amounts.ts';
import type { AccountId } from '../../values/ids.ts';

export type Equity =
  /** Currencies of which it has none are left out. */
  | { readonly kind: 'known'; readonly byCurrency: Readonly<Record<string, string>> }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Never rejects. */
export async function equityOf(
  venue: Pick<Venue, 'instruments' | 'summary'>,
  account: AccountId,
): Promise<Equity> {
  const instruments = venue.instruments();
  if (instruments === undefined) {
    return { kind: 'unknown', reason: 'the venue has not listed its instruments yet' };
  }
  const currencies = new Set(instruments.map(({ settlement }) => settlement));
  const byCurrency: Record<string, string> = {};
  for (const currency of [...currencies].toSorted()) {
    const reply = await venue.summary(account, currency);
    if (reply.kind !== 'done') return { kind: 'unknown', reason: `${currency}: ${whyNot(reply)}` };
    const { equity } = reply.value;
    if (!isZero(equity)) byCurrency[currency] = amountText(equity);
  }
  return { kind: 'known', byCurrency };
}

/** Formats it as `1.5 BTC, 200 USDC`. */
export function equityText(equity: Equity): string {
  if (equity.kind === 'unknown') return `unknown (${equity.reason})`;
  const each = Object.entries(equity.byCurrency).map(
    ([currency, amount]) => `${amount} ${currency}`,
  );
  return each.join(', ') || 'none';
}
