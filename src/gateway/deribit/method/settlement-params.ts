// The parameters of the methods that list settlements, page by page.
import { choiceField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { continuationParam } from './continuation-param.ts';
import { instantParam } from './deribit-params.ts';
import { countParam } from './private-params.ts';

export type SettlementType = 'settlement' | 'delivery' | 'bankruptcy';

export const SETTLEMENT_PARAMS = {
  type: optional(
    choiceField<SettlementType, SettlementType>(
      { settlement: 'settlement', delivery: 'delivery', bankruptcy: 'bankruptcy' },
      'Kind of the settlements',
    ),
  ),
  count: countParam(20),
  continuation: optional(continuationParam(16)),
  search_start_timestamp: optional(instantParam('The latest instant to report')),
};
