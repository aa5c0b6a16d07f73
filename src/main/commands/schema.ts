// `schema`: writes the files generated from the schemas, or lists those that are out of date.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLI_NAME } from '../cli-name.ts';
import { CommandFailure } from '../command-failure.ts';
import { generatedFiles } from '../generated-files.ts';
import type { AddCommand } from './command.ts';
import { outputFile, outputFolder } from './output-path.ts';

interface Options {
  readonly out: string;
  readonly check?: boolean;
}

export const addSchema: AddCommand = (program, terminal) => {
  program
    .command('schema')
    .option('-o, --out <folder>', 'root of the project', '.')
    .option('--check', 'write nothing; exit code 1 when a file is out of date')
    .action((options: Options) => {
      const stale = [...generatedFiles()].filter(
        ([path, text]) => contentOf(join(options.out, path)) !== text,
      );
      if (options.check && stale.length > 0) {
        const lines = stale.map(([path]) => `${path} is out of date; run: ${CLI_NAME} schema`);
        throw new CommandFailure('refused', lines);
      }
      for (const [path, text] of stale) {
        const at = join(options.out, path);
        outputFolder({ option: '--out', name: dirname(at) });
        outputFile({ option: '--out', name: at }).write(text);
        terminal.print(`wrote ${path}`);
      }
      if (stale.length === 0) terminal.print('everything is up to date');
    });
};

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
