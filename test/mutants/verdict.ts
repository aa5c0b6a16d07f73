// Evaluates one test run under a mutant from Vitest's JSON report: which of the named files detected it, and how.
import { relative } from 'node:path';

/** The part of Vitest's JSON report that is read here. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

export type Verdict =
  /** Named files failed; `missedBy` are those that passed. */
  | { readonly kind: 'killed'; readonly by: string; readonly missedBy: readonly string[] }
  | { readonly kind: 'survived' }
  /** The mutated source did not load, or a named file was not run: nothing is shown either way. */
  | { readonly kind: 'broken'; readonly why: string };

export function judge(report: Report, named: readonly string[], root: string): Verdict {
  const results = report.testResults.map((result) => ({
    ...result,
    file: relative(root, result.name),
  }));
  const absent = named.filter((file) => !results.some((result) => result.file === file));
  if (absent.length > 0) return { kind: 'broken', why: `not run: ${absent.join(', ')}` };
  const failed = results.filter(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'failed'),
  );
  const unloaded = results.find(({ status }) => status === 'failed');
  if (failed.length === 0 && unloaded !== undefined) {
    const why = unloaded.message?.split('\n')[0] ?? 'no reason given';
    return { kind: 'broken', why: `${unloaded.file} failed outside its tests: ${why}` };
  }
  if (failed.length === 0) return { kind: 'survived' };
  const first = failed[0]?.assertionResults.find(({ status }) => status === 'failed');
  const by = `${failed[0]?.file}${first === undefined ? '' : ` "${first.fullName}"`}`;
  const missedBy = results.filter((result) => !failed.includes(result)).map(({ file }) => file);
  return { kind: 'killed', by, missedBy };
}
