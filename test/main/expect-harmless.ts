// The output allowed if no foreign text is to control the terminal.
import { expect } from 'vitest';

/** Colours that the program itself uses; magenta is not one of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: movements and colours begin with one.
const OWN_COLOURS = /\u001b\[(?:0|1|2|22|3[1-46]|39|90)m/g;
/** Every control, format and invisible character except line ends. */
export const UNSAFE_TEXT =
  /[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/u;

/** Checks output that contains `HOSTILE` or was derived from it. */
export function expectHarmless(shown: string): void {
  const rest = shown.replace(OWN_COLOURS, '');
  expect(rest).not.toMatch(UNSAFE_TEXT);
  expect(rest).not.toMatch(/^\s*FORGED/m);
}
