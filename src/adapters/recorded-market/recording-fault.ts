// An error in a recording, reported with the file and the line. Nothing is guessed or skipped.

export class RecordingFault extends Error {
  override readonly name = 'RecordingFault';

  /** `line` counts from 1, including the header; absent for the file as a whole. */
  constructor(path: string, line: number | undefined, message: string) {
    super(`${path}${line === undefined ? '' : `:${line}`}: ${message}`);
  }
}
