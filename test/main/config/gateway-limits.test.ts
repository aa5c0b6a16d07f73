// Which wires the gateway serves, and with which limits, as the configuration says.
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts';
import { gatewayLimits, whyNoDeribit } from '../../../src/main/config/rules/gateway-limits.ts';
import { gatewaySection } from '../../../src/main/config/sections/gateway-section.ts';
import { venuesSection } from '../../../src/main/config/sections/venues-section.ts';

const gateway = (deribit: object = {}) => gatewaySection.parse({ deribit });
const PAPER = { kind: 'paper' };
const LIVE = {
  kind: 'deribit',
  credentials: [{ account: '10001', clientId: 'env:ID', clientSecret: 'env:PASS' }],
};

describe("Deribit's API", () => {
  test('the wire is served over paper exchanges by default', () => {
    const venues = venuesSection.parse({ paper: PAPER });
    expect(whyNoDeribit({ gateway: gateway(), venues })).toBeUndefined();
  });

  test('the wire is not served where it is switched off', () => {
    const venues = venuesSection.parse({ paper: PAPER });
    expect(whyNoDeribit({ gateway: gateway({ served: false }), venues })).toBe(
      'gateway.deribit.served is false',
    );
  });

  test('the wire is never served where one of the venues is live, and the reason names it', () => {
    const venues = venuesSection.parse({ paper: PAPER, live: LIVE });
    expect(whyNoDeribit({ gateway: gateway(), venues })).toBe('live is not a paper exchange');
  });

  test('the limits have the tier of the configuration, or take no credits', () => {
    const of = (tier: 1 | 'off') => gatewayLimits({ gateway: gateway({ tier }) }).deribit;
    expect(of(1)).toEqual({ credits: 'on', tier: 1 });
    expect(of('off')).toMatchObject({ credits: 'off' });
  });
});

describe('limits of keys and addresses', () => {
  const limits = (section: object) => gatewayLimits({ gateway: gatewaySection.parse(section) });

  test('without options they are the published ones, with as many connections for news as for methods', () => {
    const { stream, ...rest } = limits({});
    const { stream: published, ...all } = DEFAULT_LIMITS;
    expect(rest).toEqual(all);
    expect(stream).toEqual({ ...published, connectionsPerKeyMax: 32 });
  });

  test('a burst follows its rate, and is never below one request', () => {
    const { rates, rid } = limits({ perKey: { submit: 40, read: 0.01, order: 10, query: 1_000 } });
    expect(rates.submit).toEqual({ perSecond: 40, burst: 100 });
    expect(rates.read).toEqual({ perSecond: 0.01, burst: 1 });
    expect(rid.rates.query).toEqual({ perSecond: 1_000, burst: 4_000 });
    expect([rid.rates.order, rid.rates.order_cancel]).toEqual([
      { perSecond: 10, burst: 10 },
      { perSecond: 10, burst: 10 },
    ]);
  });

  test('work without a key follows that of a key, and what may be opened follows what may be open', () => {
    const { work, address } = limits({
      perKey: { work: 500 },
      perAddress: { connections: 2_400 },
      connectionsMax: 10_000,
    });
    expect(work.strangers).toEqual({ perSecond: 500, burst: 2_000 });
    expect(work.address).toEqual({ perSecond: 250, burst: 1_000 });
    expect(address.opening).toEqual({ perSecond: 100, burst: 3_000 });
    expect(address.open).toEqual({ perSecond: 200, burst: 1_000 });
    expect(address.openingOfAll).toEqual({ perSecond: 1_000, burst: 20_000 });
  });
});
