// Mutants of the journal of the exchange: what is there after its process died in a write.
import { type Mutant, one } from './mutant.ts';

const TEXT = 'src/adapters/paper/journal/journal-text.ts';
const LINE = 'export function commandLine(events: readonly AccountEvent[]): string {';

export const EXCHANGE: readonly Mutant[] = [
  one(
    'half-a-command-kept',
    'each event of a command is a record of its own, so that a cut write keeps half of them',
    [
      TEXT,
      LINE,
      `${LINE}\n  if (events.length > 1) return events.map((event) => commandLine([event])).join('');`,
    ],
    500,
  ),
  one(
    'last-command-forgotten',
    'a start leaves out the last record of the journal, whole or not',
    [TEXT, '    if (isIntact(line)) {', '    if (isIntact(line) && at < lines.length - 1) {'],
    500,
  ),
];
