// A maker's alias belongs to one account, and an account has one alias, because an RFQ that names the alias
// goes to that account.
import type { ConfigFile } from '../config-schema.ts';
import type { Finding } from '../finding.ts';

export function makerFindings({ keys, accounts }: ConfigFile): readonly Finding[] {
  const shadows = new Set(accounts.filter(({ dummy }) => dummy).map(({ id }) => id));
  const accountOf = new Map<string, string>();
  const aliasOf = new Map<string, string>();
  const findings: Finding[] = [];
  for (const [index, { makerAlias, accounts: own }] of keys.entries()) {
    if (makerAlias === undefined) continue;
    const path = ['keys', index, 'makerAlias'];
    for (const account of own.filter((id) => !shadows.has(id))) {
      const known: string = accountOf.get(makerAlias) ?? account;
      const other: string = aliasOf.get(account) ?? makerAlias;
      accountOf.set(makerAlias, known);
      aliasOf.set(account, other);
      if (known !== account) {
        const message = `is ${makerAlias} for the accounts ${known} and ${account}; accepted: an alias for each`;
        findings.push({ path, message });
      } else if (other !== makerAlias) {
        const message = `is ${makerAlias}, and account ${account} is ${other} already; accepted: one alias an account`;
        findings.push({ path, message });
      }
    }
  }
  return findings;
}
