// What a request over Deribit's wire costs: a token of the gateway's own rates, work where it reads, and credits of the
// account. A client without a login takes credits of its address.
import type { Instant } from '../../../values/instant.ts';
import type { Authenticator } from '../../auth/auth.ts';
import type { WorkLimits } from '../../http/work-limits.ts';
import { Buckets } from '../../limits/buckets.ts';
import { clientNetwork } from '../../limits/client-address.ts';
import type { DeribitLimits, RidLane } from '../../limits/limits.ts';
import { Charge } from '../../order-api/charge.ts';
import { type Refusal, tooManyRequests } from '../../order-api/refusals.ts';
import { type CreditPool, type CreditRules, creditRules } from '../method/credit-rules.ts';
import type { Login } from '../method/deribit-login.ts';

export interface RequestCostsOptions {
  readonly authenticator: Pick<Authenticator, 'take'>;
  readonly work: WorkLimits;
  readonly limits: DeribitLimits;
  /** Largest number of accounts and addresses that are tracked, times their pools. */
  readonly rememberedMax: number;
  readonly now: () => Instant;
}

/** The methods there are. */
type Known = ReadonlyMap<string, unknown>;

export class RequestCosts {
  readonly #parts: RequestCostsOptions;
  readonly #credits: Buckets;

  constructor(parts: RequestCostsOptions) {
    this.#parts = parts;
    this.#credits = new Buckets(parts.rememberedMax);
  }

  /** Those in force now. */
  get rules(): CreditRules | undefined {
    return creditRules(this.#parts.limits);
  }

  /** Starts to measure a request. */
  begin({ known, method, login, from }: BeginningCost): CostOfRequest {
    const { work, authenticator, now } = this.#parts;
    const charge = new Charge({ work, known }, { key: login?.key, from }, method);
    return {
      charge,
      take: ({ lane, pool }, by) => {
        const waitMs =
          authenticator.take(by?.key, lane, from) ??
          charge.take(lane) ??
          this.#takeCredits(pool, by?.account ?? clientNetwork(from), now());
        if (waitMs === undefined) return undefined;
        return tooManyRequests(`too many requests; accepted: a retry after ${waitMs} ms`, waitMs);
      },
    };
  }

  #takeCredits(pool: CreditPool, payer: string, nowMs: number): number | undefined {
    const rule = this.rules?.[pool];
    return rule && this.#credits.take(`${pool} ${payer}`, rule, nowMs);
  }
}

export interface BeginningCost {
  readonly known: Known;
  readonly method: string;
  readonly login: Login | undefined;
  /** The client's address. */
  readonly from: string;
}

export interface CostOfRequest {
  readonly charge: Charge;
  readonly take: (
    costs: { readonly lane: RidLane; readonly pool: CreditPool },
    login: Login | undefined,
  ) => Refusal | undefined;
}
