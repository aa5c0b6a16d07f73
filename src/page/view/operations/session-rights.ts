// What the session may do, by its scopes; the gateway decides.
import { access } from '../../link/page-session.ts';

const has = (scope: 'trade' | 'admin' | 'blockRfq'): boolean => {
  const now = access.value;
  return now.kind === 'open' && now.hello.scopes.includes(scope) && !now.hello.isReadOnly;
};

export const mayTrade = (): boolean => has('trade');
export const mayOversee = (): boolean => has('admin');
export const mayQuote = (): boolean => has('blockRfq');
