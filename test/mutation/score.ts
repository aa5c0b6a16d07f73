// Scores of mutation testing: how many of the mutants that Stryker makes of a file the tests detect. Pure.

/** A detected mutant fails a test or makes one exceed its time; one that no test covers is not detected. */
export interface FileScore {
  readonly detected: number;
  /** Without equivalents and mutants that do not run. */
  readonly mutants: number;
}

/** By source file, as in src/quant/smile.ts. */
export type Scores = Readonly<Record<string, FileScore>>;

export interface Tried {
  readonly file: string;
  readonly mutator: string;
  /** The line of the file on which the mutant begins, without indentation. */
  readonly line: string;
  readonly replacement: string;
  /** Stryker's word. */
  readonly status: string;
}

/** A mutant that changes no behaviour that a test could state. */
export interface Equivalent extends Omit<Tried, 'status'> {
  readonly reason: string;
}

const DETECTED = new Set(['Killed', 'Timeout']);
const UNDETECTED = new Set(['Survived', 'NoCoverage']);

/** False alarms of a sample whose tests are as good as those of the recorded score: fewer than one in a thousand. */
const FALSE_ALARM = 0.001;

const isEquivalent = (tried: Tried, equivalents: readonly Equivalent[]): boolean =>
  equivalents.some(
    ({ file, mutator, line, replacement }) =>
      file === tried.file &&
      mutator === tried.mutator &&
      line === tried.line &&
      replacement === tried.replacement,
  );

export const survivors = (
  tried: readonly Tried[],
  equivalents: readonly Equivalent[],
): readonly Tried[] =>
  tried.filter((one) => UNDETECTED.has(one.status) && !isEquivalent(one, equivalents));

export function scoresOf(tried: readonly Tried[], equivalents: readonly Equivalent[]): Scores {
  const scores: Record<string, FileScore> = {};
  for (const one of tried) {
    const { detected, mutants } = scores[one.file] ?? { detected: 0, mutants: 0 };
    const isDetected = DETECTED.has(one.status);
    const isCounted = isDetected || (UNDETECTED.has(one.status) && !isEquivalent(one, equivalents));
    scores[one.file] = {
      detected: detected + (isDetected ? 1 : 0),
      mutants: mutants + (isCounted ? 1 : 0),
    };
  }
  return scores;
}

export const total = (scores: readonly FileScore[]): FileScore => ({
  detected: scores.reduce((sum, { detected }) => sum + detected, 0),
  mutants: scores.reduce((sum, { mutants }) => sum + mutants, 0),
});

/**
 * The fewest detected mutants that a sample may have. Each of its mutants is detected with the recorded rate, so the number of
 * detected ones is binomial; the bound is exceeded downwards with a probability below one in a thousand.
 */
export function fewestDetected(mutants: number, recorded: FileScore): number {
  const rate = recorded.mutants === 0 ? 1 : recorded.detected / recorded.mutants;
  if (rate === 1) return mutants;
  if (rate === 0) return 0;
  let logChance = mutants * Math.log(1 - rate);
  let below = 0;
  for (let detected = 0; detected <= mutants; detected += 1) {
    below += Math.exp(logChance);
    if (below >= FALSE_ALARM) return detected;
    logChance += Math.log(((mutants - detected) / (detected + 1)) * (rate / (1 - rate)));
  }
  return mutants;
}

/** A fraction as in 92.3 %, rounded down, so that a wanted score is not shown before it is reached. */
export function percent({ detected, mutants }: FileScore): string {
  if (mutants === 0) return '–';
  const tenths = Math.floor((detected * 1_000) / mutants);
  return `${Math.floor(tenths / 10)}.${tenths % 10} %`;
}

/** The folder of src that a file belongs to, as in src/quant. */
export const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** The table of docs/reliability.md: a row for each folder with a measured file. */
export function scoreTable(scores: Scores, sources: readonly string[]): string {
  const folders = [...new Set(Object.keys(scores).map(folderOf))].toSorted();
  const rows = folders.map((folder) => {
    const files = sources.filter((file) => folderOf(file) === folder);
    const measured = files.flatMap((file) => scores[file] ?? []);
    const all = total(measured);
    return `| \`${folder}\` | ${measured.length} of ${files.length} | ${all.mutants} | ${percent(all)} |`;
  });
  return ['| folder | measured files | mutants | detected |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
}
