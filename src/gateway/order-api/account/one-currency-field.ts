// The parameter of methods that answer for one currency.
import { type Currency, currency } from '../../../values/ids.ts';
import { field } from '../../wire/fields.ts';

export const oneCurrencyField = field<Currency, string>({
  schema: { type: 'string', pattern: '^[A-Z0-9]{2,12}$' },
  description: 'Currency: BTC, ETH, USDC, USDT or EURR',
  accepted: 'a currency code in capitals such as BTC',
  read: (value) =>
    typeof value === 'string' && /^[A-Z0-9]{2,12}$/.test(value) ? currency(value) : undefined,
});
