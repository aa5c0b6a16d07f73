// API keys in memory, with the same results as the durable ones.
import type {
  KeyGrant,
  KeyRecord,
  KeyRecords,
  KeysRead,
  Rotation,
} from '../../../src/ports/key-records.ts';
import type { Instant } from '../../../src/values/instant.ts';
import { StoreRequests } from '../../../src/virtual/memory/store-requests.ts';

export class MemoryKeyRecords implements KeyRecords {
  readonly #keys = new Map<string, KeyRecord>();
  readonly #requests = new StoreRequests();
  #version = 1;

  add(grant: KeyGrant, sealed: string): Promise<boolean> {
    return this.#requests.answer(
      () => !this.#keys.has(grant.id) && this.#put({ ...grant, sealed, generation: 1 }),
      grant,
      sealed,
    );
  }

  list(): Promise<readonly KeyRecord[]> {
    return this.#requests.answer(() => this.#sorted());
  }

  changedSince(version: number): Promise<KeysRead | undefined> {
    return this.#requests.answer(() =>
      version === this.#version ? undefined : { version: this.#version, keys: this.#sorted() },
    );
  }

  rotate(id: string, rotation: Rotation): Promise<boolean> {
    return this.#requests.answer(
      () => {
        const { from, sealed, overlapUntil, kept } = rotation;
        const key = this.#inUse(id);
        if (key === undefined || key.generation !== from) return false;
        const previous = { sealed: kept ?? key.sealed, until: overlapUntil };
        const generation = from + (kept === undefined ? 1 : 2);
        return this.#put({ ...key, generation, sealed, previous });
      },
      id,
      rotation,
    );
  }

  revoke(id: string, at: Instant): Promise<boolean> {
    return this.#requests.answer(() => {
      const key = this.#inUse(id);
      if (key === undefined) return false;
      return this.#put({ ...key, revokedAt: at, sealed: '', previous: undefined });
    }, id);
  }

  close(): Promise<void> {
    return this.#requests.close();
  }

  #sorted(): readonly KeyRecord[] {
    return [...this.#keys.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #inUse(id: string): KeyRecord | undefined {
    const key = this.#keys.get(id);
    return key?.revokedAt === undefined ? key : undefined;
  }

  #put(key: KeyRecord): true {
    this.#keys.set(key.id, key);
    this.#version += 1;
    return true;
  }
}
