// Objects under keys, each written once: what is kept there is never overwritten by us.

export interface ObjectStore {
  /**
   * Returns false, and writes nothing, if there is an object under the key already.
   * @throws Error if the store cannot be reached, or refuses.
   */
  putNew(key: string, bytes: Uint8Array): Promise<boolean>;
  /**
   * The same for an object of any size, given in pieces: a bounded part of it is in memory at a time. Nobody sees the object
   * before it is whole.
   */
  putNewFrom(key: string, pieces: AsyncIterable<Uint8Array>): Promise<boolean>;
  /** `undefined` if there is none. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** An object of any size, in pieces; `undefined` if there is none. The pieces end with an error if the object is cut short. */
  read(key: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The keys that begin with the prefix, in the order of their UTF-8 bytes. */
  list(prefix: string): AsyncIterable<string>;
}

/** Keys of plain characters, which every store and file system takes as they are. */
export const isObjectKey = (key: string): boolean =>
  /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/.test(key) && key.length <= 512;
