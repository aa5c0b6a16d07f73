// Which instruments are recorded: names, and patterns in which `*` stands for any characters.

export class InstrumentPatterns {
  readonly texts: readonly string[];
  readonly #patterns: readonly RegExp[];

  constructor(texts: readonly string[]) {
    this.texts = texts;
    this.#patterns = texts.map(patternOf);
  }

  matches(name: string): boolean {
    return this.#patterns.some((pattern) => pattern.test(name));
  }

  /** Those that match no name at all. */
  unmatched(names: readonly string[]): readonly string[] {
    return this.texts.filter((_, at) => !names.some((name) => this.#patterns[at]?.test(name)));
  }
}

const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
      .join('.*')}$`,
  );
