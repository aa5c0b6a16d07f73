// The notes below a report on costs, wrapped between words.
import { flowed } from '../terminal/fitted-lines.ts';
import { paint } from '../terminal/paint.ts';

export const notesText = (notes: readonly string[], columns: number): string =>
  notes
    .flatMap((note) => flowed(note.split(' '), { gap: ' ', columns, linesMax: 10 }))
    .map((line) => paint.dim(line))
    .join('\n');
