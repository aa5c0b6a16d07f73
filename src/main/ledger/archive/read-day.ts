// Reads the files of an archived day back, and verifies them: digests, rows, order, and the chain of hashes recomputed from
// the events.
import {
  ArchiveDamaged,
  type ArchiveManifest,
  archiveTablePath,
  checkArchiveFiles,
  readArchiveManifest,
} from '../../../adapters/archive-files/archive-manifest.ts';
import { ParquetFileReader } from '../../../adapters/archive-files/archive-parquet.ts';
import { chainHash } from '../../../adapters/system/chain-hash.ts';
import { canonical } from '../../../engine/audit/audit-walk.ts';
import {
  ARCHIVE_TABLES,
  type ArchiveRow,
  type ArchiveTable,
} from '../../../ports/archive/archive-tables.ts';
import type { Seal } from '../../../ports/audit-seals.ts';
import { type PortfolioId, portfolioId } from '../../../values/ids.ts';
import { headAfter, RowsDigest } from './write-day.ts';

/** The rows of a table, a group at a time; none if the archive has no such table. `path` is the folder of the day. */
export async function* archivedRows(
  path: string,
  table: ArchiveTable,
): AsyncGenerator<readonly ArchiveRow[]> {
  const { manifest } = await readArchiveManifest(path);
  if (!manifest.tables.some(({ name }) => name === table)) return;
  const names = ARCHIVE_TABLES[table].map(({ name }) => name);
  const file = await ParquetFileReader.open(archiveTablePath(path, table));
  try {
    for (let group = 0; group < file.groups; group += 1) {
      const rows = await file.read(group);
      yield rows.map((row) => names.map((name) => row[name] ?? null));
    }
  } finally {
    await file.close();
  }
}

export interface VerifyDayOptions {
  /** The folder of the day. */
  readonly path: string;
  /** Where the chain of a portfolio was seen before; none by default. */
  readonly sealsOf?: (portfolio: PortfolioId) => readonly Seal[];
}

export interface VerifiedDay {
  readonly manifest: ArchiveManifest;
  readonly digest: string;
}

/** @throws ArchiveDamaged if a file is another one than was written, or its chain is not the one that was sealed. */
export async function verifyDay({ path, sealsOf }: VerifyDayOptions): Promise<VerifiedDay> {
  const read = await readArchiveManifest(path);
  const { manifest } = read;
  await checkArchiveFiles(path, manifest);
  const chains = new ReadChains(path, sealsOf ?? (() => []));
  for (const { name: table, rows: stated, rowsSha256 } of manifest.tables) {
    const digest = new RowsDigest();
    let count = 0;
    for await (const rows of archivedRows(path, table)) {
      for (const row of rows) {
        digest.add(row);
        count += 1;
        if (table === 'turns') chains.add(row);
      }
    }
    if (count !== stated || digest.end() !== rowsSha256) {
      throw new ArchiveDamaged(`${path}: the rows of ${table} are not those of its manifest`);
    }
  }
  const { head, events, portfolios } = chains.end();
  if (head !== manifest.head || events !== manifest.events || portfolios !== manifest.portfolios) {
    throw new ArchiveDamaged(`${path}: the chain of hashes does not end where its manifest says`);
  }
  return read;
}

/** Recomputes the chains from rows of turns. */
class ReadChains {
  readonly #path: string;
  readonly #sealsOf: (portfolio: PortfolioId) => readonly Seal[];
  #portfolio: PortfolioId | undefined;
  #seals: readonly Seal[] = [];
  #reached: Seal = { version: 0, hash: '' };
  #head = '';
  #events = 0;
  #portfolios = 0;

  constructor(path: string, sealsOf: (portfolio: PortfolioId) => readonly Seal[]) {
    this.#path = path;
    this.#sealsOf = sealsOf;
  }

  add([id, version, size, , , text, stored]: ArchiveRow): void {
    const portfolio = portfolioId(String(id));
    if (portfolio !== this.#portfolio) this.#begin(portfolio);
    const events = listIn(String(text));
    for (const event of events) this.#chain(event);
    const isInPlace = events.length === size && this.#reached.version === version;
    if (!isInPlace || this.#reached.hash !== stored) {
      throw new ArchiveDamaged(
        `${this.#path}: the turn of portfolio ${portfolio} up to version ${version} is not the one that was written`,
      );
    }
  }

  end(): { readonly head: string; readonly events: number; readonly portfolios: number } {
    this.#finish();
    return { head: this.#head, events: this.#events, portfolios: this.#portfolios };
  }

  #chain(event: unknown): void {
    const hash = chainHash(this.#reached.hash, canonical(event));
    this.#reached = { version: this.#reached.version + 1, hash };
    this.#events += 1;
    for (const seal of this.#seals) {
      if (seal.version !== this.#reached.version || seal.hash === hash) continue;
      throw new ArchiveDamaged(
        `${this.#path}: the first ${seal.version} events of portfolio ${this.#portfolio} are not those that were sealed`,
      );
    }
  }

  #begin(portfolio: PortfolioId): void {
    this.#finish();
    this.#portfolio = portfolio;
    this.#portfolios += 1;
    this.#seals = this.#sealsOf(portfolio);
    this.#reached = { version: 0, hash: '' };
  }

  #finish(): void {
    if (this.#portfolio === undefined) return;
    const { version } = this.#reached;
    const sealed = Math.max(0, ...this.#seals.map((seal) => seal.version));
    if (version < sealed) {
      throw new ArchiveDamaged(
        `${this.#path}: portfolio ${this.#portfolio} has ${version} events of ${sealed} that were sealed`,
      );
    }
    this.#head = headAfter(this.#head, this.#portfolio, this.#reached);
  }
}

/** Empty if it is no list: a turn has one event at least. */
function listIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [];
  }
}
