// Every check there is, or those that are named, in the order of what is quickest to mend. Ends with the first that fails:
// npm run check [-- NAME …]
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const bin = (path) => `node_modules/${path}`;
const CHECKS = [
  ['format and lint', [bin('@biomejs/biome/bin/biome'), 'ci', '.']],
  // With declarations, which the package has.
  ['types', [bin('typescript/bin/tsc'), '--noEmit', '--declaration']],
  ['types of the page', [bin('typescript/bin/tsc'), '--noEmit', '-p', 'src/page']],
  [
    'floors',
    [
      bin('dependency-cruiser/bin/dependency-cruiser.mjs'),
      'src',
      '--config',
      '.dependency-cruiser.cjs',
    ],
  ],
  ['dead code', [bin('knip/bin/knip.js')]],
  ['tests', [bin('vitest/vitest.mjs'), 'run']],
];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !CHECKS.some(([known]) => known === name));
if (unknown.length > 0) {
  const known = CHECKS.map(([name]) => name).join(', ');
  process.stderr.write(`check: unknown: ${unknown.join(', ')}; accepted: ${known}\n`);
  process.exit(2);
}

for (const [name, args] of CHECKS) {
  if (names.length > 0 && !names.includes(name)) continue;
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) {
    process.stderr.write(`\ncheck: ${name} failed\n`);
    process.exit(status ?? 1);
  }
}
process.stdout.write(`\ncheck: ${names.length > 0 ? names.join(', ') : 'all'} passed\n`);
