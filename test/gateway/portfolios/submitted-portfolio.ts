// A gateway with one portfolio that was submitted to it, and clients of its keys.
import { type Client, connect } from '../../../src/gateway/client/client.ts';
import { GatewayUnderTest, perpetualBody, type TAKER } from '../gateway-under-test.ts';

export interface SubmittedPortfolio {
  readonly gateway: GatewayUnderTest;
  readonly portfolio: string;
  readonly client: (by: typeof TAKER) => Client;
}

export async function submitPortfolio(): Promise<SubmittedPortfolio> {
  const gateway = await GatewayUnderTest.start();
  const { json } = await gateway.submit(perpetualBody());
  return {
    gateway,
    portfolio: String(json.value.portfolioId),
    client: ({ id, secret }) =>
      connect({ baseUrl: gateway.url, keyId: id, secret, now: () => gateway.nowMs }),
  };
}
