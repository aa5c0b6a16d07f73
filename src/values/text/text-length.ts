// Lengths and cuts of text that people and venues write. A character is a code point; a cut never leaves half of one, which
// no client could decode.

/** The number of characters; not counted when the text has at most `most` code units, which bound it. */
export const charactersOf = (text: string, most = 0): number =>
  text.length <= most ? text.length : [...text].length;

/** The start of `text` in at most `most` code units. */
export function cutText(text: string, most: number): string {
  const end = text.codePointAt(most - 1);
  // A pair that begins in the last place would be halved.
  return text.slice(0, end !== undefined && end > BASIC_MAX ? most - 1 : most);
}

/** The last code point of one code unit. */
const BASIC_MAX = 0xff_ff;

/** `text`, or its start and an ellipsis, in at most `most` code units. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${cutText(text, most - 1)}…`;
