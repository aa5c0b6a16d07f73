// The largest step that divides every number seen so far, limited to 1, 2 or 5 of a decimal place.

export class SeenGrid {
  #places = 0;
  /** Greatest common divisor of all numbers in units of 10^-places; 0 before the first number. */
  #divisor = 0;
  #latest = '';

  add(text: string): void {
    if (text === this.#latest) return;
    this.#latest = text;
    const dot = text.indexOf('.');
    let end = text.length;
    if (dot >= 0) {
      while (text.charCodeAt(end - 1) === 48) end -= 1;
      const places = Math.max(0, end - dot - 1);
      if (places > this.#places) {
        this.#divisor *= 10 ** (places - this.#places);
        this.#places = places;
      }
    }
    // At one, the finest step for these places, the result cannot change any more.
    if (this.#divisor === 1) return;
    const scaled = Math.round(Number(text) * 10 ** this.#places);
    this.#divisor = divisorOf(this.#divisor, scaled);
  }

  /** As decimal text; `undefined` before the first number. */
  step(): string | undefined {
    if (this.#divisor === 0) return undefined;
    let power = 1;
    let rest = this.#divisor;
    while (rest % 10 === 0) {
      rest /= 10;
      power *= 10;
    }
    const digit = rest % 5 === 0 ? 5 : rest % 2 === 0 ? 2 : 1;
    const units = digit * power;
    return this.#places === 0 ? String(units) : (units / 10 ** this.#places).toFixed(this.#places);
  }
}

function divisorOf(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
