// The terms of recorded instruments: rows of `instruments.csv`, which replaying reads instead of inferring them.
import { text } from '../values/amounts.ts';
import type { Instrument } from '../values/instrument.ts';

export const INSTRUMENTS_FILE = 'instruments.csv';
export const INSTRUMENTS_HEADER =
  'exchange,symbol,kind,base,quote,settlement,contract_size,amount_unit,' +
  'tick_size,amount_step,min_amount,expiration,strike,option_type,maker_fee,taker_fee,tick_steps,is_routed';

export function instrumentLine(exchange: string, instrument: Instrument): string {
  const { name, kind, base, quote, settlement, contractSize, amountUnit } = instrument;
  const { tickSize, tickSteps, amountStep, minAmount, expiresAt, option, makerFee, takerFee } =
    instrument;
  const names = [exchange, name, kind, base, quote, settlement];
  const grid = [text(contractSize), amountUnit, ...[tickSize, amountStep, minAmount].map(String)];
  const expiry = expiresAt === undefined ? '' : String(expiresAt * 1_000);
  const strike = option === undefined ? ['', ''] : [text(option.strike), option.type];
  const steps = tickSteps.map(({ above, tickSize: tick }) => `${text(above)}:${text(tick)}`);
  const fees = [text(makerFee), text(takerFee)];
  const routed = instrument.isRouted === true ? 'true' : '';
  return [...names, ...grid, expiry, ...strike, ...fees, steps.join(' '), routed].join(',');
}
