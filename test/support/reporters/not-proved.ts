// What this machine does not let a test do is told in a way that cannot be overlooked.
import process from 'node:process';

export function notProved(what: string, why: string): void {
  const line = '!'.repeat(100);
  process.stderr.write(`\n${line}\n${what}: NOT PROVED by this run, because ${why}.\n${line}\n\n`);
}
