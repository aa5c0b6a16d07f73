// A value that is already serialised as JSON: answers share its bytes instead of serialising it again.
import { rawNumber } from '../../values/text/raw-number.ts';

export class ReadyJson {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** For code that serialises an answer as one text: the value, with its numbers digit for digit. */
  toJSON(): unknown {
    return JSON.parse(
      this.bytes.toString(),
      withDigits as (key: string, value: unknown) => unknown,
    );
  }
}

function withDigits(
  _key: string,
  value: unknown,
  { source }: { readonly source?: string },
): unknown {
  const isExact = typeof value !== 'number' || source === undefined || String(value) === source;
  return isExact ? value : rawNumber(source);
}
