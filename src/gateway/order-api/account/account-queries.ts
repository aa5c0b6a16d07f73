// Order methods that read an account's positions and balances.

import { z } from 'zod';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { switchField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { instrumentNotFound } from '../find-instrument.ts';
import { accountMethod, answered, type Method } from '../method.ts';
import { currencyField, instrumentField, kindField } from '../param-fields.ts';
import {
  flatPosition,
  positionSchema,
  positionView,
  summarySchema,
  summaryView,
} from './account-view.ts';
import { oneCurrencyField } from './one-currency-field.ts';

const positions = accountMethod({
  row: ROWS.getPositions,
  summary: 'Open positions',
  params: { currency: optional(currencyField), kind: kindField },
  result: z.array(positionSchema),
  example: { currency: 'BTC' },
  run: ({ account, desk }, { currency: of, kind }) =>
    answered(desk.positions({ account, currency: of?.code, kinds: kind }), (found) =>
      found.map(positionView),
    ),
});

const position = accountMethod({
  row: ROWS.getPosition,
  summary: 'The position in an instrument; flat when there is none',
  params: { instrumentName: instrumentField },
  result: positionSchema,
  example: { instrumentName: 'BTC-PERPETUAL' },
  run: ({ account, desk, now }, { instrumentName }) => {
    const instrument = desk.instrument(instrumentName);
    if (instrument === undefined) {
      return instrumentNotFound(instrumentName, { markets: [desk], now });
    }
    return answered(desk.positions({ account, instrument: instrumentName }), ([found]) =>
      found === undefined ? flatPosition(instrument) : positionView(found),
    );
  },
});

const summary = accountMethod({
  row: ROWS.getAccountSummary,
  summary: 'Balance and margins in one currency',
  params: {
    currency: oneCurrencyField,
    extended: optional(switchField('Accepted without effect; the answer is always complete')),
  },
  result: summarySchema,
  example: { currency: 'BTC' },
  run: ({ account, desk }, { currency: of }) => answered(desk.summary(account, of), summaryView),
});

export const ACCOUNT_QUERIES = [positions, position, summary] as const satisfies readonly Method[];
