// A value that is already serialised as JSON: answers share its bytes instead of serialising it again.

export class ReadyJson {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** For code that serialises an answer as one text. */
  toJSON(): unknown {
    return JSON.parse(this.bytes.toString());
  }
}
