// Request bodies of the portfolio operations as clients write them, derived from the schemas that parse them.
import type { z } from 'zod';
import type { amendBodySchema } from '../portfolios/amend-schema.ts';
import type { cancelAllBodySchema } from '../portfolios/cancel-schema.ts';
import type { portfolioBodySchema } from '../portfolios/submit/submit-schema.ts';
import type { Written } from './method-shapes.ts';

type PortfolioFields = Written<z.input<typeof portfolioBodySchema>>;

/** The schedule object depends on the kind of portfolio. */
type Scheduled =
  | {
      readonly portfolioType: 'TWAP';
      readonly twapTrade: NonNullable<PortfolioFields['twapTrade']>;
    }
  | {
      readonly portfolioType: 'BALANCE';
      readonly balanceTrade: NonNullable<PortfolioFields['balanceTrade']>;
    };

/** The body of submit and plan. */
export type PortfolioBody = PortfolioFields & Scheduled;

export type AmendBody = Written<z.input<typeof amendBodySchema>>;

export type CancelAllBody = Written<z.input<typeof cancelAllBodySchema>>;
