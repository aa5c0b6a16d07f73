// The account that a form of the desk trades for.
import type { Signal } from '@preact/signals';
import { tradingAccounts } from '../../model/trading-accounts.ts';

/** The chosen account, or the first one while none of the session's is chosen. */
export function chosenAccount(chosen: Signal<string>): string {
  const own = tradingAccounts();
  return own.includes(chosen.value) ? chosen.value : (own[0] ?? '');
}

export function AccountSelect({ chosen }: { readonly chosen: Signal<string> }) {
  return (
    <label>
      Account
      <select
        value={chosenAccount(chosen)}
        onChange={({ currentTarget }) => {
          chosen.value = currentTarget.value;
        }}
      >
        {tradingAccounts().map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}
