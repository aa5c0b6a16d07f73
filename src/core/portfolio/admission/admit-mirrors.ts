// The rules of mirroring into dummy accounts: valid accounts, each once, and scales that leave every leg a tradable
// quantity.
import { isLess, isMore, isPositive, type Ratio, ratio, text } from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { type Rejection, reject } from '../../rejection.ts';
import type { PortfolioForm } from '../../terms/form.ts';
import { scaledQuantity } from '../../terms/mirror-scale.ts';

const SCALE_MAX: Ratio = ratio('1000');

/** `legs` are the admitted ones, in order; if any is missing, totals are not checked. */
export function admitMirrorScales(
  form: PortfolioForm,
  legs: readonly { readonly instrument: Instrument }[],
  faults: Rejection[],
): void {
  const scales = form.mirrorScales ?? [];
  for (const [at, { account, scale }] of scales.entries()) {
    const field = `dummyAccountScales[${at}]`;
    const complain = (name: string, message: string): void => {
      faults.push(reject('invalid_parameter', `${field}.${name}`, message));
    };
    if (!form.dummyAccounts.includes(account)) {
      complain('accountId', `${account} is not in sendToDummyAccountIds`);
    } else if (scales.findIndex((one) => one.account === account) < at) {
      complain('accountId', `${account} is named twice`);
    }
    if (!isPositive(scale) || isMore(scale, SCALE_MAX)) {
      complain(
        'scale',
        `${text(scale)} is out of range; accepted: above 0, at most ${text(SCALE_MAX)}`,
      );
    } else if (legs.length === form.legs.length) {
      const fault = sizeFault(form, scale, legs);
      if (fault !== undefined) complain('scale', fault);
    }
  }
}

function sizeFault(
  form: PortfolioForm,
  scale: Ratio,
  legs: readonly { readonly instrument: Instrument }[],
): string | undefined {
  for (const [index, leg] of form.legs.entries()) {
    const instrument = legs[index]?.instrument;
    if (instrument === undefined) continue;
    const size = scaledQuantity(leg.quantity, scale, instrument);
    if (!isLess(size, instrument.minAmount)) continue;
    return `makes ${text(size)} of legs[${index}]; accepted: a scale that makes at least ${text(instrument.minAmount)}`;
  }
  return undefined;
}
