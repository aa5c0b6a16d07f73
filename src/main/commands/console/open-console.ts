// Where the console is shown, and what it knows of the daemon.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { moneyOf } from '../../config/rules/venue-place.ts';
import { VERSION } from '../../version.ts';
import type { Terminal } from '../command.ts';
import { ownDaemon, urlOf } from '../daemon-client.ts';
import { DaemonConsole } from './daemon-console.ts';

/**
 * Whether the terminal is this process's: one in the background would be stopped by the terminal for reading keys, and would draw
 * over what another shows.
 */
export function isForeground(): boolean {
  let fields: readonly string[];
  try {
    const text = readFileSync('/proc/self/stat', 'utf8');
    // The name of the program may contain anything.
    fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // Unexamined: a system without /proc; its shells are used in the foreground as well.
    return true;
  }
  const [, , group, , , ofTerminal] = fields;
  return group === ofTerminal;
}

interface OpenOptions {
  readonly config: Config;
  readonly allowsLive: boolean;
  readonly terminal: Terminal;
}

export function openConsole({ config, allowsLive, terminal }: OpenOptions): DaemonConsole {
  const { service, venues } = config;
  const dataDir = resolve(service.dataDir);
  const daemonConsole = new DaemonConsole({
    terminal,
    facts: { version: VERSION, ...moneyOf(venues, allowsLive), dataDir },
    logFolder: join(dataDir, 'log'),
    reach: (port) => ownDaemon(config, port),
    urlOf: (port) => urlOf({ ...config, service: { host: service.host, port } }),
  });
  daemonConsole.open();
  return daemonConsole;
}
