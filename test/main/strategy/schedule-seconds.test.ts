// The seconds of a schedule have one range: every reader, for values however far out, names the range in
// force, and documents state bounds that hold for every deployment.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  DEFAULT_SUBMIT_LIMITS,
  SCHEDULE_BOUNDS,
} from '../../../src/core/portfolio/admission/submit-limits.ts';
import type { Rejection } from '../../../src/core/rejection.ts';
import { amendBodySchema } from '../../../src/gateway/portfolios/amend-schema.ts';
import { portfolioBodySchema } from '../../../src/gateway/portfolios/submit/submit-schema.ts';
import { readWith } from '../../../src/gateway/wire/faults.ts';
import { loadConfig } from '../../../src/main/config/load-config.ts';
import { readStrategyFile } from '../../../src/main/strategy/strategy-file.ts';
import { misfits } from '../../../src/main/strategy/strategy-fit.ts';
import { perpetualBody } from '../../gateway/gateway-under-test.ts';
import { BY, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const MAX = DEFAULT_SUBMIT_LIMITS.durationSecMax;
/** The engine's test world accepts from 1 second; the other limits are the defaults. */
const INSIDE = [1, MAX];
const OUTSIDE = [-1, 0, MAX + 1, SCHEDULE_BOUNDS.durationSec.max + 1, 31_536_001, 10 ** 15];

const body = (durationSec: number, frequencySec = Math.min(3_600, Math.max(1, durationSec))) =>
  perpetualBody({ twapTrade: { durationSec, frequencySec } });

function read<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = readWith(schema, input);
  if ('value' in result) return result.value;
  throw new Error(JSON.stringify(result.rejections));
}

type Outcome = { readonly kind: string; readonly rejections?: readonly Rejection[] };
type Way = (w: World, durationSec: number) => Promise<Outcome>;
const submit: Way = (w, seconds) =>
  w.operations.submit(read(portfolioBodySchema, body(seconds)), BY);
const plan: Way = async (w, seconds) =>
  w.operations.plan(read(portfolioBodySchema, body(seconds)), BY);
const amend: Way = async (w, durationSec) => {
  const portfolio = await submitted(w, read(portfolioBodySchema, body(600, 1)));
  const { form } = read(amendBodySchema, { portfolioId: String(portfolio), durationSec });
  return w.operations.amend({ portfolio, form, isPreview: true, by: BY });
};
const WAYS: readonly [string, Way, string][] = [
  ['submit', submit, 'twapTrade.durationSec'],
  ['plan', plan, 'twapTrade.durationSec'],
  ['amend', amend, 'durationSec'],
];

async function started(): Promise<World> {
  const w = world();
  w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
  await w.engine.start();
  return w;
}

describe.each(WAYS)('the duration in a request to %s', (_, submitWith, field) => {
  test.each(INSIDE)('a duration of %i s within the range in force is accepted', async (seconds) => {
    const { rejections = [] } = await submitWith(await started(), seconds);
    expect(rejections.filter((one) => one.field === field)).toEqual([]);
  });

  test.each(OUTSIDE)(
    'a duration of %i s outside the range in force is refused with that range',
    async (seconds) => {
      const { rejections = [] } = await submitWith(await started(), seconds);
      expect(rejections).toContainEqual({
        kind: 'time_out_of_range',
        field,
        message: `${seconds} is out of range; accepted: whole seconds from 1 to ${MAX}`,
      });
    },
  );
});

describe('the schedule of a strategy file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'twapd-seconds-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const config = loadConfig(join(ROOT, 'config/paper.yaml'), { environment: () => undefined });
  const { durationSec: range } =
    config.kind === 'read' ? config.value.limits : { durationSec: { min: 0, max: 0 } };

  function faults(durationSec: number): readonly string[] {
    const path = join(folder, 'strategy.yaml');
    const portfolio = JSON.stringify(body(durationSec, range.min));
    writeFileSync(
      path,
      `name: strategy\nenabled: false\nschedule: {at: start}\nportfolio: ${portfolio}\n`,
    );
    const reading = readStrategyFile(path);
    if (reading.kind !== 'read' || config.kind !== 'read') throw new Error(JSON.stringify(reading));
    return misfits(reading.value, config.value)
      .filter(({ field }) => field === 'portfolio.twapTrade.durationSec')
      .map(({ message }) => message);
  }

  test("a strategy's duration at either edge of the range in force fits", () => {
    expect([range.min, range.max].flatMap(faults)).toEqual([]);
  });

  test("a strategy's duration outside the range in force is refused with that range, however far out", () => {
    for (const seconds of [range.min - 1, range.max + 1, ...OUTSIDE.slice(3)]) {
      expect(faults(seconds)).toEqual([
        `${seconds} is out of range; accepted: whole seconds from ${range.min} to ${range.max} (limits.durationSec)`,
      ]);
    }
  });
});

test('the schemas of submit and amend state the same bounds as the configuration', () => {
  const shown = JSON.stringify([
    z.toJSONSchema(portfolioBodySchema, { io: 'input' }),
    z.toJSONSchema(amendBodySchema, { io: 'input' }),
  ]);
  const { min, max } = SCHEDULE_BOUNDS.durationSec;
  const stated = [...shown.matchAll(/"durationSec":\{[^}]*\}/g)].map(([text]) => text);
  expect(stated).toHaveLength(2);
  for (const text of stated) {
    expect(text).toContain(`"minimum":${min},"maximum":${max}`);
  }
});
