// Compares the archived days with what the database says of them: the files are those that were archived, and their chains
// end where they did.

import { ArchiveDamaged } from '../../../adapters/archive-files/archive-manifest.ts';
import type { ArchivedDay } from '../../../adapters/postgres/archive/archived-days.ts';
import type { Finding } from '../../../engine/audit/audit-portfolio.ts';
import type { DayFiles } from '../../../ports/archive/day-files.ts';
import type { DayName } from '../../../ports/archive/submit-day.ts';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import { listArchived } from './archive-ledger.ts';
import { verifyDay } from './read-day.ts';

export type DayFinding = Finding & { readonly portfolio: DayName };

/** Whatever is wrong with a day is a finding, also that it cannot be read. */
export async function auditDays(
  connectionString: string,
  files: DayFiles,
): Promise<readonly DayFinding[]> {
  const found: DayFinding[] = [];
  for (const one of await listArchived(connectionString)) {
    const detail = await faultOf(one, files);
    if (detail !== undefined) found.push({ portfolio: one.day, invariant: 'I15', detail });
  }
  return found;
}

async function faultOf(of: ArchivedDay, files: DayFiles): Promise<string | undefined> {
  const { digest, head, portfolios, events } = of;
  const place = files.placeOf(of);
  try {
    const read = await verifyDay({ path: await files.fetch(of, { isAfresh: true }) });
    const { manifest } = read;
    if (read.digest !== digest) return `the manifest in ${place} is not the one that was archived`;
    const isSame =
      manifest.head === head && manifest.portfolios === portfolios && manifest.events === events;
    return isSame ? undefined : 'the row of the archived day is not the one that was written';
  } catch (error) {
    if (error instanceof ArchiveDamaged) return error.message;
    throwProgrammingError(error);
    return `${place} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
