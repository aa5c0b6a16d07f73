// The ticket without a browser: what it sends, and the texts that can be taken away.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { submitSchema } from '../../src/gateway/page/submit-schema-document.ts';
import { portfolioBodySchema } from '../../src/gateway/portfolios/submit/submit-schema.ts';
import { readStrategyFile } from '../../src/main/strategy/strategy-file.ts';
import type { Instrument, Ticker } from '../../src/page/model/instruments/option-chain.ts';
import {
  choicesOf,
  type FieldSchema,
  kindOf,
  sentValue,
  writtenOf,
} from '../../src/page/model/ticket/form-schema.ts';
import { greeksOf } from '../../src/page/model/ticket/leg-greeks.ts';
import { strategyName, strategyText } from '../../src/page/model/ticket/strategy-text.ts';
import { perpetualBody } from '../gateway/gateway-under-test.ts';
import { captured } from '../main/captured-terminal.ts';

const SCHEMA = submitSchema() as FieldSchema;
const HOSTILE = `"' #: - {a: 1} &x *y !!js %Y <img src=x onerror="alert(1)"> \\`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-ticket-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bodies = readdirSync('strategies')
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => {
    const reading = readStrategyFile(join('strategies', name));
    if (reading.kind === 'faulty') throw new Error(JSON.stringify(reading.faults));
    return [name, reading.value.body] as const;
  });

async function checked(name: string, text: string) {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, text);
  return await captured(['check', '--offline', path], { columns: 160 });
}

describe('a ticket', () => {
  test.each(bodies)('a ticket that starts from %s submits the same portfolio', (_name, body) => {
    const sent = sentValue(writtenOf(body, SCHEMA), SCHEMA);
    const [own, made] = [body, sent].map((one) => portfolioBodySchema.parse(one));
    expect(made).toEqual(own);
  });

  test('numbers are sent as numbers, and what is none is left for the daemon to refuse by its field', () => {
    const body = { ...perpetualBody(), twapTrade: { durationSec: 'soon', frequencySec: 60 } };
    const sent = sentValue(writtenOf(body, SCHEMA), SCHEMA) as typeof body;
    expect(sent.twapTrade).toEqual({ durationSec: 'soon', frequencySec: 60 });
    const read = portfolioBodySchema.safeParse(sent);
    expect(read.error?.issues.map(({ path }) => path.join('.'))).toEqual(['twapTrade.durationSec']);
  });

  test('choices that are numbers are shown by their names', () => {
    const leg = SCHEMA.properties?.['legs']?.items?.properties ?? {};
    expect(choicesOf(leg['side'] ?? {}).map(({ title }) => title)).toEqual(['BUY', 'SELL']);
    const times = choicesOf(leg['timeInForce'] ?? {});
    expect(times.map(({ title }) => title)).toEqual(['GTC', 'IOC', 'FOK', 'GTD']);
    expect(kindOf(leg['priceSnapshot'] ?? {})).toBe('list');
  });

  test('greeks of the legs are added up by coin, contracts sized in USD at their mark price', () => {
    const perpetual = { baseCurrency: 'BTC', quantityUnit: 'USD' } as Instrument;
    const call = { baseCurrency: 'BTC', quantityUnit: 'BTC' } as Instrument;
    const greeks = { delta: '0.5', gamma: '0.00001', vega: '100', theta: '-50', rho: '0' };
    const sums = greeksOf([
      { instrument: perpetual, ticker: { markPrice: '100000' } as Ticker, quantity: -50_000 },
      { instrument: call, ticker: { greeks } as Ticker, quantity: 2 },
    ]);
    expect([...sums]).toEqual([['BTC', { delta: 0.5, gamma: 0.00002, vega: 200, theta: -100 }]]);
  });

  test('a greek that the venue does not state is not known of the sum either', () => {
    const call = { kind: 'option', baseCurrency: 'BTC', quantityUnit: 'BTC' } as Instrument;
    const some = { greeks: { delta: '0.5', vega: '100' } } as Ticker;
    const sums = greeksOf([{ instrument: call, ticker: some, quantity: 2 }]).get('BTC');
    expect(sums).toEqual({ delta: 1, gamma: Number.NaN, vega: 200, theta: Number.NaN });
    const none = [{ instrument: call, ticker: {} as Ticker, quantity: 2 }];
    expect(greeksOf(none).get('BTC')?.delta).toBeNaN();
  });
});

describe('a ticket as a strategy file', () => {
  test.each(bodies)(
    'the file passes twapd check and submits the same portfolio: %s',
    async (name, body) => {
      const text = strategyText(body as Record<string, unknown>);
      const { code, err } = await checked(name.replace('.yaml', ''), text);
      expect([code, err]).toEqual([0, '']);
      const { portfolio, execution } = parse(text);
      expect({ ...portfolio, ...(execution && { execution }) }).toEqual(body);
    },
  );

  test('the file passes twapd check with hostile texts in its labels, which stay as they are', async () => {
    const body = { ...perpetualBody(), strategy: HOSTILE.slice(0, 60), customizedNote: HOSTILE };
    const text = strategyText(body);
    const { code, err } = await checked('hostile', text);
    expect([code, err]).toEqual([0, '']);
    expect(parse(text).portfolio).toEqual(body);
  });

  test('every text is kept exactly, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60, size: 'max' }), (note) => {
        const { portfolio, name } = parse(strategyText({ customizedNote: note, strategy: note }));
        expect(portfolio.customizedNote).toBe(note);
        expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
        expect(strategyName(note)).toBe(name);
      }),
    );
  });
});
