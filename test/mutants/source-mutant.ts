// A change of source text that the named tests must detect.
export interface SourceMutant {
  readonly name: string; // kebab-case, unique
  readonly what: string; // one sentence: what is wrong with the mutated code
  readonly file: string; // 'src/...'
  readonly find: string; // occurs exactly once in file
  readonly put: string;
  readonly killedBy: readonly string[]; // test files that fail under the mutant
}
