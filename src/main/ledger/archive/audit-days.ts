// Compares the archived days with what the database says of them: the files are those that were archived, and their chains
// end where they did.
import { ArchiveDamaged, dayPath } from '../../../adapters/archive-files/archive-manifest.ts';
import type { ArchivedDay } from '../../../adapters/postgres/archive/archived-days.ts';
import type { Finding } from '../../../engine/audit/audit-portfolio.ts';
import type { DayName } from '../../../ports/archive/submit-day.ts';
import { listArchived } from './archive-ledger.ts';
import { verifyDay } from './read-day.ts';

export type DayFinding = Finding & { readonly portfolio: DayName };

/** Whatever is wrong with a day is a finding, also that it cannot be read. */
export async function auditDays(
  connectionString: string,
  folder: string,
): Promise<readonly DayFinding[]> {
  const found: DayFinding[] = [];
  for (const one of await listArchived(connectionString)) {
    const detail = await faultOf(one, dayPath(folder, one.day));
    if (detail !== undefined) found.push({ portfolio: one.day, invariant: 'I15', detail });
  }
  return found;
}

async function faultOf(
  { digest, head, portfolios, events }: ArchivedDay,
  path: string,
): Promise<string | undefined> {
  try {
    const read = await verifyDay({ path });
    const { manifest } = read;
    if (read.digest !== digest) return `the manifest in ${path} is not the one that was archived`;
    const isSame =
      manifest.head === head && manifest.portfolios === portfolios && manifest.events === events;
    return isSame ? undefined : 'the row of the archived day is not the one that was written';
  } catch (error) {
    if (error instanceof ArchiveDamaged) return error.message;
    return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
