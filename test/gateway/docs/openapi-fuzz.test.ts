// Attacks every operation of the OpenAPI document with every family of malicious requests: never an internal
// error, and a refusal names the attacked field. The table in docs/security.md states how many requests there
// are.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REJECTION_CODES } from '../../../src/core/rejection.ts';
import { CODES } from '../../../src/gateway/order-api/refusals.ts';
import { must } from '../../../src/values/assert.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { type Attack, attacksOn, type Family, operationsOf } from '../attacks.ts';
import type { Answered } from '../gateway-under-test.ts';
import { RidStage } from '../order-api/rid-stage.ts';

let stage: RidStage;
let attacks: readonly Attack[];
beforeAll(async () => {
  stage = await RidStage.start();
  const { json } = await stage.gateway.request('/openapi.json', { by: null });
  attacks = operationsOf(json).flatMap(attacksOn);
});
afterAll(() => stage.close());

const AT_ONCE = 16;

function send({ operation, query, raw, contentType }: Attack): Promise<Answered> {
  const target = query === undefined ? operation.path : `${operation.path}?${query}`;
  return stage.gateway.request(target, {
    method: operation.method,
    ...(raw === undefined ? {} : { raw }),
    ...(contentType === undefined ? {} : { headers: { 'Content-Type': contentType } }),
  });
}

/** The names in a refusal of the shape: fields of a portfolio request, or the param of a method. */
function namedBy({ json }: Answered): readonly string[] {
  if (json?.error !== undefined) {
    return json.error.code === CODES.invalidParams ? [json.error.data.param] : [];
  }
  const errors: readonly { field: string; code: number }[] = json?.errors ?? [];
  return errors
    .filter(({ code }) => code === REJECTION_CODES.invalid_parameter)
    .map(({ field }) => field);
}

const plain = (path: string): string => path.replaceAll(/\[(\d+)\]/g, '.$1');

/** Whether the name is the field itself, part of it, or a parent of it. */
const isAbout = (named: string, field: string): boolean => {
  // Methods name their params without the prefix.
  const [one, other] = [plain(named), field.replace(/^params\./, '')];
  return one === '' || one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
};

function faultOf(attack: Attack, answer: Answered): string | undefined {
  const what = `${attack.family} at ${attack.field ?? 'the request'} of ${attack.operation.path}`;
  if (answer.status >= 500) return `${what}: ${answer.status}`;
  const { json } = answer;
  const isEnvelope =
    json?.error !== undefined || json?.result !== undefined || json?.succ !== undefined;
  if (!isEnvelope) return `${what}: no envelope, ${JSON.stringify(json)}`;
  const named = namedBy(answer);
  if (attack.field === undefined || named.length === 0) return undefined;
  const isNamed = named.some((one) => isAbout(one, attack.field ?? ''));
  return isNamed ? undefined : `${what}: names ${named.join(', ')}`;
}

it('every attack is refused or executed without an internal error, and a refusal names the attacked field', {
  timeout: 480_000,
}, async () => {
  const bad: string[] = [];
  const waiting = [...attacks];
  const work = async (): Promise<void> => {
    for (let attack = waiting.pop(); attack !== undefined; attack = waiting.pop()) {
      const fault = faultOf(attack, await send(attack));
      if (fault !== undefined) bad.push(fault);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(bad.slice(0, 20)).toEqual([]);
  expect(stage.gateway.reported).toEqual([]);
  expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
});

it('every operation is attacked, and every family occurs', () => {
  const families = new Set(attacks.map(({ family }) => family));
  expect(families.size).toBe(9);
  for (const operation of new Set(attacks.map((attack) => attack.operation))) {
    const own = attacks.filter((attack) => attack.operation === operation);
    expect(own.length, operation.path).toBeGreaterThan(10);
  }
});

it('there are at least as many attacks of each family as docs/security.md states', () => {
  const text = readFileSync('docs/security.md', 'utf8');
  const count = (family: Family): number => attacks.filter((one) => one.family === family).length;
  for (const family of nonEmpty(new Set(attacks.map((one) => one.family)))) {
    const row = new RegExp(`^\\| ${family} \\|.*\\| (\\d[\\d ]*) \\|$`, 'm').exec(text);
    expect(count(family), family).toBeGreaterThanOrEqual(
      Number(must(row?.[1], `${family} has its row`).replaceAll(' ', '')),
    );
  }
});
