// Sets up a fresh clone if anything is missing, then becomes `node <entry> <arguments>` under Node 24. Plain
// JavaScript on node built-ins only: it runs before any package is installed and on any Node from 18 on.
import process from 'node:process';

const OLDEST_NODE = 18;
const major = Number(process.versions.node.split('.')[0]);

if (major < OLDEST_NODE) {
  process.stderr.write(
    `twapd: Node ${process.versions.node} is too old to set up with; install Node ${OLDEST_NODE} or newer ` +
      '(the set-up then brings Node 24 by itself).\n',
  );
  process.exit(1);
}

const { prepare } = await import('./prepare.mjs');
const { join } = await import('node:path');
const { launch } = await import('./launch.mjs');
const { nodeProgram } = await import('./packages-check.mjs');
const { bundledEntry, isProgram, isProgramBuilt } = await import('./build-program.mjs');
const { readInvocation } = await import('./invocation.mjs');

const invocation = readInvocation(process.argv.slice(2));
await prepare(invocation);
const { root, entry, args } = invocation;
const isBundled = isProgram(root, entry) && isProgramBuilt(root);
launch({
  entry: isBundled ? bundledEntry(root) : entry,
  args,
  node: join(root, nodeProgram()),
  cache: join(root, 'node_modules', '.cache', 'twapd'),
});
