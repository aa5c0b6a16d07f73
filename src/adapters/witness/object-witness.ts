// A witness in an object store: one object per head, never overwritten. A lock on objects of the store itself (WORM) keeps
// even the holder of the access key from deleting them.
import type { ObjectStore } from '../../ports/objects/object-store.ts';
import type { HeadWitness, Kept, WitnessedLine } from '../../ports/witness/head-witness.ts';

const DIGITS = 12;
const NAME = /^head-\d{12}\.json$/;

export class ObjectWitness implements HeadWitness {
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  async append({ number, line }: WitnessedLine): Promise<Kept> {
    const key = `head-${String(number).padStart(DIGITS, '0')}.json`;
    if (await this.#store.putNew(key, new TextEncoder().encode(line))) return { kind: 'kept' };
    const known = await this.#store.get(key);
    return known !== undefined && new TextDecoder().decode(known) === line
      ? { kind: 'kept' }
      : { kind: 'conflict', why: `the store has another ${key}` };
  }

  async *lines(): AsyncIterable<string> {
    for await (const key of this.#store.list('head-')) {
      const found = NAME.test(key) ? await this.#store.get(key) : undefined;
      if (found !== undefined) yield new TextDecoder().decode(found);
    }
  }
}
