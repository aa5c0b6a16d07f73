// Objects under keys, each written once: what is kept there is never overwritten by us.

export interface ObjectStore {
  /**
   * Returns false, and writes nothing, if there is an object under the key already.
   * @throws Error if the store cannot be reached, or refuses.
   */
  putNew(key: string, bytes: Uint8Array): Promise<boolean>;
  /** `undefined` if there is none. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** The keys that begin with the prefix, in the order of their UTF-8 bytes. */
  list(prefix: string): AsyncIterable<string>;
}

/** Keys of plain characters, which every store and file system takes as they are. */
export const isObjectKey = (key: string): boolean =>
  /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/.test(key) && key.length <= 512;
