// Locates Prometheus, its tool and Alertmanager on this machine. Tests that need them warn loudly if they are missing.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

export type Program = 'prometheus' | 'promtool' | 'alertmanager';

/** The program's path, or `undefined` with a banner on standard error. */
export function prometheusProgram(name: Program): string | undefined {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    // Debian calls it prometheus-alertmanager.
    .flatMap((folder) => [join(folder, name), join(folder, `prometheus-${name}`)])
    .find((path) => existsSync(path));
  if (found === undefined) {
    const line = '!'.repeat(100);
    process.stderr.write(
      `\n${line}\n${name} is not installed: what it proves is NOT PROVED by this run.\n` +
        `Install it with: apt-get install prometheus prometheus-alertmanager\n${line}\n\n`,
    );
  }
  return found;
}
