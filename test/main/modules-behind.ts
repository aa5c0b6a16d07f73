// What importing a module loads.
import { execFileSync } from 'node:child_process';
import process from 'node:process';

export interface Asked {
  readonly url: string;
  readonly by: string;
}

/** Every module that importing `module` in a new process resolves, and the module that imports it. */
export function modulesBehind(module: string): readonly Asked[] {
  const path = new URL(`../../${module}`, import.meta.url).href;
  const program = `
    import { registerHooks } from 'node:module';
    const asked = [];
    registerHooks({ resolve: (name, context, next) => {
      const found = next(name, context);
      if (found.url.startsWith('file:')) asked.push({ url: found.url, by: context.parentURL ?? '' });
      return found;
    } });
    await import(${JSON.stringify(path)});
    process.stdout.write(JSON.stringify(asked), () => process.exit(0));`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
  const maxBuffer = 64 * 1_024 * 1_024;
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer }));
}

/** The package of a module; `twapd` for our own. */
export const packageOf = (url: string): string =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? 'twapd';
