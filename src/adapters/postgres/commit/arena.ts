// Memory for the parameters of one statement after the other: what is handed out stands until the next
// reset. Fresh memory for every group piles up outside the heap, and each 64 MB of it cost a full collection.

const PIECE_BYTES = 64 * 1_024;

export class Arena {
  #piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #used = 0;

  /** Whatever was handed out may be written over from now on. */
  reset(): void {
    this.#used = 0;
  }

  readonly take = (bytes: number): Buffer => {
    if (this.#used + bytes > this.#piece.length) this.#renew(bytes);
    const from = this.#used;
    this.#used += bytes;
    return this.#piece.subarray(from, this.#used);
  };

  /** What was handed out of the piece that is full keeps it. */
  #renew(bytes: number): void {
    this.#piece = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.#piece.length));
    this.#used = 0;
  }
}
