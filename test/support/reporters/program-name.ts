// The name of a started program as a reader of the suite's costs knows it: what Node runs, not that Node runs it.
import { basename } from 'node:path';

/** Programs that run another one, which follows their own options. */
const PREFIXES = new Set(['setpriv', 'nice', 'prlimit', 'env']);

/** The command of twapd that runs as long as it is needed. */
const SERVING = new Set(['start', 'exchange', 'engine', 'gateway']);

/** `words` are the program and its arguments. */
export function programOf(words: readonly string[]): string {
  const [program = '', ...rest] = words;
  const name = basename(program);
  if (PREFIXES.has(name)) {
    const next = rest.findIndex((word) => word.startsWith('/'));
    return next < 0 ? name : programOf(rest.slice(next));
  }
  if (!/^node(\.exe)?$/.test(name)) return name;
  const command = rest.findIndex((word) => /(^|\/)(cli|program)\.m?[jt]s$/.test(word));
  if (command >= 0) {
    const verb = rest[command + 1] ?? '';
    return SERVING.has(verb) ? `twapd ${verb}` : 'other commands of twapd';
  }
  const script = rest.find((word) => /\.(m?js|ts)$/.test(word));
  return script === undefined ? 'node' : `node ${basename(script)}`;
}
