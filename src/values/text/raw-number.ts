// Numbers whose digits `JSON.stringify` writes as they are: it would write those of a float.

/** A number of known digits. */
export interface RawNumber {
  readonly rawJSON: string;
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): RawNumber };

/** `digits` are a number in the grammar of JSON. */
export const rawNumber = (digits: string): RawNumber => rawJSON(digits);
