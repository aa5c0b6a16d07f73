// Suggests the accepted key that a misspelt one most likely means.
import { editsBetween } from '../../values/unlisted.ts';

const EDITS_MAX = 3;
/** A key is this many times longer than the edits that may separate it from what was meant. */
const LETTERS_PER_EDIT = 3;
/** Bounds the work that one request can cause. */
const KEYS_MAX = 8;
const KEY_LENGTH_MAX = 64;

/**
 * `; did you mean quantity?` for one key, `; did you mean quantity for quantty, side for sdie?` for several; empty if
 * nothing accepted is near.
 */
export function didYouMean(keys: readonly string[], accepted: readonly string[]): string {
  const meant = keys.slice(0, KEYS_MAX).flatMap((key) => {
    const word = nearest(key, accepted);
    return word === undefined ? [] : [keys.length === 1 ? word : `${word} for ${key}`];
  });
  return meant.length === 0 ? '' : `; did you mean ${meant.join(', ')}?`;
}

function nearest(key: string, accepted: readonly string[]): string | undefined {
  if (key.length > KEY_LENGTH_MAX) return undefined;
  const asked = key.toLowerCase();
  let most = Math.min(EDITS_MAX, Math.floor(key.length / LETTERS_PER_EDIT));
  let found: string | undefined;
  for (const word of accepted) {
    const edits = editsTo(asked, word.toLowerCase(), most);
    if (edits > most) continue;
    found = word;
    most = edits - 1;
  }
  return found;
}

/** Letters in another order, as in `hegde`, are one slip of the fingers. */
const editsTo = (asked: string, word: string, most: number): number =>
  asked !== word && lettersOf(asked) === lettersOf(word) ? 1 : editsBetween(asked, word, most);

const lettersOf = (text: string): string => [...text].sort().join('');
