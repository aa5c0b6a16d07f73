// Net sizes of the accounts of the key by instrument.
import type { MethodResults } from '../../../gateway/client/client.ts';
import { grouped } from '../../../values/text/written-figures.ts';
import { type Answer, callMethod } from '../../link/page-session.ts';
import { reading } from '../operations/reading.ts';
import { tradingAccounts } from '../trading-accounts.ts';

type Held = MethodResults['private/get_positions'][number] & { readonly account: string };

export const positions = reading(readPositions);

async function readPositions(): Promise<Answer<readonly Held[]>> {
  const found: Held[] = [];
  for (const account of tradingAccounts()) {
    const answer = await callMethod('private/get_positions', { accountId: account });
    if (answer.kind !== 'done') return answer;
    found.push(...answer.value.map((one) => ({ ...one, account })));
  }
  return { kind: 'done', value: found };
}

/** Of one account, or of each with its account; empty for none, `undefined` if it was never read. */
export const sizeOf = (instrument: string): string | undefined =>
  positions.value.value
    ?.filter(({ instrumentName, side }) => instrumentName === instrument && side !== 'zero')
    .map(({ size, account }) =>
      tradingAccounts().length > 1 ? `${grouped(size)} (${account})` : grouped(size),
    )
    .join(', ');

/** Signed, `0` without a position; `undefined` if it is not known. */
export function positionOf(account: string, instrument: string): string | undefined {
  const known = positions.value.value;
  if (known === undefined) return undefined;
  return (
    known.find((one) => one.account === account && one.instrumentName === instrument)?.size ?? '0'
  );
}
