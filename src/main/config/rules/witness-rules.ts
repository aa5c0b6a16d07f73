// Rules of what the ledger sends elsewhere, heads to a witness and days to an archive: one place each, and
// encryption beyond this machine.
import type { ConfigFile } from '../config-schema.ts';
import type { Finding } from '../finding.ts';
import { isThisMachine } from '../secrets/demo-keys.ts';

export function archiveFindings({ ledger }: Pick<ConfigFile, 'ledger'>): readonly Finding[] {
  const { archive, archiveBucket } = ledger;
  if (archiveBucket === undefined) return [];
  const path = ['ledger', 'archiveBucket'];
  const message = 'and ledger.archive are both set; accepted: one of them';
  return [
    ...(archive === undefined ? [] : [{ path, message }]),
    ...addressFindings([...path, 'endpoint'], archiveBucket.endpoint, 'an object store'),
  ];
}

/** Heads are posted to it; any other place is a file. */
export const isWitnessAddress = (place: string): boolean => /^https?:/i.test(place);

export function witnessFindings({ ledger }: Pick<ConfigFile, 'ledger'>): readonly Finding[] {
  const { witness } = ledger;
  if (witness === undefined) return [];
  const { place } = witness;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) return [];
  return addressFindings(['ledger', 'witness', 'place'], place, 'a witness');
}

function addressFindings(path: Finding['path'], text: string, what: string): readonly Finding[] {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'https:' || (protocol === 'http:' && isThisMachine(text))) return [];
  return [
    { path, message: `is not an address of ${what}; accepted: https, or http on this machine` },
  ];
}
