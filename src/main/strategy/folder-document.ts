// A document of the strategies folder, which others may be able to write to: a regular file, in bounds.
import { faulty, type Reading } from '../fault.ts';
import { readBoundedYaml, type YamlDocument } from '../yaml-document.ts';
import { readRegularFile } from './regular-file.ts';

export type ReadDocument = (path: string, accepted: string) => Reading<YamlDocument>;

export const STRATEGY_ACCEPTED = 'a YAML or JSON file in the folder itself';
export const HOLIDAYS_ACCEPTED = 'a file of holidays';

export function readFolderDocument(path: string, accepted: string): Reading<YamlDocument> {
  const file = readRegularFile(path, accepted);
  return file.kind === 'refused'
    ? faulty([{ source: path, field: '', message: file.message }])
    : readBoundedYaml(file.text, path);
}

/** The file of holidays that a strategy names, as it is written in its document; `undefined` if it names none. */
export function holidaysOf(value: unknown): string | undefined {
  const schedule = (value as { readonly schedule?: unknown } | null)?.schedule;
  const named = (schedule as { readonly holidays?: unknown } | null | undefined)?.holidays;
  return typeof named === 'string' ? named : undefined;
}
