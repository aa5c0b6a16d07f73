// Checks the floors with dependency-cruiser, and that it saw the source: a cruiser that finds no files
// reports no violations.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nonEmpty } from './support/non-empty.ts';

interface Cruise {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
  };
}

// The source is cruised once, in a copy with wrong imports planted, as other tests read the source at the same time.
const scratch = mkdtempSync(join(tmpdir(), 'twapd-floors-'));
const COPIED = ['.dependency-cruiser.cjs', 'bench', 'package.json', 'src', 'test', 'tsconfig.json'];
for (const name of COPIED) cpSync(name, join(scratch, name), { recursive: true });
symlinkSync(resolve('node_modules'), join(scratch, 'node_modules'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A floor, an import that it must not have, and the rule that forbids it. */
const WRONG_IMPORTS: readonly (readonly [floor: string, line: string, rule: string])[] = [
  ['core', "import { Engine } from '../engine/engine.ts';", 'floor-core'],
  ['core', "import { readFileSync } from 'node:fs';", 'floor-core'],
  ['core', "import type { Exchange } from '../exchange/exchange.ts';", 'floor-core'],
  ['exchange', "import { decide } from '../core/portfolio/decide.ts';", 'floor-exchange'],
  ['lifetime', "import { Engine } from '../engine/engine.ts';", 'floor-lifetime'],
  ['engine', "import { Queue } from 'bullmq';", 'floor-engine'],
  ['recorder', "import { Engine } from '../engine/engine.ts';", 'floor-recorder'],
  ['gateway', "import { wire } from '../main/wiring/wire.ts';", 'floor-gateway'],
  [
    'gateway',
    "import type { NewsFeed } from '../engine/news/news-feed.ts';",
    'gateway-knows-the-engine-by-its-interface',
  ],
  [
    'gateway',
    "import { EngineApi } from '../engine/interface/engine-api.ts';",
    'the-interface-of-the-engine-is-types',
  ],
  [
    'engine/interface',
    "import type { Engine } from '../engine.ts';",
    'the-interface-knows-no-engine',
  ],
  [
    'adapters/telemetry',
    "import { BullmqQueue } from '../bullmq/bullmq-queue.ts';",
    'floor-adapters-telemetry',
  ],
];

const PLANTED = WRONG_IMPORTS.map(([floor, line, rule], index) => {
  const path = join('src', floor, `wrong-import-${index}.ts`);
  const name = /\{ (\w+) \}/.exec(line)?.[1] ?? '';
  writeFileSync(join(scratch, path), `${line}\nexport const used${name} = 1;\n`);
  return { path, rule };
});

function cruise(): Cruise {
  const bin = join('node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
  const flags = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
  try {
    const text = execFileSync(process.execPath, [bin, 'src', 'test/simulation', ...flags], {
      cwd: scratch,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    return JSON.parse(text) as Cruise;
  } catch (error) {
    // It exits with the number of violations.
    const { stdout } = error as { stdout?: string };
    if (!stdout?.startsWith('{')) throw error;
    return JSON.parse(stdout) as Cruise;
  }
}

describe('the floors', () => {
  let summary: Cruise['summary'];
  beforeAll(() => {
    summary = cruise().summary;
  }, 480_000);

  const isPlanted = new Set(PLANTED.map(({ path }) => path));

  test('the floors hold for every module', () => {
    const violations = summary.violations.filter(({ from }) => !isPlanted.has(from));
    const told = violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
    expect(told).toEqual([]);
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' });
    const modules = sources.filter((name) => /\.(ts|mjs)$/.test(name)).length;
    expect(summary.totalCruised).toBeGreaterThanOrEqual(modules + PLANTED.length);
  });

  test('a wrong import in each floor is found', () => {
    const found = summary.violations.map(({ rule, from }) => `${from}: ${rule.name}`);
    for (const { path, rule } of nonEmpty(PLANTED)) expect(found).toContain(`${path}: ${rule}`);
  });
});
