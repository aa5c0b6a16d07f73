// Which wires the gateway serves, and with which limits, as the configuration says.
import { describe, expect, test } from 'vitest';
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

  test('the limits have the credits and the tier of the configuration', () => {
    const limits = gatewayLimits({ gateway: gateway({ credits: 'off', tier: 1 }) });
    expect(limits.deribit).toEqual({ credits: 'off', tier: 1 });
  });
});
