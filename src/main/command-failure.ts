// Ends a failing command with its exit code and the lines it prints.

export const EXIT_CODES = { ok: 0, refused: 1, usage: 2, unreachable: 3 } as const;

/** Ends a command: each line is printed to the user, then the process exits with the code. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly ending: Exclude<keyof typeof EXIT_CODES, 'ok'>;
  readonly lines: readonly string[];
  constructor(ending: CommandFailure['ending'], lines: readonly string[]) {
    super(lines.join('\n'));
    this.ending = ending;
    this.lines = lines;
  }
}
