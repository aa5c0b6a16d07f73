// Where signed heads of the ledger are kept outside its database, one line of JSON each. What a witness has, it never changes.

export interface WitnessedLine {
  /** From 1, without gaps. */
  readonly number: number;
  /** Without its line end. */
  readonly line: string;
}

export type Kept =
  /** Also if it had this very line. */
  | { readonly kind: 'kept' }
  /** It wants the heads after `newest` first. */
  | { readonly kind: 'behind'; readonly newest: number }
  /** It has another head of this number: the ledger is not the one it was, or it is older. */
  | { readonly kind: 'conflict'; readonly why: string };

export interface HeadWitness {
  /** Rejects if it cannot be reached; the head may then be there or not. */
  append(head: WitnessedLine): Promise<Kept>;
  /** Every line, in order. */
  lines(): AsyncIterable<string>;
}
