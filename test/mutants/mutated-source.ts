// Puts one source-text mutant into a process while its modules load; the working tree is never edited. The workers of Vitest
// and the processes that tests start read the mutant from their environment.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { changed } from '../simulation/mutants/mutant.ts';
import type { SourceMutant } from './source-mutant.ts';

type Put = Pick<SourceMutant, 'file' | 'find' | 'put'>;

const VARIABLE = 'TWAPD_SOURCE_MUTANT';

/** The environment in which Node loads the mutant instead of the contents of the file. */
export const mutantEnvironment = ({ file, find, put }: Put): NodeJS.ProcessEnv => ({
  ...process.env,
  [VARIABLE]: JSON.stringify({ file: resolve(file), find, put }),
  NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${import.meta.url}`.trim(),
});

function load(mutant: Put): void {
  const { href } = pathToFileURL(mutant.file);
  registerHooks({
    load: (url, context, next) => {
      if (url.split('?')[0] !== href) return next(url, context);
      const text = changed(readFileSync(mutant.file, 'utf8'), mutant);
      return { format: 'module', source: stripTypeScriptTypes(text), shortCircuit: true };
    },
  });
}

const named = process.env[VARIABLE];
if (named !== undefined) load(JSON.parse(named) as Put);
