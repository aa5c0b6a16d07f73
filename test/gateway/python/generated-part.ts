// The delivered Python client: where its generated part is, and what has to stand there.
import { readFileSync } from 'node:fs';
import { pythonClasses } from './python-classes.ts';

export const PYTHON_CLIENT = 'examples/python/twapd.py';

const [BEGIN, END] = ['# ---- generated ----\n', '# ---- end of generated ----\n'] as const;

/** The file with the generated part as the schemas of today make it. */
export function currentClient(text = readFileSync(PYTHON_CLIENT, 'utf8')): string {
  const before = text.split(BEGIN)[0];
  const after = text.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${PYTHON_CLIENT} has lost its marks`);
  return `${before}${BEGIN}${pythonClasses()}\n${END}${after}`;
}
