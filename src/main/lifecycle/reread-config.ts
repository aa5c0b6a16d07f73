// Reads the configuration again while the daemon runs: with faults, the one in force stays and each fault is reported.
import type { Observer } from '../../ports/observer.ts';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { faultText } from '../fault.ts';

/** The new configuration; `undefined` if it has faults. */
export function rereadConfig(
  path: string,
  observer: Pick<Observer, 'failed'>,
  options?: Parameters<typeof loadConfig>[1],
): Config | undefined {
  const reading = loadConfig(path, options);
  if (reading.kind === 'read') return reading.value;
  for (const fault of reading.faults) {
    observer.failed({ where: 'config.reload', error: new Error(faultText(fault)) });
  }
  return undefined;
}
