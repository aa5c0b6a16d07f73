// A value that is written as JSON already: answers made of it share its bytes instead of writing them again.

export class ReadyJson {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** For whoever writes an answer as one text. */
  toJSON(): unknown {
    return JSON.parse(this.bytes.toString());
  }
}
