// Hints for a size or price off its grid, as text for the caller: the lot or tick that applies, and the nearest valid
// values on either side.
import { isPositive, onStep, type Price, type Quantity, steps, text } from './amounts.ts';
import { type Instrument, lowestTicksOf, onTick, tickAt } from './instrument.ts';

/** "lot 10, minimum 10; nearest accepted: 20 and 30". */
export function sizeHint(instrument: Instrument, size: Quantity): string {
  const { amountStep, minAmount } = instrument;
  const rule = `lot ${text(amountStep)}, minimum ${text(minAmount)}`;
  const least = onStep(minAmount, amountStep, 'up');
  if (!isPositive(size) || size.lte(least)) return `${rule}; nearest accepted: ${text(least)}`;
  const [below, above] = [onStep(size, amountStep, 'down'), onStep(size, amountStep, 'up')];
  return `${rule}; nearest accepted: ${text(below)} and ${text(above)}`;
}

/** "tick 0.5; nearest accepted: 99999.5 and 100000". */
export function tickHint(instrument: Instrument, price: Price): string {
  const { tickSize } = instrument;
  const lowestTicks = lowestTicksOf(instrument);
  if (lowestTicks !== undefined) {
    const lowest = steps(tickSize, lowestTicks);
    if (price.lte(lowest)) return `tick ${text(tickSize)}; nearest accepted: ${text(lowest)}`;
  }
  const tick = text(tickAt(instrument, price));
  const [below, above] = [onTick(instrument, price, 'down'), onTick(instrument, price, 'up')];
  return `tick ${tick}; nearest accepted: ${text(below)} and ${text(above)}`;
}
