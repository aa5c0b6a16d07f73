// Whether an amendment may make a portfolio trade more, or at worse prices, than before.
import type { AmendForm } from '../../core/portfolio/admission/admit-amend.ts';
import type { Amended } from '../../engine/interface/change-operations.ts';
import { isPositive, minus, quantity } from '../../values/amounts.ts';

/**
 * Whether a total grows, a limit becomes looser or is removed, or a leg gets other prices, of which none can be said to be
 * stricter without a market. `amended` is the preview of `form`.
 */
export function enlarges(form: AmendForm, { legs, limits, limitsBefore }: Amended): boolean {
  if (form.legs.some(({ priceOptions }) => priceOptions !== undefined)) return true;
  const isLarger = legs.some((leg) =>
    isPositive(minus(quantity(leg.quantity), quantity(leg.quantityBefore))),
  );
  if (isLarger) return true;
  return (Object.keys(limitsBefore) as (keyof typeof limitsBefore)[]).some((name) => {
    const [before, after] = [limitsBefore[name], limits[name]];
    if (before === undefined) return false;
    return after === undefined || Number(after) > Number(before);
  });
}
