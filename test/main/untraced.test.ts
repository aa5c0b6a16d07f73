// Disabled tracing costs nothing: a daemon's modules load no OpenTelemetry package that creates or sends
// spans, and no module of ours imports any other.
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { expect, test } from 'vitest';

interface Asked {
  readonly url: string;
  readonly by: string;
}

/**
 * Every module of a package that importing `module` in a new process resolves, and the module that imports
 * it.
 */
function packagesBehind(module: string): readonly Asked[] {
  const path = new URL(`../../${module}`, import.meta.url).href;
  const program = `
    import { registerHooks } from 'node:module';
    const asked = [];
    registerHooks({ resolve: (name, context, next) => {
      const found = next(name, context);
      if (found.url.includes('/node_modules/')) asked.push({ url: found.url, by: context.parentURL ?? '' });
      return found;
    } });
    await import(${JSON.stringify(path)});
    process.stdout.write(JSON.stringify(asked), () => process.exit(0));`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
  const maxBuffer = 64 * 1_024 * 1_024;
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer }));
}

const packageOf = (url: string): string =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? 'twapd';

/** Which package imports which tracing package; imports among these are left out. */
const tracing = (asked: readonly Asked[]): readonly string[] => {
  const names = asked.map(({ url, by }) => [packageOf(by), packageOf(url)] as const);
  const foreign = names.filter(
    ([by, of]) => of.startsWith('@opentelemetry/') && !by.startsWith('@opentelemetry/'),
  );
  return [...new Set(foreign.map(([by, of]) => `${by} asks for ${of}`))].sort();
};

test('a daemon imports nothing that creates or sends spans', () => {
  const asked = packagesBehind('src/main/daemon/daemon.ts');
  expect(asked.some(({ url }) => packageOf(url) === 'fastify')).toBe(true);
  // The metrics library checks there whether tracing is active.
  expect(tracing(asked)).toEqual(['prom-client asks for @opentelemetry/api']);
});

test('the check would find a module that creates spans', () => {
  expect(tracing(packagesBehind('src/adapters/telemetry/traces/slice-spans.ts'))).toEqual([
    'twapd asks for @opentelemetry/api',
  ]);
});
