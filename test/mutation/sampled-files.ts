// Draws the files of a sample from the measured ones of one folder.
import { rng } from '../../src/values/rng.ts';
import { folderOf, type Scores } from './score.ts';

/** Files of one folder, until they have `mutants` mutants together; the seed chooses the folder and the files. */
export function drawnSample(scores: Scores, mutants: number, seed: string): readonly string[] {
  const measured = Object.keys(scores).filter((file) => (scores[file]?.mutants ?? 0) > 0);
  const folders = [...new Set(measured.map(folderOf))].toSorted();
  const random = rng(`mutation ${seed}`);
  const folder = folders[random.below(Math.max(1, folders.length))];
  const left = measured.filter((file) => folderOf(file) === folder).toSorted();
  const drawn: string[] = [];
  let count = 0;
  while (count < mutants && left.length > 0) {
    const [file = ''] = left.splice(random.below(left.length), 1);
    drawn.push(file);
    count += scores[file]?.mutants ?? 0;
  }
  return drawn;
}
