// The channel of MMP triggers: `user.mmp_trigger.btc_usd`.
import { isIndexName } from '../../../core/mmp/index-names.ts';

export interface MmpChannel {
  readonly kind: 'mmp_trigger';
  /** Default: any index. */
  readonly index: string | undefined;
}

/** `any` stands for every index. */
export function mmpChannel(index: string): MmpChannel | undefined {
  if (index === 'any') return { kind: 'mmp_trigger', index: undefined };
  return isIndexName(index) ? { kind: 'mmp_trigger', index } : undefined;
}
