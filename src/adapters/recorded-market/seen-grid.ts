// The largest step that divides every number seen so far, below zero or not, limited to 1, 2 or 5 of a decimal place.

export class SeenGrid {
  #places = 0;
  /** Greatest common divisor of all numbers in units of 10^-places; 0 before the first number. */
  #divisor = 0;
  #latest = '';
  #latestNumber = Number.NaN;
  #latestPlaces = 0;

  add(text: string): void {
    if (text === this.#latest) return;
    this.#latest = text;
    const dot = text.indexOf('.');
    let end = text.length;
    if (dot >= 0) {
      while (text.charCodeAt(end - 1) === 48) end -= 1;
      this.#refine(Math.max(0, end - dot - 1));
    }
    // At one, the finest step for these places, the result cannot change any more.
    if (this.#divisor === 1) return;
    this.#see(Math.abs(Math.round(Number(text) * 10 ** this.#places)));
  }

  /** {@link add} of `number` × 10^-places. */
  addNumber(number: number, places: number): void {
    if (number === this.#latestNumber && places === this.#latestPlaces) return;
    this.#latestNumber = number;
    this.#latestPlaces = places;
    let [bare, left] = [number, places];
    if (this.#divisor === 1 && left <= this.#places) return;
    while (left > 0 && bare % 10 === 0) {
      bare /= 10;
      left -= 1;
    }
    this.#refine(left);
    if (this.#divisor !== 1) this.#see(Math.abs(bare) * 10 ** (this.#places - left));
  }

  #refine(places: number): void {
    if (places <= this.#places) return;
    this.#divisor *= 10 ** (places - this.#places);
    this.#places = places;
  }

  #see(scaled: number): void {
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
