// What the page may amend with the session alone, and what needs a fresh code.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { AmendForm } from '../../../src/core/portfolio/admission/admit-amend.ts';
import type { Amended } from '../../../src/engine/interface/change-operations.ts';
import { enlarges } from '../../../src/gateway/page/enlarging-amend.ts';
import { amendBodySchema } from '../../../src/gateway/portfolios/amend-schema.ts';
import { instant } from '../../../src/values/instant.ts';
import { GatewayUnderTest, perpetualBody, STRANGER, TAKER } from '../gateway-under-test.ts';
import { browserRequest, enter, withSession } from './browser-request.ts';

let gateway: GatewayUnderTest;
let portfolioId: number;
let session: Record<string, string>;
beforeEach(async () => {
  gateway = await GatewayUnderTest.start();
  const { json } = await gateway.submit(perpetualBody());
  portfolioId = json.value.portfolioId;
  session = withSession(await enter(gateway.url, await codeOf('open')));
});
afterEach(() => gateway.close());

async function codeOf(purpose: 'open' | 'confirm', by = TAKER): Promise<string> {
  const path = '/tt/broker/openapi/trading/page-code';
  return (await gateway.request(path, { body: { purpose }, by })).json.value.code;
}

const amend = (changes: object, headers: Record<string, string> = {}) =>
  browserRequest(`${gateway.url}/page/api/amend`, {
    body: { portfolioId, ...changes },
    headers: { ...session, ...headers },
  });

const total = (quantity: string) => ({ legs: [{ leg: 0, quantity, filledSeen: '0' }] });

test('a smaller total and a later end need nothing but the session', async () => {
  expect((await amend(total('9000'))).json.succ).toBe(true);
  expect((await amend({ durationSec: 1_200 })).json.succ).toBe(true);
});

test('a larger total is shown to everybody and made only with a fresh code of the same key', async () => {
  expect((await amend({ ...total('12000'), preview: true })).json.value.applied).toBe(false);
  const refused = await amend(total('12000'));
  expect([refused.status, refused.json.errors[0].field]).toEqual([403, 'code']);
  const foreign = await codeOf('confirm', STRANGER);
  expect((await amend(total('12000'), { 'x-twapd-code': foreign })).status).toBe(403);
  const code = await codeOf('confirm');
  expect((await amend(total('12000'), { 'x-twapd-code': code })).json.value.applied).toBe(true);
  expect((await amend(total('13000'), { 'x-twapd-code': code })).status).toBe(403);
  expect(gateway.operations.amends.filter(({ isPreview }) => !isPreview)).toHaveLength(1);
});

test('an amendment that would be refused is refused as by the operation, and spends no code', async () => {
  const code = await codeOf('confirm');
  const late = { legs: [{ leg: 0, quantity: '12000', filledSeen: '5' }] };
  const answer = await amend(late, { 'x-twapd-code': code });
  expect(answer.json).toMatchObject({ succ: false, code: 40903 });
  expect((await amend(total('12000'), { 'x-twapd-code': code })).json.succ).toBe(true);
});

const HOUR_MS = 3_600_000;
const LIMITS = {
  maxCatchUp: 3,
  collar: '0.01',
  slippageMaxBps: 10,
  bandBps: 50,
  spreadMaxBps: 100,
  spreadMaxVol: 5,
  participationMax: 0.1,
};
const NOTHING: AmendForm = { legs: [] };
const before = {
  endBefore: 10 * HOUR_MS,
  endAt: 10 * HOUR_MS,
  limitsBefore: LIMITS,
  limits: LIMITS,
  legs: [{ quantityBefore: '10', quantity: '10' }],
};
const preview = (of: object): Amended => ({ ...before, ...of }) as unknown as Amended;
const limits = (of: object): Amended => preview({ limits: { ...LIMITS, ...of } });
const leg = (of: object): AmendForm => ({ legs: [{ leg: 0, ...of }] });
const sized = (size: string): Amended =>
  preview({ legs: [{ quantityBefore: '10', quantity: size }] });

/** A stricter and a looser value of every field that can be amended. */
const JUDGED: Record<string, readonly (readonly [AmendForm, Amended, boolean])[]> = {
  durationSec: [
    [{ ...NOTHING, durationSec: 60 }, preview({ endAt: 60_000 }), true],
    [{ ...NOTHING, durationSec: 72_000 }, preview({ endAt: 20 * HOUR_MS }), false],
  ],
  endTimestamp: [
    [{ ...NOTHING, endAt: instant(HOUR_MS) }, preview({ endAt: HOUR_MS }), true],
    [{ ...NOTHING, endAt: instant(20 * HOUR_MS) }, preview({ endAt: 20 * HOUR_MS }), false],
  ],
  amendmentsSeen: [[{ ...NOTHING, amendmentsSeen: 1 }, preview({}), false]],
  'legs.leg': [[leg({}), preview({}), false]],
  'legs.filledSeen': [[leg({ filledSeen: '0' }), preview({}), false]],
  'legs.quantity': [
    [leg({ quantity: '10.1' }), sized('10.1'), true],
    [leg({ quantity: '9' }), sized('9'), false],
  ],
  'legs.priceOptions': [[leg({ priceOptions: { priceType: 'MARKET' } }), preview({}), true]],
  'execution.maxCatchUp': [
    [NOTHING, limits({ maxCatchUp: 4 }), true],
    [NOTHING, limits({ maxCatchUp: 1 }), false],
  ],
  'execution.collar': [
    [NOTHING, limits({ collar: '0.1' }), true],
    [NOTHING, limits({ collar: '0.009' }), false],
  ],
  ...Object.fromEntries(
    Object.entries({
      slippageMaxBps: 11,
      bandBps: 60,
      spreadMaxBps: 101,
      spreadMaxVol: 6,
      participationMax: 0.2,
    }).map(([name, looser]): [string, readonly (readonly [AmendForm, Amended, boolean])[]] => [
      `execution.${name}`,
      [
        [NOTHING, limits({ [name]: looser }), true],
        [NOTHING, limits({ [name]: undefined }), true],
        [NOTHING, limits({ [name]: looser / 2 }), false],
      ],
    ]),
  ),
  'execution.lift': [
    [NOTHING, limits({ bandBps: undefined }), true],
    [NOTHING, preview({ limitsBefore: { ...LIMITS, bandBps: undefined } }), false],
  ],
};
/** Fields that name the portfolio, or request a preview. */
const NOT_CHANGES = ['portfolioId', 'accountId', 'preview'];

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The names of all fields, those of other objects after the name of their field. */
const fieldsOf = ({ properties = {}, items, anyOf: [inner] = [] }: Schema): readonly string[] => {
  const within = items ?? inner;
  if (within !== undefined) return fieldsOf(within);
  return Object.entries(properties).flatMap(([name, field]) => {
    const nested = name === 'priceOptions' ? [] : fieldsOf(field);
    return nested.length === 0 ? [name] : nested.map((one) => `${name}.${one}`);
  });
};

test('every field that can be amended is judged, with a stricter and a looser value', () => {
  const schema = z.toJSONSchema(amendBodySchema, { io: 'input', unrepresentable: 'any' });
  const fields = fieldsOf(schema as Schema).filter((name) => !NOT_CHANGES.includes(name));
  expect(Object.keys(JUDGED).sort()).toEqual([...fields].sort());
});

test.each(
  Object.entries(JUDGED).flatMap(([field, cases]) =>
    cases.map(([form, shown, expected]) => ({ field, form, shown, expected })),
  ),
)('$field: $form trades more: $expected', ({ form, shown, expected }) => {
  expect(enlarges(form, shown)).toBe(expected);
});

test('a shorter duration is made only with a fresh code', async () => {
  const refused = await amend({ durationSec: 300 });
  expect([refused.status, refused.json.errors[0].field]).toEqual([403, 'code']);
  const code = await codeOf('confirm');
  expect((await amend({ durationSec: 300 }, { 'x-twapd-code': code })).json.succ).toBe(true);
});

test('the report opens by a link with the cookie alone, for the accounts of the session, and only on this host', async () => {
  const { cookie = '' } = session;
  const url = `${gateway.url}/page/report?portfolioId=${portfolioId}`;
  const { status, text, headers } = await browserRequest(url, { headers: { cookie } });
  expect([status, headers['x-frame-options']]).toEqual([200, 'DENY']);
  expect(text).toContain(`Execution costs of portfolio ${portfolioId}`);
  expect((await browserRequest(url)).status).toBe(401);
  expect((await browserRequest(url, { headers: { cookie, host: 'evil.test' } })).status).toBe(421);
  const theirs = await gateway.submit(perpetualBody({ accountId: 10002 }), { by: STRANGER });
  const foreign = `${gateway.url}/page/report?portfolioId=${theirs.json.value.portfolioId}`;
  const answer = await browserRequest(foreign, { headers: { cookie } });
  expect(answer.json.code).toBe(40401);
});
