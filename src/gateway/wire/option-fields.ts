// Field kinds used only by options of the execution block: numbers that need no exactness, and words that stand
// for themselves.
import { toNumber } from '../../values/amounts.ts';
import { ratioField } from './field-kinds.ts';
import { mapped } from './fields.ts';

interface NumberRule {
  readonly description: string;
  readonly from: number;
  readonly to: number;
  readonly isFromOpen?: boolean;
  readonly isToOpen?: boolean;
}

/** A plain decimal that needs no exactness. */
export const numberField = ({ description, from, to, isFromOpen, isToOpen }: NumberRule) =>
  mapped(
    ratioField({
      description,
      check: (text) => {
        const value = Number(text);
        const isLow = isFromOpen ? value <= from : value < from;
        return !isLow && (isToOpen ? value < to : value <= to);
      },
      accepted: `a decimal ${isFromOpen ? 'above' : 'from'} ${from} ${isToOpen ? 'to below' : 'to'} ${to}`,
    }),
    toNumber,
  );

export const same = <T extends string>(...words: readonly T[]): Readonly<Record<T, T>> =>
  Object.fromEntries(words.map((word) => [word, word])) as Record<T, T>;
