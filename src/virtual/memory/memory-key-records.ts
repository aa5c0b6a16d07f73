// API keys in memory, with the same results as the durable ones.
import type {
  KeyGrant,
  KeyRecord,
  KeyRecords,
  KeysRead,
  Rotation,
} from '../../ports/key-records.ts';
import type { Instant } from '../../values/instant.ts';

export class MemoryKeyRecords implements KeyRecords {
  readonly #keys = new Map<string, KeyRecord>();
  #version = 1;

  add(grant: KeyGrant, sealed: string): Promise<boolean> {
    if (this.#keys.has(grant.id)) return Promise.resolve(false);
    return this.#put({ ...grant, sealed, generation: 1 });
  }

  list(): Promise<readonly KeyRecord[]> {
    const keys = [...this.#keys.values()];
    return Promise.resolve(keys.sort((a, b) => (a.id < b.id ? -1 : 1)));
  }

  async changedSince(version: number): Promise<KeysRead | undefined> {
    if (version === this.#version) return undefined;
    return { version: this.#version, keys: await this.list() };
  }

  rotate(id: string, { from, sealed, overlapUntil, kept }: Rotation): Promise<boolean> {
    const key = this.#inUse(id);
    if (key === undefined || key.generation !== from) return Promise.resolve(false);
    const previous = { sealed: kept ?? key.sealed, until: overlapUntil };
    const generation = from + (kept === undefined ? 1 : 2);
    return this.#put({ ...key, generation, sealed, previous });
  }

  revoke(id: string, at: Instant): Promise<boolean> {
    const key = this.#inUse(id);
    if (key === undefined) return Promise.resolve(false);
    return this.#put({ ...key, revokedAt: at, sealed: '', previous: undefined });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #inUse(id: string): KeyRecord | undefined {
    const key = this.#keys.get(id);
    return key?.revokedAt === undefined ? key : undefined;
  }

  #put(key: KeyRecord): Promise<boolean> {
    this.#keys.set(key.id, key);
    this.#version += 1;
    return Promise.resolve(true);
  }
}
