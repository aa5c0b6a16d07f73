// Disabled tracing costs nothing: a daemon's modules load no OpenTelemetry package that creates or sends
// spans, and no module of ours imports any other.
import { expect, test } from 'vitest';
import { type Asked, modulesBehind, packageOf } from './modules-behind.ts';

/** Which package imports which tracing package; imports among these are left out. */
const tracing = (asked: readonly Asked[]): readonly string[] => {
  const names = asked.map(({ url, by }) => [packageOf(by), packageOf(url)] as const);
  const foreign = names.filter(
    ([by, of]) => of.startsWith('@opentelemetry/') && !by.startsWith('@opentelemetry/'),
  );
  return [...new Set(foreign.map(([by, of]) => `${by} asks for ${of}`))].sort();
};

test('a daemon imports nothing that creates or sends spans', () => {
  const asked = modulesBehind('src/main/daemon/daemon.ts');
  expect(asked.some(({ url }) => packageOf(url) === 'fastify')).toBe(true);
  // The metrics library checks there whether tracing is active.
  expect(tracing(asked)).toEqual(['prom-client asks for @opentelemetry/api']);
});

test('the check would find a module that creates spans', () => {
  expect(tracing(modulesBehind('src/adapters/telemetry/traces/slice-spans.ts'))).toEqual([
    'twapd asks for @opentelemetry/api',
  ]);
});
