// `npm run -s captured -- FOLDER`: the answers that `twapd doctor --capture` kept replace those that tests rely on. Points
// that the folder does not have stay as they are.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { TABLE_FILE } from '../../../../src/main/doctor/capture/write-capture.ts';
import { printable } from '../../../../src/values/printable.ts';
import { KEPT_FOLDER, keptPoints } from './kept-answers.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined || !existsSync(join(folder, TABLE_FILE))) {
  console.error('usage: npm run -s captured -- FOLDER, which doctor --capture wrote');
  process.exit(2);
}

const before = keptPoints(KEPT_FOLDER);
const captured = keptPoints(folder);
for (const [name, { point, url, day, verdict, text }] of captured) {
  writeFileSync(join(KEPT_FOLDER, name), text);
  const was = before.get(name);
  console.log(
    printable(
      `${verdict.kind.padEnd(10)}${point.name.padEnd(15)}${verdict.seen} (${url}, ${day}; before: ${was?.verdict.kind ?? 'none'})`,
    ),
  );
}
const differing = [...captured.values()].filter(({ verdict }) => verdict.kind === 'differs');
console.log(`${captured.size} points replaced, ${differing.length} differ from what is assumed.`);
for (const { point } of differing) console.log(`change ${point.reliesOn}: ${point.name}`);
process.exitCode = differing.length > 0 ? 1 : 0;
