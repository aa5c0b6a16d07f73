// A seeded generator (sfc32): the same seed gives the same numbers on every machine. Split it by label to give each
// component its own stream, so that one component's draws never shift another's.

export interface Rng {
  /** Uniform in [0, 1). */
  next(): number;
  /** Whole number in [0, bound). */
  below(bound: number): number;
  /** Normal with mean 0 and deviation 1. */
  normal(): number;
  /** An independent generator for `label`, whatever has been drawn so far. */
  split(label: string): Rng;
}

/** FNV-1a over UTF-16 units, then a final mix; 32 bits. */
export function hash32(text: string, seed = 0x811c9dc5): number {
  let hash = seed >>> 0;
  for (let i = 0; i < text.length; i += 1) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return mixed(hash);
}

/** `hash32` with either seed, in one pass over the text. */
export function hash32Twice(
  text: string,
  [first, second]: readonly [number, number],
): readonly [number, number] {
  let [a, b] = [first >>> 0, second >>> 0];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x01000193);
  }
  return [mixed(a), mixed(b)];
}

function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

export function rng(seed: string): Rng {
  let a = hash32(seed, 1);
  let b = hash32(seed, 2);
  let c = hash32(seed, 3);
  let counter = 1;
  const draw = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 15; i += 1) draw();
  const next = (): number => draw() / 4_294_967_296;
  return {
    next,
    below: (bound) => Math.floor(next() * bound),
    normal: () => {
      const radius = Math.sqrt(-2 * Math.log(1 - next()));
      return radius * Math.cos(2 * Math.PI * next());
    },
    split: (label) => rng(`${seed}/${label}`),
  };
}
