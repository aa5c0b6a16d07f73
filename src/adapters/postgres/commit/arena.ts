// Reusable memory for the parameters of one statement at a time: allocations are valid until the next reset.
// Fresh memory for every group would pile up outside the heap, and every 64 MB of it would cost a full
// collection.

const PIECE_BYTES = 64 * 1_024;

export class Arena {
  #piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #used = 0;

  /** Everything allocated so far may be overwritten from now on. */
  reset(): void {
    this.#used = 0;
  }

  readonly take = (bytes: number): Buffer => {
    if (this.#used + bytes > this.#piece.length) this.#renew(bytes);
    const from = this.#used;
    this.#used += bytes;
    return this.#piece.subarray(from, this.#used);
  };

  /** Earlier allocations keep the full piece alive. */
  #renew(bytes: number): void {
    this.#piece = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.#piece.length));
    this.#used = 0;
  }
}
