// Objects as files of a folder, on a disk or a mounted share. An object is written aside and linked under its name, which fails
// if there is one already.

import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObjectKey, type ObjectStore } from '../../../src/ports/objects/object-store.ts';
import { assert } from '../../../src/values/assert.ts';
import { unwritable } from '../../../src/values/errors/unwritable.ts';

/** Names of keys begin with another character. */
const ASIDE = '.new-';

export class FolderStore implements ObjectStore {
  readonly #folder: string;

  /** Created when the first object is written. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async putNew(key: string, bytes: Uint8Array): Promise<boolean> {
    return await this.#put(key, [bytes]);
  }

  async putNewFrom(key: string, pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
    return await this.#put(key, pieces);
  }

  async #put(
    key: string,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<boolean> {
    const path = this.#path(key);
    const aside = join(dirname(path), `${ASIDE}${randomUUID()}`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(aside, 'wx', 0o600);
    try {
      try {
        for await (const piece of pieces) await file.appendFile(piece);
        await file.sync();
      } finally {
        await file.close();
      }
      await link(aside, path);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw unwritable(path, error);
    } finally {
      await rm(aside);
    }
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    try {
      return new Uint8Array(await readFile(this.#path(key)));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async read(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    try {
      const file = await open(this.#path(key), 'r');
      return file.createReadStream();
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async *list(prefix: string): AsyncIterable<string> {
    const found = await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(
      (error: unknown) => {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      },
    );
    yield* found
      .filter((entry) => entry.isFile() && !entry.name.startsWith(ASIDE))
      .map(({ parentPath, name }) => join(parentPath, name).slice(this.#folder.length + 1))
      .filter((key) => key.startsWith(prefix))
      .sort((a, b) => (a < b ? -1 : 1));
  }

  #path(key: string): string {
    assert(isObjectKey(key), 'a key has plain characters only');
    return join(this.#folder, key);
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
