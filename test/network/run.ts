// Runs the conformance suite at Deribit's test network, or says why it was not run.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { CLIENT_ID, CLIENT_SECRET } from './credentials.ts';

const missing = [CLIENT_ID, CLIENT_SECRET].filter((name) => !process.env[name]);
if (missing.length > 0) {
  process.stderr.write(
    `the conformance suite was NOT RUN at test.deribit.com: ${missing.join(' and ')} not set; accepted: the id and the secret of a key of test.deribit.com with the scopes trade:read_write and account:read_write\n`,
  );
  process.exit(1);
}
const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--config',
  'test/network/vitest.config.ts',
];
const { status } = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
