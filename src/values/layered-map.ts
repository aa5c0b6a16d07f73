// An immutable map for collections that only grow: adding an entry shares all existing ones. Layers double in size,
// so an add costs O(log n) on average and a look-up O(log n).

export interface LayeredMap<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  has(key: K): boolean;
  /** A new map in which `key` has `value`; this one is unchanged. */
  with(key: K, value: V): LayeredMap<K, V>;
  /** Newest layer first; a replaced key appears once, with its newest value. */
  entries(): IterableIterator<[K, V]>;
}

class Layered<K, V> implements LayeredMap<K, V> {
  readonly size: number;
  /** Oldest and largest first. */
  readonly #layers: readonly ReadonlyMap<K, V>[];

  constructor(layers: readonly ReadonlyMap<K, V>[], size: number) {
    this.#layers = layers;
    this.size = size;
  }

  get(key: K): V | undefined {
    for (let i = this.#layers.length - 1; i >= 0; i -= 1) {
      const layer = this.#layers[i];
      if (layer?.has(key)) return layer.get(key);
    }
    return undefined;
  }

  has(key: K): boolean {
    return this.#layers.some((layer) => layer.has(key));
  }

  with(key: K, value: V): LayeredMap<K, V> {
    const layers = [...this.#layers];
    let top: ReadonlyMap<K, V> = new Map([[key, value]]);
    for (let below = layers.at(-1); below && below.size <= top.size; below = layers.at(-1)) {
      layers.pop();
      top = new Map([...below, ...top]);
    }
    return new Layered([...layers, top], this.has(key) ? this.size : this.size + 1);
  }

  *entries(): IterableIterator<[K, V]> {
    const seen = new Set<K>();
    for (const layer of [...this.#layers].reverse()) {
      for (const [key, value] of layer) {
        if (!seen.has(key)) yield [key, value];
        seen.add(key);
      }
    }
  }
}

/** One object serves every key and value: nothing is ever added to it. */
const EMPTY: LayeredMap<never, never> = new Layered([], 0);

export const emptyLayeredMap = <K, V>(): LayeredMap<K, V> => EMPTY;
