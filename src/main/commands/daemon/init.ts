// `init`: writes a configuration, a first strategy and fresh secrets into a folder, and says how to start with them.
import { join, resolve } from 'node:path';
import { CLI_NAME } from '../../cli-name.ts';
import { CommandFailure } from '../../command-failure.ts';
import { takenEntries, writeInstallation } from '../../installation/new-installation.ts';
import { newFromCaller } from '../caller-path.ts';
import type { AddCommand } from '../command.ts';

export const addInit: AddCommand = (program, terminal) => {
  program
    .command('init')
    .argument('[folder]', 'where to write it; made if it does not exist', '.')
    .action((given: string) => {
      const folder = resolve(newFromCaller(given));
      const taken = takenEntries(folder);
      if (taken.length > 0) {
        throw new CommandFailure('refused', [
          ...taken.map((path) => `${path} exists and is not overwritten`),
          'nothing was written; accepted: a folder without these',
        ]);
      }
      for (const path of written(folder)) terminal.print(`wrote ${path}`);
      terminal.print(nextSteps(folder));
    });
};

function written(folder: string): readonly string[] {
  try {
    return writeInstallation(folder);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CommandFailure('refused', [
      `${path ?? folder} cannot be written (${code}); accepted: a folder this user may write to`,
    ]);
  }
}

const nextSteps = (folder: string): string => {
  const first = join(folder, 'strategies', 'first.yaml');
  return [
    '',
    'Next:',
    `  export TWAPD_CONFIG=${shellWord(join(folder, 'config.yaml'))}`,
    `  ${CLI_NAME} check                      what the configuration lacks, if anything`,
    `  ${CLI_NAME} start                      run the daemon, on the paper exchange`,
    'and in a second terminal, with the same TWAPD_CONFIG:',
    `  ${CLI_NAME} plan ${shellWord(first)}`,
    `  ${CLI_NAME} submit ${shellWord(first)}`,
    `  ${CLI_NAME} watch ID                   see it fill`,
  ].join('\n');
};

/** As a shell takes it for one word. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
