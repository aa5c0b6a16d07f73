// Prints what could not be tested on this machine in a way that cannot be overlooked.
import process from 'node:process';

export function notProved(what: string, why: string): void {
  const line = '!'.repeat(100);
  process.stderr.write(`\n${line}\n${what}: NOT PROVED by this run, because ${why}.\n${line}\n\n`);
}
