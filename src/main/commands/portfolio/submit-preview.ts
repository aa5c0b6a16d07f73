// What a submit is about to do: where, when the first slice goes, each leg with its slices and expected cost, and every
// objection. Shown before the question whether to submit.

import type { PlanRecord, PortfolioBody } from '../../../gateway/client/client.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { durationText, paint, paintedSide, sideWord, timeText } from '../terminal/paint.ts';
import { type SheetColumn, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, textColumn } from '../terminal/sheet-columns.ts';
import { completionLine, findingLines, type VerdictRecord } from './verdict-text.ts';

interface Shown {
  readonly body: PortfolioBody;
  readonly url: string;
  /** Columns of the terminal. */
  readonly width: number;
}

type Leg = PlanRecord['legs'][number] & {
  readonly number: number;
  readonly firstSlice: string | undefined;
  readonly cost: VerdictRecord['legs'][number] | undefined;
};

export function submitPreview(plan: PlanRecord, { body, url, width }: Shown): string {
  const { verdict } = plan;
  const legs = plan.legs.map(
    (leg, index): Leg => ({
      ...leg,
      number: index + 1,
      firstSlice: plan.slices.find((slice) => slice.leg === index)?.quantity,
      cost: verdict?.legs[index],
    }),
  );
  return [
    `${paint.bold('submit')} ${body.portfolioType} on account ${body.accountId} at ${url}`,
    ...timeLines(plan, body),
    sheetTable(COLUMNS, legs, width),
    ...(verdict === undefined ? ['no estimate of the cost'] : verdictLines(verdict, width)),
  ].join('\n');
}

function timeLines(plan: PlanRecord, { twapTrade }: PortfolioBody): readonly string[] {
  const [start, end] = [Number(plan.startTimestamp), Number(plan.endTimestamp)];
  const isLater = twapTrade?.startTimestamp !== undefined;
  const first = isLater ? `starts at ${timeText(start)} UTC` : 'starts now';
  const { children } = plan.verdict?.orders ?? { children: plan.slices.length };
  const slices = counted(children, 'slice');
  if (end <= start) return [first];
  return [first, `ends at ${timeText(end)} UTC, after ${durationText(end - start)}; ${slices}`];
}

function verdictLines(verdict: VerdictRecord, width: number): readonly string[] {
  const found = verdict.findings.length > 0 ? [findingLines(verdict.findings, width)] : [];
  return [...found, completionLine(verdict)];
}

const COLUMNS: readonly SheetColumn<Leg>[] = [
  amountColumn(['leg', 'leg', 5], ({ number }) => String(number)),
  {
    ...textColumn(['side', 'side', 0], ({ side }) => sideWord(side)),
    shown: ({ side }) => paintedSide(side),
  },
  amountColumn(['quantity', 'quantity', 0], ({ quantity }) => quantity),
  textColumn(['instrument', 'instrument', 0], ({ instrument }) => instrument),
  amountColumn(['slices', 'slices', 3], ({ hedge, slices }) => (hedge ? 'hedge' : String(slices))),
  amountColumn(['first_slice', 'first slice', 4], ({ firstSlice }) => firstSlice),
  amountColumn(['cost_bps', 'cost bps', 6], ({ cost }) => cost?.costBps),
  amountColumn(
    ['cost', 'cost', 1],
    ({ cost }) => cost?.cost && `${cost.cost} ${cost.costCurrency}`,
  ),
  amountColumn(['fees', 'fees', 2], ({ cost }) => cost && `${cost.fee} ${cost.feeCurrency}`),
];
