// The command `npm run -s census`: prints each count of this tree, or of another folder, on a line of its own.
import process from 'node:process';
import { countTree } from './count-tree.ts';

for (const { name, count } of countTree(process.argv[2] ?? process.cwd())) {
  process.stdout.write(`${String(count).padStart(7)}  ${name}\n`);
}
