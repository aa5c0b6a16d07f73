// Moves days of the ledger to the archive, oldest first: each is written, read back and verified, and only then taken out of
// the database. What an earlier run left undone is done first. Brings days back, too.
import { Client } from 'pg';
import type { ArchiveManifest } from '../../../adapters/archive-files/archive-manifest.ts';
import { holdToMove } from '../../../adapters/postgres/archive/archive-lock.ts';
import {
  type ArchivedDay,
  archivedDays,
  daysInDatabase,
  schemaNumber,
} from '../../../adapters/postgres/archive/archived-days.ts';
import { DaySource } from '../../../adapters/postgres/archive/day-source.ts';
import { packSummaries, reuseSpace } from '../../../adapters/postgres/archive/pack-summaries.ts';
import {
  clearDay,
  ReleaseRefused,
  releaseDay,
} from '../../../adapters/postgres/archive/release-day.ts';
import { returnDay } from '../../../adapters/postgres/archive/return-day.ts';
import type { DayArchive } from '../../../ports/archive/archived-reads.ts';
import type { DayFiles } from '../../../ports/archive/day-files.ts';
import type { DayName } from '../../../ports/archive/submit-day.ts';
import type { ChainWitness } from '../../../ports/audit-reads.ts';
import { archivedRows, verifyDay } from './read-day.ts';
import { DayRefused, type WrittenDay, writeDay } from './write-day.ts';

export interface ArchiveOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  /** Where the files of each day are kept. */
  readonly files: DayFiles;
  readonly deployment: string;
  /** Heads of the chains that were seen outside the database. */
  readonly witness: Pick<ChainWitness, 'of'>;
  readonly now: () => Date;
  /** Called before each step, which begins once it has returned. */
  readonly onStep: (day: DayName, step: ArchiveStep) => void | Promise<void>;
}

export type ArchiveStep = 'write' | 'store' | 'verify' | 'release' | 'clear' | 'pack';

export type DayOutcome =
  | { readonly day: DayName; readonly kind: 'archived'; readonly manifest: ArchiveManifest }
  | { readonly day: DayName; readonly kind: 'kept'; readonly reason: string };

/** Another process moves days of this ledger at the moment, or backs it up. */
export class ArchiveBusy extends Error {
  override readonly name = 'ArchiveBusy';
}

/**
 * Archives every day before `before` whose portfolios have all ended.
 * @throws ArchiveDamaged if a day that was written is not read back as it was; it stays in the database.
 */
export async function archiveDays(
  options: ArchiveOptions,
  before: DayName,
): Promise<readonly DayOutcome[]> {
  return await withClient(options.connectionString, async (client) => {
    for (const one of await archivedDays(client)) {
      if (!one.isCleared) await clear(client, options, one);
      if (!one.isPacked) await pack(client, options, one.day);
    }
    const outcomes: DayOutcome[] = [];
    for (const day of await daysInDatabase(client, before)) {
      outcomes.push(await archiveOne(client, options, day));
    }
    await reuseSpace(client);
    return outcomes;
  });
}

async function archiveOne(
  client: Client,
  options: ArchiveOptions,
  day: DayName,
): Promise<DayOutcome> {
  try {
    const { manifest, digest } = await moved(client, options, day);
    await clear(client, options, { day, digest });
    await pack(client, options, day);
    return { day, kind: 'archived', manifest };
  } catch (error) {
    if (!(error instanceof DayRefused || error instanceof ReleaseRefused)) throw error;
    return { day, kind: 'kept', reason: error.message };
  }
}

async function moved(
  client: Client,
  { connectionString, files, deployment, witness, now, onStep }: ArchiveOptions,
  day: DayName,
): Promise<WrittenDay> {
  const path = files.stage(day);
  await onStep(day, 'write');
  const source = await DaySource.open(connectionString, day);
  const portfolios = await source.portfolios();
  const schema = await schemaNumber(client);
  const written = await writeDay({ source, day, path, deployment, schema, now }).finally(() =>
    source.close(),
  );
  await onStep(day, 'store');
  const of = { day, digest: written.digest };
  await files.keep(of);
  await onStep(day, 'verify');
  const seals = new Map(portfolios.map(({ portfolio, seal }) => [portfolio, seal]));
  const { manifest, digest } = await verifyDay({
    path: await files.fetch(of, { isAfresh: true }),
    sealsOf: (portfolio) =>
      [seals.get(portfolio), witness.of(portfolio)].filter((one) => one !== undefined),
  });
  if (digest !== of.digest) {
    throw new Error(`${files.placeOf(of)} was replaced while it was verified`);
  }
  await onStep(day, 'release');
  const { events, head } = manifest;
  const archivedAt = now().getTime();
  await releaseDay(client, {
    day,
    portfolios: manifest.portfolios,
    events,
    head,
    digest,
    archivedAt,
  });
  return { manifest, digest };
}

async function clear(
  client: Client,
  { files, onStep }: ArchiveOptions,
  of: DayArchive,
): Promise<void> {
  await onStep(of.day, 'clear');
  await files.leaveStage(of.day);
  await clearDay(client, of.day, archivedRows(await files.fetch(of), 'fills'));
}

async function pack(
  client: Client,
  { onStep }: Pick<ArchiveOptions, 'onStep'>,
  day: DayName,
): Promise<void> {
  await onStep(day, 'pack');
  await packSummaries(client, day);
}

/** The days in the archive, as the database knows them. */
export const listArchived = (connectionString: string): Promise<readonly ArchivedDay[]> =>
  connected(connectionString, archivedDays);

/**
 * Brings a day back into the database, after its files were verified; they stay where they are.
 * @throws DayRefused if the day is not in the archive, or its files are not those that were archived.
 */
export async function restoreDay(
  { connectionString, files }: Pick<ArchiveOptions, 'connectionString' | 'files'>,
  day: DayName,
): Promise<ArchiveManifest> {
  return await withClient(connectionString, async (client) => {
    const known = (await archivedDays(client)).find((one) => one.day === day);
    if (known === undefined) {
      throw new DayRefused(
        `${day} is not in the archive: the database has whatever there is of it`,
      );
    }
    const path = await files.fetch(known);
    const { manifest, digest } = await verifyDay({ path });
    if (digest !== known.digest) {
      throw new DayRefused(
        `${files.placeOf(known)} is not the archive of ${day} that the ledger was moved to`,
      );
    }
    if (!known.isCleared) await clearDay(client, day, archivedRows(path, 'fills'));
    await returnDay(client, { day, rowsOf: (table) => archivedRows(path, table) });
    return manifest;
  });
}

/** With a connection that keeps others from moving days. */
const withClient = <T>(connectionString: string, use: (client: Client) => Promise<T>): Promise<T> =>
  connected(connectionString, async (client) => {
    if (await holdToMove(client)) return await use(client);
    throw new ArchiveBusy(
      'another process moves days of this ledger at the moment, or backs it up: run it again later',
    );
  });

async function connected<T>(
  connectionString: string,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString, application_name: 'twapd archive' });
  // The query under way reports a lost connection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
