// PT-10: which kinds of instrument an account may trade. Who may act for an account is decided by the gateway's
// scopes.
import type { OrderControl } from './gate-order.ts';

export const permission: OrderControl = ({ account, instrument }, { limits }) => {
  if (limits.permits === undefined) return undefined;
  const kinds = limits.permits.get(account) ?? limits.permits.get('*');
  if (kinds?.has(instrument.kind)) return undefined;
  const accepted = [...(kinds ?? [])].join(', ') || 'nothing';
  return {
    why: `account ${account} may not trade a ${instrument.kind}; accepted: ${accepted}`,
    limit: accepted,
    input: instrument.kind,
  };
};
