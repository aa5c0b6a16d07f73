// Reads an account at its desk: one currency or all of them, each with its positions.

import {
  type AccountInCurrency,
  type AccountJson,
  accountJson,
} from '../../../ports/deribit-wire/account-rows.ts';
import type { Reply, TradingDesk } from '../../../ports/trading-desk.ts';
import type { OpenPosition } from '../../../values/account-report.ts';
import type { AccountId, Currency } from '../../../values/ids.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { listAwaited } from '../../order-api/find-instrument.ts';

export interface AccountAtDesk {
  readonly account: AccountId;
  readonly desk: TradingDesk;
}

/** The currencies that instruments are settled in, or that spot trades. */
export function currenciesOf(desk: TradingDesk): readonly Currency[] {
  const listed = desk.listed({ expired: false });
  return [
    ...new Set(
      listed.flatMap(({ kind, base, settlement }) =>
        kind === 'spot' ? [settlement, base] : [settlement],
      ),
    ),
  ].sort();
}

const instrumentAt =
  (desk: TradingDesk): AccountInCurrency['instrumentOf'] =>
  ({ instrument }: OpenPosition): Instrument | undefined =>
    desk.instrument(instrument);

/** Both are requested at once, and answered from one state of the exchange where requests keep their order. */
export async function readCurrency(
  { account, desk }: AccountAtDesk,
  currency: Currency,
): Promise<Reply<AccountJson>> {
  const [summary, positions] = await Promise.all([
    desk.summary(account, currency),
    desk.positions({ account, currency }),
  ]);
  if (summary.kind !== 'done') return summary;
  if (positions.kind !== 'done') return positions;
  const instrumentOf = instrumentAt(desk);
  const value = { summary: summary.value, positions: positions.value, instrumentOf };
  return { kind: 'done', value: accountJson(value) };
}

export async function readCurrencies(at: AccountAtDesk): Promise<Reply<readonly AccountJson[]>> {
  const awaited = listAwaited([at.desk]);
  if (awaited !== undefined) return awaited;
  const replies = await Promise.all(
    currenciesOf(at.desk).map((currency) => readCurrency(at, currency)),
  );
  const read: AccountJson[] = [];
  for (const reply of replies) {
    if (reply.kind !== 'done') return reply;
    read.push(reply.value);
  }
  return { kind: 'done', value: read };
}
