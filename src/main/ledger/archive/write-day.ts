// Writes one day of the ledger as Parquet files with a manifest. The chain of hashes of each portfolio is computed from the
// events on the way, and stored next to them.

import { createHash } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  ARCHIVE_FORMAT,
  ArchiveDamaged,
  type ArchivedTable,
  type ArchiveManifest,
  archiveManifestPath,
  archiveTablePath,
  fileDigest,
  readArchiveManifest,
  textDigest,
} from '../../../adapters/archive-files/archive-manifest.ts';
import { ParquetFileWriter } from '../../../adapters/archive-files/archive-parquet.ts';
import { syncFolderLater } from '../../../adapters/files/folder-sync.ts';
import { writeWhole } from '../../../adapters/files/whole-file.ts';
import type { DaySource, TurnOfDay } from '../../../adapters/postgres/archive/day-source.ts';
import { chainHash } from '../../../adapters/system/chain-hash.ts';
import { canonical } from '../../../engine/audit/audit-walk.ts';
import {
  ARCHIVE_TABLE_NAMES,
  ARCHIVE_TABLES,
  type ArchiveRow,
  type ArchiveTable,
} from '../../../ports/archive/archive-tables.ts';
import type { DayName } from '../../../ports/archive/submit-day.ts';
import { unwritable } from '../../../values/errors/unwritable.ts';
import { VERSION } from '../../version.ts';

/** The ledger does not hold the day in a state in which it can be archived. */
export class DayRefused extends Error {
  override readonly name = 'DayRefused';
}

export interface WriteDayOptions {
  readonly source: DaySource;
  readonly day: DayName;
  /** The folder of the day; replaced if it exists. */
  readonly path: string;
  readonly deployment: string;
  readonly schema: number;
  readonly now: () => Date;
}

export interface WrittenDay {
  readonly manifest: ArchiveManifest;
  readonly digest: string;
}

/** Written under these endings until the day is complete, and while it takes the place of an earlier one. */
const PARTIAL = '.partial';
const REPLACED = '.replaced';
/** A group is written when its rows have so much text, or there are so many. */
const GROUP_CHARACTERS = 4_000_000;
const GROUP_ROWS = 20_000;

/** @throws DayRefused if portfolios are at work or events are missing. */
export async function writeDay(options: WriteDayOptions): Promise<WrittenDay> {
  const { path } = options;
  const partial = `${path}${PARTIAL}`;
  await rm(partial, { recursive: true, force: true });
  try {
    const written = await writeIn(partial, options);
    await publish(partial, path);
    return written;
  } catch (error) {
    // A full disk is not kept full by what cannot be used.
    await rm(partial, { recursive: true, force: true });
    throw unwritable(partial, error);
  }
}

async function writeIn(partial: string, options: WriteDayOptions): Promise<WrittenDay> {
  const { source, day, path } = options;
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const portfolios = await source.portfolios();
  const atWork = portfolios.filter(({ isAtWork }) => isAtWork);
  if (atWork.length > 0) {
    throw new DayRefused(
      `${atWork.length} portfolios of ${day} are at work, such as ${atWork[0]?.portfolio}`,
    );
  }
  const versions = new Map(portfolios.map(({ portfolio, version }) => [portfolio, version]));
  const chains = new Chains(day, versions);
  const tables: ArchivedTable[] = [];
  for (const table of ARCHIVE_TABLE_NAMES) {
    const rows = table === 'turns' ? turnRows(source, chains) : source.rows(table);
    tables.push(await writeTable(archiveTablePath(partial, table), table, rows));
  }
  const head = chains.head();
  const told = (writtenAt: string): ArchiveManifest => ({
    format: ARCHIVE_FORMAT,
    day,
    writtenAt,
    version: VERSION,
    deployment: options.deployment,
    schema: options.schema,
    portfolios: portfolios.length,
    events: chains.events,
    head,
    tables,
  });
  // What an interrupted run has written of the same day has the same digest, under which some of it may be stored.
  const earlier = await earlierManifest(path);
  const again = earlier && told(earlier.writtenAt);
  const manifest =
    isDeepStrictEqual(again, earlier) && again ? again : told(options.now().toISOString());
  const text = `${JSON.stringify(manifest, undefined, 1)}\n`;
  writeWhole(archiveManifestPath(partial), text, { isNew: true });
  await syncFolderLater(partial);
  return { manifest, digest: textDigest(text) };
}

async function earlierManifest(path: string): Promise<ArchiveManifest | undefined> {
  try {
    return (await readArchiveManifest(path)).manifest;
  } catch (error) {
    if (error instanceof ArchiveDamaged) return undefined;
    throw error;
  }
}

/** An earlier archive of a day that is in the database again gives way. */
async function publish(partial: string, path: string): Promise<void> {
  await rm(`${path}${REPLACED}`, { recursive: true, force: true });
  await rename(path, `${path}${REPLACED}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(partial, path);
  await syncFolderLater(dirname(path));
  await rm(`${path}${REPLACED}`, { recursive: true, force: true });
}

/** The chains of the portfolios of a day, from their events in order. */
class Chains {
  readonly #day: DayName;
  readonly #versions: ReadonlyMap<string, number>;
  #portfolio: string | undefined;
  #version = 0;
  #hash = '';
  #head = '';
  #begun = 0;
  events = 0;

  constructor(day: DayName, versions: ReadonlyMap<string, number>) {
    this.#day = day;
    this.#versions = versions;
  }

  /** The hash after the turn. */
  add({ portfolio, version, size, events }: TurnOfDay): string {
    if (portfolio !== this.#portfolio) this.#begin(portfolio);
    if (events.length !== size || version !== this.#version + size) {
      throw new DayRefused(
        `portfolio ${portfolio} of ${this.#day} has lost its event ${this.#version + events.length + 1}: nothing was archived`,
      );
    }
    for (const event of events) this.#hash = chainHash(this.#hash, canonical(event));
    this.#version = version;
    this.events += size;
    return this.#hash;
  }

  /** Over all portfolios. */
  head(): string {
    this.#end();
    if (this.#begun !== this.#versions.size) {
      throw new DayRefused(
        `${this.#versions.size - this.#begun} portfolios of ${this.#day} have no events: nothing was archived`,
      );
    }
    return this.#head;
  }

  #begin(portfolio: string): void {
    this.#end();
    this.#begun += 1;
    this.#portfolio = portfolio;
    this.#version = 0;
    this.#hash = '';
  }

  #end(): void {
    if (this.#portfolio === undefined) return;
    const expected = this.#versions.get(this.#portfolio);
    if (expected !== this.#version) {
      throw new DayRefused(
        `portfolio ${this.#portfolio} of ${this.#day} has ${this.#version} events; its row says ${expected ?? 'there is none'}`,
      );
    }
    this.#head = headAfter(this.#head, this.#portfolio, {
      version: this.#version,
      hash: this.#hash,
    });
    this.#portfolio = undefined;
  }
}

/** The head of a day after one more portfolio. */
export const headAfter = (
  head: string,
  portfolio: string,
  { version, hash }: { readonly version: number; readonly hash: string },
): string => chainHash(head, `${portfolio} ${version} ${hash}`);

async function* turnRows(source: DaySource, chains: Chains): AsyncGenerator<readonly ArchiveRow[]> {
  for await (const turns of source.turns()) {
    yield turns.map((turn) => {
      const hash = chains.add(turn);
      const at = BigInt(turn.events.at(-1)?.at ?? 0);
      const { version, size, batch, events } = turn;
      return [BigInt(turn.portfolio), version, size, batch, at, JSON.stringify(events), hash];
    });
  }
}

/** Of rows, whatever file they are in. */
export class RowsDigest {
  readonly #hash = createHash('sha256');

  add(row: ArchiveRow): void {
    const values = row.map((value) => (typeof value === 'bigint' ? String(value) : value));
    this.#hash.update(`${JSON.stringify(values)}\n`, 'utf8');
  }

  end(): string {
    return this.#hash.digest('hex');
  }
}

async function writeTable(
  path: string,
  name: ArchiveTable,
  source: AsyncIterable<readonly ArchiveRow[]>,
): Promise<ArchivedTable> {
  const file = await ParquetFileWriter.create(path, ARCHIVE_TABLES[name]);
  const digest = new RowsDigest();
  let [rows, characters] = [0, 0];
  let group: ArchiveRow[] = [];
  try {
    for await (const some of source) {
      for (const row of some) {
        digest.add(row);
        group.push(row);
        rows += 1;
        characters += charactersOf(row);
        if (characters < GROUP_CHARACTERS && group.length < GROUP_ROWS) continue;
        await file.write(group);
        group = [];
        characters = 0;
      }
    }
    await file.write(group);
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.finish();
  return { name, rows, rowsSha256: digest.end(), ...(await fileDigest(path)) };
}

const charactersOf = (row: ArchiveRow): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
