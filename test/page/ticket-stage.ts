// The stage of a portfolio, whose gateway also has the market of a paper exchange, for instruments to be picked from, and
// strategies, for tickets to start from.
import { RidStage } from '../gateway/order-api/rid-stage.ts';
import { ListedStrategies } from '../gateway/trading/listed-strategies.ts';
import { PortfolioStage } from './portfolio-stage.ts';

export interface TicketStage {
  readonly stage: PortfolioStage;
  readonly strategies: ListedStrategies;
  close(): Promise<void>;
}

export async function ticketStage(): Promise<TicketStage> {
  const strategies = new ListedStrategies();
  let market: RidStage | undefined;
  const stage = await PortfolioStage.open(async (parts) => {
    const none = undefined;
    market = await RidStage.start({}, none, none, none, none, { ...parts, strategies });
    return market.gateway;
  });
  return {
    stage,
    strategies,
    close: async () => {
      await stage.close();
      market?.guard.stop();
      await market?.venue.close();
    },
  };
}
