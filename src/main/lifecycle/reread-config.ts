// Reads the configuration again while the daemon runs: with faults, the one in force stays and each fault is reported.
import type { Observer } from '../../ports/observer.ts';
import type { Config } from '../config/config.ts';
import { type LoadOptions, loadConfig } from '../config/load-config.ts';
import { runNoCommand, runSecretCommandAside } from '../config/secrets/secret-command.ts';
import type { Fetched } from '../config/secrets/secret-sources.ts';
import { faultText } from '../fault.ts';

/**
 * Resolves with the new configuration, `undefined` if it has faults. Commands that print secrets run alongside what the
 * process does, so that a slow one delays nothing but the reload.
 */
export async function rereadConfig(
  path: string,
  observer: Observer,
  options: LoadOptions = {},
): Promise<Config | undefined> {
  const printed = await commandOutputs(path, options);
  const reading = loadConfig(path, {
    ...options,
    // A command that was added since the outputs were collected is found by the next reload.
    runCommand: (words, at) => printed.get(JSON.stringify(words)) ?? runNoCommand(words, at),
  });
  if (reading.kind === 'read') return reading.value;
  for (const fault of reading.faults) {
    observer.observe({
      event: 'failed',
      where: 'config.reload',
      error: new Error(faultText(fault)),
    });
  }
  return undefined;
}

/** What each command of the configuration prints; the same command is run once. */
async function commandOutputs(
  path: string,
  options: LoadOptions,
): Promise<ReadonlyMap<string, Fetched>> {
  const wanted = new Map<string, readonly string[]>();
  loadConfig(path, {
    ...options,
    onUnset: () => undefined,
    runCommand: (words, at) => {
      wanted.set(JSON.stringify(words), words);
      return runNoCommand(words, at);
    },
  });
  const outputs = [...wanted].map(
    async ([key, words]): Promise<[string, Fetched]> => [key, await runSecretCommandAside(words)],
  );
  return new Map(await Promise.all(outputs));
}
