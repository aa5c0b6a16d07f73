// A cache of recordings as columns, in files named by a digest of what they were made from: the contents of the recordings, their
// names and the symbols that were read. A changed recording therefore has another file, and the oldest files are removed.
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { RecordedBlock } from '../../values/recorded/recorded-block.ts';
import { BlockFile, BlockFileWriter, DamagedBlocks } from './block-file.ts';
import type { RecordingFile } from './recording-files.ts';
import type { Survey, SymbolSurvey } from './survey-recordings.ts';

/** Changes with the form of the files, and with what is read from recordings. */
const VERSION = 3;
const SUFFIX = '.columns';
/** More files than these are not kept, nor more bytes. */
const FILES_MAX = 32;
const BYTES_MAX = 4 * 2 ** 30;
const DIGEST_CHARS = 40;

/** What is kept with the rows; paths of files are their places among the recordings. */
interface About {
  readonly symbols: readonly (readonly [string, SymbolSurvey])[];
  readonly rows: number;
  readonly disorders: readonly {
    readonly file: number;
    readonly rows: number;
    readonly worstUs: number;
  }[];
  readonly unended: readonly { readonly file: number; readonly line: number }[];
}

export interface CachedRows {
  readonly survey: Survey;
  readonly blocks: () => Iterable<RecordedBlock>;
}

export class RecordingCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Where the rows of these symbols of these recordings belong; of `combos` prices of zero and below are read as well. */
  async pathOf(
    files: readonly RecordingFile[],
    symbols: Iterable<string>,
    combos: Iterable<string> = [],
  ): Promise<string> {
    const hash = createHash('sha256');
    const signed = [...combos].sort();
    hash.update(JSON.stringify([VERSION, [...symbols].sort(), ...signed]));
    for (const { path } of files) {
      const content = createHash('sha256');
      await pipeline(createReadStream(path), content);
      hash.update(JSON.stringify([basename(path), content.digest('hex')]));
    }
    return join(this.#folder, `${hash.digest('hex').slice(0, DIGEST_CHARS)}${SUFFIX}`);
  }

  /** `undefined` if there is none, or if the file is damaged: then it is removed. */
  read(path: string, files: readonly RecordingFile[]): CachedRows | undefined {
    try {
      const file = new BlockFile(path);
      const { symbols, rows, ...about } = file.about as About;
      const named = <T extends { readonly file: number }>({ file: number, ...rest }: T) => ({
        ...rest,
        path: files[number]?.path ?? '',
      });
      const [disorders, unended] = [about.disorders.map(named), about.unended.map(named)];
      const now = new Date();
      utimesSync(path, now, now);
      const survey = { symbols: new Map(symbols), rows, disorders, unended };
      return { survey, blocks: () => file.blocks() };
    } catch (error) {
      if (error instanceof DamagedBlocks) rmSync(path, { force: true });
      else if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return undefined;
    }
  }

  /** @throws the error of the file system if nothing can be written there. */
  begin(path: string): BlockFileWriter {
    mkdirSync(this.#folder, { recursive: true });
    return new BlockFileWriter(path);
  }

  /** Completes a file and removes the oldest ones. */
  end(writer: BlockFileWriter, survey: Survey, files: readonly RecordingFile[]): void {
    const numberOf = (path: string): number => files.findIndex((file) => file.path === path);
    const about: About = {
      symbols: [...survey.symbols],
      rows: survey.rows,
      disorders: survey.disorders.map(({ path, ...rest }) => ({ file: numberOf(path), ...rest })),
      unended: survey.unended.map(({ path, line }) => ({ file: numberOf(path), line })),
    };
    writer.end(about);
    this.#prune();
  }

  #prune(): void {
    const names = readdirSync(this.#folder).filter((name) => name.endsWith(SUFFIX));
    const kept = names.flatMap((name) => {
      const path = join(this.#folder, name);
      // Another process may have removed it.
      const found = statSync(path, { throwIfNoEntry: false });
      return found === undefined ? [] : [{ path, usedAt: found.mtimeMs, bytes: found.size }];
    });
    let bytes = 0;
    for (const [index, file] of kept.sort((a, b) => b.usedAt - a.usedAt).entries()) {
      bytes += file.bytes;
      if (index >= FILES_MAX || (index > 0 && bytes > BYTES_MAX))
        rmSync(file.path, { force: true });
    }
  }
}
