// An exact sum of whole numbers that does not become a BigInt with each of them, which would cost more than the sum.
export class WholeSum {
  #big = 0n;
  #small = 0;

  /** The sum of everything added. */
  get value(): bigint {
    return this.#big + BigInt(this.#small);
  }

  /** A whole number, exact as a float. */
  add(number: number): void {
    const sum = this.#small + number;
    if (Number.isSafeInteger(sum)) this.#small = sum;
    else this.#carry(BigInt(number));
  }

  /** The product of two such numbers, however large it is. */
  addProduct(a: number, b: number): void {
    const product = a * b;
    if (Number.isSafeInteger(product)) this.add(product);
    else this.#carry(BigInt(a) * BigInt(b));
  }

  #carry(number: bigint): void {
    this.#big += BigInt(this.#small) + number;
    this.#small = 0;
  }
}
