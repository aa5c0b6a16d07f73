// Mutants of the journal of the exchange: what is there after its process died in a write.
import { type Mutant, one } from './mutant.ts';

const TEXT = 'src/adapters/paper/journal/journal-text.ts';
const LINE = 'export function commandLine(events: readonly AccountEvent[]): string {';

export const EXCHANGE: readonly Mutant[] = [
  one(
    'half-a-command-kept',
    'each event is its own record, so a cut write splits commands',
    [
      TEXT,
      LINE,
      `${LINE}\n  if (events.length > 1) return events.map((event) => commandLine([event])).join('');`,
    ],
    500,
  ),
  one(
    'last-command-forgotten',
    'a start leaves out the last record of the journal',
    [TEXT, '    if (isIntact(line)) {', '    if (isIntact(line) && at < lines.length - 1) {'],
    500,
  ),
];
