// Tracing that is off costs nothing: a daemon's modules are loaded without one of OpenTelemetry that makes or
// sends spans, and nothing of ours asks for any other.
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { expect, test } from 'vitest';

interface Asked {
  readonly url: string;
  readonly by: string;
}

/** Every module of a package that a process of its own asked for when it imported `module`, and which asked. */
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

/** Who asks for which package of tracing; what these ask of each other is left out. */
const tracing = (asked: readonly Asked[]): readonly string[] => {
  const names = asked.map(({ url, by }) => [packageOf(by), packageOf(url)] as const);
  const foreign = names.filter(
    ([by, of]) => of.startsWith('@opentelemetry/') && !by.startsWith('@opentelemetry/'),
  );
  return [...new Set(foreign.map(([by, of]) => `${by} asks for ${of}`))].sort();
};

test('a daemon imports nothing that makes or sends spans', () => {
  const asked = packagesBehind('src/main/daemon/daemon.ts');
  expect(asked.some(({ url }) => packageOf(url) === 'fastify')).toBe(true);
  // The library of metrics looks there whether somebody traces.
  expect(tracing(asked)).toEqual(['prom-client asks for @opentelemetry/api']);
});

test('what makes spans would be found', () => {
  expect(tracing(packagesBehind('src/adapters/telemetry/traces/slice-spans.ts'))).toEqual([
    'twapd asks for @opentelemetry/api',
  ]);
});
