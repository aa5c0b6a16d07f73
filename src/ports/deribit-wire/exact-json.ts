// JSON without floats: a number is read as the text of its digits. Deribit's amounts and
// prices are JSON numbers; parsing them as floats would lose digits of money and of 64-bit ids. Numbers are put between
// quotation marks before the text is parsed: a reviver that reads their source takes seven times as long, and a list of
// instruments is megabytes.

import { cutText } from '../../values/text/text-length.ts';

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** Every number in it is a string of its digits as they were sent; throws SyntaxError if it is not JSON. */
export const parseExact = (text: string): unknown => JSON.parse(withQuotedNumbers(text));

function withQuotedNumbers(text: string): string {
  let quoted = '';
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, at);
      quoted += `${text.slice(from, at)}"${text.slice(at, end)}"`;
      from = end;
      at = end;
    } else {
      at += 1;
    }
  }
  return quoted + text.slice(from);
}

/** Behind its closing mark, or the end of a text that lacks it. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let marks = at;
    while (text.charCodeAt(marks - 1) === BACKSLASH) marks -= 1;
    if ((at - marks) % 2 === 0) return at + 1;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  if (!NUMBER.test(text)) throw new SyntaxError(`no number at ${start} of ${cutText(text, 40)}`);
  return NUMBER.lastIndex;
}
