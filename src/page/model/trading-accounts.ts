// The accounts of the key that have orders, positions and Block RFQs: a dummy account has none, and what is asked of it is
// refused.
import { access } from '../link/page-session.ts';

export const tradingAccounts = (): readonly string[] =>
  access.value.kind === 'open'
    ? access.value.hello.accounts.filter(({ isDummy }) => isDummy !== true).map(({ id }) => id)
    : [];
