// Trading switches and overrides of a deployment of several daemons. Switches are in the ledger and hold everywhere; an
// override is kept by the daemon that owns its account, whose gate alone it lets an order past; the same gate knows how
// much of its limits the account has used up.

import { shardOf } from '../../core/ownership/shards.ts';
import type { Granted, Override, OverrideWish } from '../../core/risk/gate/overrides.ts';
import type { SwitchSetting } from '../../core/risk/trading-switch.ts';
import { accountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { LimitUse, OverrideStamp, TradingApi } from '../interface/trading-api.ts';
import type { OwnerCalls } from './owner-calls.ts';

export interface OwnedTradingOptions {
  /** That of this daemon. */
  readonly here: TradingApi;
  readonly calls: OwnerCalls;
}

export class OwnedTrading implements TradingApi {
  readonly #options: OwnedTradingOptions;

  constructor(options: OwnedTradingOptions) {
    this.#options = options;
  }

  switches(): Promise<readonly SwitchSetting[]> {
    return this.#options.here.switches();
  }

  setSwitch(setting: SwitchSetting): Promise<null> {
    return this.#options.here.setSwitch(setting);
  }

  async overrides(at: Instant): Promise<readonly Override[]> {
    const { here, calls } = this.#options;
    const others = await calls.everywhere<readonly Override[]>('trading.overrides', [at]);
    return [await here.overrides(at), ...others].flat();
  }

  requestOverride(
    wish: OverrideWish,
    asked: OverrideStamp & { readonly lifeMs: number },
  ): Promise<Override> {
    const { here, calls } = this.#options;
    const shard = shardOf(accountId(wish.account));
    if (calls.isHere(shard)) return here.requestOverride(wish, asked);
    return calls.atOwner(shard, 'trading.requestOverride', [wish, asked]);
  }

  /** Its id does not say which daemon keeps it. */
  async grantOverride(id: string, granted: OverrideStamp): Promise<Granted> {
    const { here, calls } = this.#options;
    const answer = await here.grantOverride(id, granted);
    if (answer.kind === 'granted') return answer;
    const others = await calls.everywhere<Granted>('trading.grantOverride', [id, granted]);
    const known = others.filter((one) => one.kind === 'granted' || one.why !== answer.why);
    return known.find(({ kind }) => kind === 'granted') ?? known[0] ?? answer;
  }

  async limitUse(accounts: readonly string[], at: Instant): Promise<readonly LimitUse[]> {
    const { here, calls } = this.#options;
    const uses = accounts.map((account) => {
      const shard = shardOf(accountId(account));
      if (calls.isHere(shard)) return here.limitUse([account], at);
      return calls.atOwner<readonly LimitUse[]>(shard, 'trading.limitUse', [[account], at]);
    });
    return (await Promise.all(uses)).flat();
  }
}
