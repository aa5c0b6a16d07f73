// A mirror, as shown in the record of the portfolio it mirrors.

import type { PortfolioSummary } from '../../core/portfolio/summary/portfolio-summary.ts';
import type { PortfolioRecord } from './record-schema.ts';
import { statusNumber } from './status-number.ts';

interface Names {
  describe(account: string): { readonly name: string };
}

type MirrorRecord = NonNullable<PortfolioRecord['mirrors']>[number];

export const mirrorView = (mirror: PortfolioSummary, accounts: Names): MirrorRecord => ({
  portfolioId: mirror.portfolio,
  accountId: mirror.account,
  accountName: accounts.describe(mirror.account).name,
  scale: mirror.scale ?? '1',
  portfolioStatus: statusNumber(mirror.status),
  ...(mirror.reason === undefined ? {} : { reason: mirror.reason }),
  legs: mirror.legs.map(({ quantity, filled, averagePrice, remaining }) => ({
    placeQuantity: quantity,
    filledQuantity: filled,
    filledAvgPrice: averagePrice,
    remainingQuantity: remaining,
  })),
});
