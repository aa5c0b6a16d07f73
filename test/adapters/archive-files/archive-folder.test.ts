// The files are written here from the columns that an archive states, in groups of two rows.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { ArchiveFolder } from '../../../src/adapters/archive-files/archive-folder.ts';
import { ParquetFileWriter } from '../../../src/adapters/archive-files/archive-parquet.ts';
import type { SeenMarket } from '../../../src/core/report/seen-market.ts';
import {
  ARCHIVE_TABLES,
  type ArchiveTable,
  type ArchiveValue,
} from '../../../src/ports/archive/archive-tables.ts';
import { text } from '../../../src/values/amounts.ts';
import type { ArchivedContent } from '../../../src/virtual/memory/memory-archive.ts';
import { archivedReadsConformance } from '../../conformance/archive/archived-reads.ts';

type Cells = Readonly<Record<string, ArchiveValue | undefined>>;

const GROUP = 2;
/** Events of a turn. */
const TURN = 3;
const folder = mkdtempSync(join(tmpdir(), 'twapd-archive-folder-'));
let count = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (amount: Parameters<typeof text>[0] | undefined): string | undefined =>
  amount && text(amount);

const marketCells = (market: SeenMarket | undefined): Cells => ({
  ...{ bid: written(market?.bid?.price), bid_size: written(market?.bid?.quantity) },
  ...{ ask: written(market?.ask?.price), ask_size: written(market?.ask?.quantity) },
  ...{ last: written(market?.last), mark: written(market?.mark), index: written(market?.index) },
  ...{ underlying: written(market?.underlying), mark_iv: market?.markIv, ...market?.greeks },
  ...{ funding_rate: market?.fundingRate, age_ms: market?.ageMs },
});

function turnCells({ events }: ArchivedContent): readonly Cells[] {
  return [...events].flatMap(([portfolio, own]) =>
    Array.from({ length: Math.ceil(own.length / TURN) }, (_, n): Cells => {
      const some = own.slice(n * TURN, (n + 1) * TURN);
      return {
        ...{ portfolio: BigInt(portfolio), version: n * TURN + some.length, size: some.length },
        ...{ batch: 1n, at: 1n, events: JSON.stringify(some), hash: '' },
      };
    }),
  );
}

const momentCells = ({ moments }: ArchivedContent): readonly Cells[] =>
  moments.map(({ portfolio, version, leg, at, market, expected }) => ({
    ...{ portfolio: BigInt(portfolio), version, leg, at: BigInt(at), ...marketCells(market) },
    ...{ expected_bps: expected?.bps, expected_fee: written(expected?.fee) },
    expected_fee_currency: expected?.feeCurrency,
  }));

const secondCells = ({ seconds }: ArchivedContent): readonly Cells[] =>
  seconds.map(({ venue, instrument, second, at, market, volume }) => ({
    ...{ venue, instrument, second: BigInt(second), at: BigInt(at), ...marketCells(market) },
    volume: written(volume),
  }));

async function write(path: string, table: ArchiveTable, rows: readonly Cells[]): Promise<void> {
  const columns = ARCHIVE_TABLES[table];
  const file = await ParquetFileWriter.create(join(path, `${table}.parquet`), columns);
  const values = rows.map((row) => columns.map(({ name }) => row[name] ?? null));
  for (let from = 0; from < values.length; from += GROUP) {
    await file.write(values.slice(from, from + GROUP));
  }
  await file.finish();
}

async function filled(days: readonly ArchivedContent[]): Promise<ArchiveFolder> {
  count += 1;
  const archive = join(folder, String(count));
  for (const content of days) {
    const path = join(archive, content.day);
    mkdirSync(path, { recursive: true });
    await write(path, 'turns', turnCells(content));
    await write(path, 'moments', momentCells(content));
    await write(path, 'market', secondCells(content));
  }
  return new ArchiveFolder(archive);
}

describe('ArchiveFolder', () => {
  archivedReadsConformance(filled);
});
