// The parameters of a commit as pg itself encodes arrays: as text, quoted here and parsed there.
type Values = readonly unknown[];

const kept = (values: Values): Values => values.map((value) => value ?? null);

/** In the place of `BinaryArrays`. */
export class LibraryArrays {
  readonly text = kept;
  readonly int8 = kept;
  readonly int4 = kept;
  readonly int2 = kept;
  readonly bool = kept;
}
