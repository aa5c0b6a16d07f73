// Chance in the tests changes with the commit and not between two runs of it: what failed once fails again.
import { execFileSync } from 'node:child_process';

/** A number that differs between commits; derived from the date if there is no git. */
export function commitNumber(): number {
  try {
    const hash = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(hash.trim().slice(0, 8), 16);
  } catch {
    return Math.floor(Date.now() / 86_400_000);
  }
}
