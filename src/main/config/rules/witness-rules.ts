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

export function witnessFindings({ ledger }: Pick<ConfigFile, 'ledger'>): readonly Finding[] {
  const { witness } = ledger;
  if (witness === undefined) return [];
  const path = ['ledger', 'witness'];
  const { file, webhook } = witness;
  const places = [file, webhook].filter((one) => one !== undefined).length;
  const message = `names ${places === 0 ? 'no place' : 'two places'} for heads; accepted: file or webhook`;
  return [
    ...(places === 1 ? [] : [{ path, message }]),
    ...addressFindings([...path, 'webhook'], webhook, 'a witness'),
  ];
}

function addressFindings(
  path: Finding['path'],
  text: string | undefined,
  what: string,
): readonly Finding[] {
  if (text === undefined) return [];
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'https:' || (protocol === 'http:' && isThisMachine(text))) return [];
  return [
    { path, message: `is not an address of ${what}; accepted: https, or http on this machine` },
  ];
}
