import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import {
  cancelAllBodySchema,
  cancelBodySchema,
} from '../../../src/gateway/portfolios/cancel-schema.ts';
import { pageQuerySchema } from '../../../src/gateway/portfolios/page-schema.ts';
import { portfolioBodySchema } from '../../../src/gateway/portfolios/submit/submit-schema.ts';
import { readWith } from '../../../src/gateway/wire/faults.ts';
import { NumberText, parseJsonText } from '../../../src/gateway/wire/json.ts';
import { text } from '../../../src/values/amounts.ts';
import { isDecimalText } from '../../../src/values/decimal.ts';
import { perpetualBody } from '../gateway-under-test.ts';

const FULL = `{
  "accountId": 9007199254740993,
  "portfolioType": "TWAP",
  "strategy": "Custom",
  "twapTrade": { "startTimestamp": 1776665300000, "durationSec": 3600.0, "frequencySec": 60 },
  "legs": [
    {
      "instrument": "BTC-27MAR26-100000-C", "instrumentType": "OPTION", "side": 2,
      "quantity": 123456789012345678.123456789012345678,
      "priceOptions": {
        "priceType": "DYNAMIC", "price": 0.0310, "priceIn": "BTC",
        "dynamicPriceStrategy": "MARK", "dynamicPriceOffset": "-0.0005", "dynamicMs": 30000
      },
      "priceSnapshot": [{ "price": 0.10000000000000000001, "priceIn": "BTC", "placePrice": null }],
      "timeInForce": 4, "postOnly": true, "reduceOnly": true, "hidden": true,
      "tradeMode": 2, "positionSide": 3, "hedge": true
    },
    {
      "instrument": "BTC_USDC", "instrumentType": "SPOT", "side": 1, "quantity": "0.5",
      "priceOptions": { "priceType": "LIMIT", "price": "60000", "priceIn": "USDC" },
      "priceSnapshot": null, "timeInForce": null, "postOnly": null, "hedge": null
    }
  ],
  "customizedNote": "${'\u{1F680}'.repeat(100)}",
  "sendToDummyAccountIds": [20001, "20002"],
  "execution": { "phase": 0.25, "maxCatchUp": 2, "endAction": "market", "collar": "0.005" }
}`;

function read(input: unknown): PortfolioForm {
  const result = readWith(portfolioBodySchema, input);
  if ('value' in result) return result.value;
  throw new Error(JSON.stringify(result.rejections));
}

const faults = (input: unknown, schema: z.ZodType = portfolioBodySchema) => {
  const result = readWith(schema, input);
  return 'value' in result ? [] : result.rejections;
};

function withLeg(changes: Readonly<Record<string, unknown>>) {
  const body = perpetualBody();
  return { ...body, legs: [{ ...body.legs[0], ...changes }] };
}

const CUT = { parts: 3, eachLimitMs: 15_000, totalLimitMs: 0, totalEndAction: 2 };
const inParts = (change: object): unknown => {
  const { twapTrade: _, ...body } = JSON.parse(FULL) as Record<string, unknown>;
  return parseJsonText(
    JSON.stringify({
      ...body,
      execution: {},
      portfolioType: 'BALANCE',
      balanceTrade: CUT,
      ...change,
    }),
  );
};

describe('a Smart Balance body', () => {
  it('a Smart Balance body is read with its parts and its leading leg', () => {
    const [leg, ...rest] = (JSON.parse(FULL) as { legs: object[] }).legs;
    const legs = [{ ...leg, hedge: false, priority: true }, ...rest];
    const form = read(inParts({ legs }));
    expect(form).toMatchObject({
      portfolioType: 'BALANCE',
      twapTrade: undefined,
      balanceTrade: {
        parts: 3,
        eachLimitMs: 15_000,
        totalLimitMs: 0,
        totalEndAction: 'fill_by_market',
      },
    });
    expect(form.legs.map(({ priority }) => priority)).toEqual([true, undefined]);
  });

  it.each([
    [
      'without parts',
      { balanceTrade: null },
      'balanceTrade: is missing; accepted: an object of parts',
    ],
    [
      'with an unknown end action',
      { balanceTrade: { ...CUT, totalEndAction: 3 } },
      'totalEndAction',
    ],
    [
      'without a time limit',
      { balanceTrade: { ...CUT, eachLimitMs: undefined } },
      'eachLimitMs: is missing',
    ],
    ['with the type TWAP', { portfolioType: 'TWAP' }, 'twapTrade: is missing'],
  ])('%s is refused with the name of the field', (_name, change, told) => {
    const all = faults(inParts(change)).map(({ field, message }) => `${field}: ${message}`);
    expect(all.join('\n')).toContain(told);
  });
});

describe('a submit body', () => {
  it('a submit body is read with every field and every digit', () => {
    const form = read(parseJsonText(FULL));
    const [option, spot] = form.legs;
    expect(form).toMatchObject({
      accountId: '9007199254740993',
      portfolioType: 'TWAP',
      strategy: 'Custom',
      startAt: 1_776_665_300_000,
      twapTrade: { durationSec: 3600, frequencySec: 60 },
      dummyAccounts: ['20001', '20002'],
    });
    expect(form.execution).toMatchObject({ phase: 0.25, maxCatchUp: 2, endAction: 'market' });
    expect(String(form.execution.collar)).toBe('0.005');
    expect(option).toMatchObject({
      instrumentType: 'option',
      side: 'sell',
      timeInForce: 'gtd',
      postOnly: true,
      reduceOnly: true,
      hidden: true,
      tradeMode: 'cross',
      positionSide: 'net',
      hedge: true,
      priceSnapshot: [{ price: '0.10000000000000000001', priceIn: 'BTC', placePrice: null }],
    });
    expect(option && text(option.quantity)).toBe('123456789012345678.123456789012345678');
    expect(option?.priceOptions).toMatchObject({
      priceType: 'dynamic',
      dynamicPriceStrategy: 'mark',
      dynamicMs: 30_000,
    });
    expect(String(option?.priceOptions.dynamicPriceOffset)).toBe('-0.0005');
    expect(spot).toMatchObject({
      side: 'buy',
      priceSnapshot: [],
      postOnly: false,
      reduceOnly: false,
      hidden: false,
      hedge: false,
    });
    expect(spot?.timeInForce).toBeUndefined();
  });

  it('a submit body omits execution options that were not given, so that defaults apply', () => {
    expect(read(perpetualBody()).execution).toEqual({});
    const execution = { phase: null, escalation: null };
    expect(read(perpetualBody({ execution })).execution).toEqual({});
    expect(read(perpetualBody({ execution: null })).customizedNote).toBe('');
  });

  it('a submit body accepts a decimal if and only if its text is valid', () => {
    const attempts = fc.oneof(
      fc.stringMatching(/^-?\d{1,20}(\.\d{0,20})?(e\d)?$/),
      fc.string(),
      fc.constantFrom('0x1F', '1e9999999', '+1', '.5', '5.', '1_000', 'Infinity', 'NaN', '٣'),
    );
    fc.assert(
      fc.property(attempts, (price) => {
        const [leg] = perpetualBody().legs;
        const priceOptions = { priceType: 'LIMIT', price, priceIn: 'USD' };
        const found = faults({ ...perpetualBody(), legs: [{ ...leg, priceOptions }] });
        expect(found.length === 0).toBe(isDecimalText(price));
        if (found.length > 0) expect(found[0]?.field).toBe('legs[0].priceOptions.price');
      }),
    );
  });

  it('a submit body accepts numbers of a file only if their digits are certain', () => {
    expect(faults(withLeg({ quantity: 0.1 }))).toEqual([]);
    expect(faults(withLeg({ quantity: 0.1234567890123456 }))).toHaveLength(1);
    expect(faults(withLeg({ quantity: 1e-7 }))).toHaveLength(1);
    expect(faults(withLeg({ quantity: new NumberText('0.1234567890123456') }))).toEqual([]);
  });

  it.each<[string, unknown, string, string]>([
    ['no account', perpetualBody({ accountId: undefined }), 'accountId', 'is missing'],
    ['a null account', perpetualBody({ accountId: null }), 'accountId', 'is null'],
    ['a negative account', perpetualBody({ accountId: -1 }), 'accountId', 'digits only'],
    ['a huge account', perpetualBody({ accountId: '9'.repeat(19) }), 'accountId', 'digits only'],
    ['another kind', perpetualBody({ portfolioType: 'ICEBERG' }), 'portfolioType', 'TWAP'],
    ['no schedule', perpetualBody({ twapTrade: null }), 'twapTrade', 'an object of'],
    ['no legs', perpetualBody({ legs: [] }), 'legs', '1 to 20 legs'],
    ['legs that are no list', perpetualBody({ legs: {} }), 'legs', 'is an object'],
    [
      '21 legs',
      perpetualBody({ legs: Array(21).fill(perpetualBody().legs[0]) }),
      'legs',
      '1 to 20',
    ],
    ['a leg that is text', perpetualBody({ legs: ['x'] }), 'legs[0]', 'is "x"'],
    ['a side in words', withLeg({ side: 'BUY' }), 'legs[0].side', '1 (BUY), 2 (SELL)'],
    ['a third side', withLeg({ side: 3 }), 'legs[0].side', 'is 3'],
    ['no quantity at all', withLeg({ quantity: '0.000' }), 'legs[0].quantity', 'above zero'],
    ['a negative quantity', withLeg({ quantity: '-1' }), 'legs[0].quantity', 'above zero'],
    ['an infinite quantity', withLeg({ quantity: '1e999' }), 'legs[0].quantity', 'above zero'],
    ['a switch in words', withLeg({ postOnly: 'true' }), 'legs[0].postOnly', 'true or false'],
    [
      'an unknown field',
      withLeg({ sidee: 1 }),
      'legs[0].sidee',
      'is not known here; did you mean side?',
    ],
    ['another time in force', withLeg({ timeInForce: 5 }), 'legs[0].timeInForce', '4 (GTD)'],
    [
      'a fifth of a second',
      perpetualBody({ twapTrade: { durationSec: 0.2, frequencySec: 1 } }),
      'twapTrade.durationSec',
      'a whole number',
    ],
    [
      'a duration in words',
      perpetualBody({ twapTrade: { durationSec: '600', frequencySec: 1 } }),
      'twapTrade.durationSec',
      'is "600"',
    ],
    ['a whole phase', perpetualBody({ execution: { phase: 1 } }), 'execution.phase', 'below 1'],
    ['a long strategy', perpetualBody({ strategy: 'x'.repeat(65) }), 'strategy', 'at most 64'],
    ['a NUL in a name', withLeg({ instrument: 'BTC\0' }), 'legs[0].instrument', 'characters'],
    [
      'a snapshot of nested things',
      withLeg({ priceSnapshot: [{ a: {} }] }),
      'legs[0].priceSnapshot[0]',
      'plain values',
    ],
    ['text instead of a body', 'TWAP', '', 'an object of accountId'],
  ])(
    'a submit body is refused with %s, naming the field and what is accepted',
    (_what, body, field, message) => {
      const found = faults(body);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatchObject({ kind: 'invalid_parameter', field });
      expect(found[0]?.message).toContain(message);
      expect(found[0]?.message).toContain('accepted: ');
    },
  );

  it('a submit body has a note of at most 100 characters, with a code of its own', () => {
    expect(faults(perpetualBody({ customizedNote: 'é'.repeat(100) }))).toEqual([]);
    const [fault] = faults(perpetualBody({ customizedNote: 'é'.repeat(101) }));
    expect(fault).toMatchObject({ kind: 'note_too_long', field: 'customizedNote' });
  });

  it('a submit body reports all faults at once, up to twenty', () => {
    const found = faults({ ...withLeg({ side: 9, quantity: 'x' }), accountId: true, extra: 1 });
    expect(found.map((one) => one.field)).toEqual([
      'accountId',
      'legs[0].side',
      'legs[0].quantity',
      'extra',
    ]);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n]));
    expect(faults({ ...perpetualBody(), ...many })).toHaveLength(20);
  });

  it('a submit body publishes a JSON Schema that describes every field', () => {
    const schemas: unknown[] = [portfolioBodySchema, pageQuerySchema, cancelAllBodySchema].map(
      (schema) => z.toJSONSchema(schema, { io: 'input' }),
    );
    const undescribed: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { properties, items, anyOf } = node as Record<string, unknown>;
      for (const [name, child] of Object.entries(properties ?? {})) {
        if (!(child as { description?: string }).description) undescribed.push(`${path}.${name}`);
        visit(child, `${path}.${name}`);
      }
      visit(items, `${path}[]`);
      for (const child of Array.isArray(anyOf) ? anyOf : []) visit(child, path);
    };
    for (const schema of schemas) visit(schema, '');
    expect(undescribed).toEqual([]);
    expect(schemas[0]).toMatchObject({
      additionalProperties: false,
      required: ['accountId', 'portfolioType', 'legs'],
      properties: { legs: { minItems: 1, maxItems: 20 } },
    });
  });
});

describe('a page query', () => {
  const read = (query: Record<string, unknown>) => {
    const result = readWith(pageQuerySchema, { accountId: '10001', ...query });
    if ('value' in result) return result.value;
    throw new Error(JSON.stringify(result.rejections));
  };

  it('a page query maps every filter', () => {
    const { query, pageSize, currentPage } = read({
      portfolioType: 'TWAP',
      derivativesType: 'SPOT',
      derivativesTypes: 'OPTION,DELIVERY_FUTURES',
      coinOrSymbol: 'btc',
      instrument: 'BTC-PERPETUAL',
      startTimestamp: '1',
      endTimestamp: '2',
      updatedAfter: '3',
      status: '3',
      hideFullyUnfilled: 'true',
      customizedNote: 'a,b',
      createUidList: ['1', '2,3'],
      lastEditedUidList: '4',
      orderBy: 'updateTimestamp asc',
      pageSize: '20',
      currentPage: '3',
    });
    expect({ pageSize, currentPage }).toEqual({ pageSize: 20, currentPage: 3 });
    expect(query).toEqual({
      account: '10001',
      portfolioType: 'TWAP',
      statuses: ['cancelled'],
      kinds: ['option', 'future'],
      coinOrSymbol: 'btc',
      instrument: 'BTC-PERPETUAL',
      note: 'a,b',
      submittedFrom: 1,
      submittedTo: 2,
      updatedAfter: 3,
      uids: ['1', '2', '3'],
      lastEditedUids: ['4'],
      hideFullyUnfilled: true,
      orderBy: 'updatedAt',
      descending: false,
      offset: 40,
      limit: 20,
    });
  });

  it('a page query lists the newest ten of the account by default', () => {
    expect(read({ instrument: '', status: '' }).query).toMatchObject({
      orderBy: 'submittedAt',
      descending: true,
      offset: 0,
      limit: 10,
      statuses: undefined,
      instrument: undefined,
    });
  });

  it.each([
    ['OPEN_ORDER', undefined, ['active', 'cancelling']],
    ['ORDER_HISTORY', undefined, ['filled', 'cancelled']],
    [undefined, '1', ['active']],
    ['OPEN_ORDER', '4', ['cancelling']],
    ['ORDER_HISTORY', '1', undefined],
  ])(
    'a page query with tag %s and status %s selects the statuses %s',
    (portfolioTag, status, statuses) => {
      const { query } = read({ portfolioTag, status });
      expect(query?.statuses).toEqual(statuses);
      if (statuses === undefined) expect(query).toBeUndefined();
    },
  );

  it.each([
    ['pageSize', '101'],
    ['pageSize', '0'],
    ['currentPage', '0'],
    ['currentPage', '1e3'],
    ['status', '5'],
    ['orderBy', 'price'],
    ['derivativesTypes', 'OPTION,GRFQ'],
    ['startTimestamp', '-1'],
    ['hideFullyUnfilled', 'yes'],
    ['coinOrSymbol', 'a\0'],
    ['pagesize', '10'],
  ])('a page query refuses %s=%s with the name of the parameter', (name, value) => {
    const [fault] = faults({ accountId: '10001', [name]: value }, pageQuerySchema);
    expect(fault?.field.startsWith(name)).toBe(true);
    expect(fault?.message).toContain('accepted: ');
  });
});

describe('cancel bodies', () => {
  it('accept both vocabularies of kinds, and the list supersedes the single one', () => {
    const read = (body: object) => {
      const result = readWith(cancelAllBodySchema, { accountId: 10001, ...body });
      return 'value' in result ? result.value.filter : result.rejections;
    };
    expect(read({ derivativesType: 'FUTURES' })).toMatchObject({ kinds: ['perpetual', 'future'] });
    expect(read({ derivativesType: 'SPOT', derivativesTypes: ['OPTION', 'GRFQ'] })).toMatchObject({
      kinds: ['option'],
    });
    expect(read({ derivativesType: 'SPOT', derivativesTypes: [] })).toMatchObject({
      kinds: ['spot'],
    });
    expect(read({ derivativesType: 'GRFQ' })).toBeUndefined();
    expect(read({ createUidList: [] })).toMatchObject({ account: '10001', uids: undefined });
    expect(read({ createUidList: [7001, '7002'] })).toMatchObject({ uids: ['7001', '7002'] });
  });

  it('cancel bodies keep ids exact and below 2^53', () => {
    const of = (source: string) =>
      faults(parseJsonText(`{"portfolioId":${source}}`), cancelBodySchema);
    expect(of('9007199254740991')).toEqual([]);
    expect(of('9007199254740993')).toMatchObject([{ field: 'portfolioId' }]);
    expect(of('1.5')).toMatchObject([{ field: 'portfolioId' }]);
  });
});
