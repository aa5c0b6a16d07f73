// `show ID`: shows everything known about one portfolio.
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { type BlotterOptions, withBlotterOptions } from '../blotter/blotter-options.ts';
import { type AddCommand, jsonText } from '../command.ts';
import { reachDaemon, valueOrFail } from '../daemon-client.ts';
import { durationText, paint, paintedSide, paintedStatus, tellsMore } from '../terminal/paint.ts';
import { CSV_ONLY, type SheetColumn, sheetCsv, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, textColumn } from '../terminal/sheet-columns.ts';
import { filledShare, percentText } from '../terminal/terminal-progress.ts';
import { type ZoneName, zonedText } from '../terminal/time-zone.ts';
import { type Fact, factLines } from '../terminal/wrapped-lines.ts';
import { residualRfqText } from './residual-rfq-text.ts';

export const addShow: AddCommand = (program, terminal) => {
  withBlotterOptions(program.command('show'))
    .argument('<id>', 'portfolio id')
    .action(async (id: string, options: BlotterOptions) => {
      const record = valueOrFail(await reachDaemon(options).client.info(id));
      if (options.json) return terminal.print(jsonText(record));
      if (options.csv) return terminal.print(sheetCsv(columnsOf(record), record.legs));
      terminal.print(portfolioText(record, { columns: terminal.columns(), zone: options.tz }));
    });
};

interface Shown {
  /** Width of the terminal. */
  readonly columns: number;
  readonly zone: ZoneName;
}

export const portfolioText = (record: PortfolioRecord, { columns, zone }: Shown): string =>
  `${factLines(factsOf(record, zone), columns)}\n\n${sheetTable(columnsOf(record), record.legs, columns)}`;

function factsOf(record: PortfolioRecord, zone: ZoneName): readonly Fact[] {
  const at = (epochMs: string): string => `${zonedText(Number(epochMs), zone)} ${zone}`;
  const reason = tellsMore(record.reason) ? ` (${record.reason})` : '';
  const facts: [string, string | undefined][] = [
    ['portfolio', paint.bold(record.portfolioId)],
    ['status', paintedStatus(record.portfolioStatus) + reason],
    ['paused', record.paused && `since ${at(record.paused.timestamp)} by ${record.paused.byUid}`],
    ['account', `${record.accountId} ${record.accountName} on ${record.exchange}`],
    ['strategy', record.strategy],
    ['note', record.customizedNote],
    ['submitted', `${at(record.submitTimestamp)} by ${record.nickname}`],
    ['schedule', scheduleText(record, zone)],
    ['parts', partsText(record)],
    ['block rfq', residualRfqText(record, zone)],
    ['updated', at(record.updateTimestamp)],
    ['mirrors', record.mirrorOf],
    ['mirrored by', record.mirrorPortfolioIds.join(', ')],
    [
      'fees',
      (record.balanceTrade ?? record.twapTrade)?.fees
        .map(({ fee, defaultPvCcy }) => `${fee} ${defaultPvCcy}`)
        .join(', '),
    ],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

function scheduleText({ twapTrade }: PortfolioRecord, zone: ZoneName): string | undefined {
  if (twapTrade === undefined) return undefined;
  const { startTimestamp, endTimestamp, durationSec, frequencySec, endAction } = twapTrade;
  const lasts = durationText(Number(durationSec) * 1_000);
  const [start, end] = [startTimestamp, endTimestamp].map((at) => zonedText(Number(at), zone));
  return `${start} to ${end} ${zone} (${lasts}), every ${frequencySec} s, then ${endAction}`;
}

function partsText({ balanceTrade }: PortfolioRecord): string | undefined {
  if (balanceTrade === undefined) return undefined;
  const { parts, partsDone, stage, eachLimitMs, totalLimitMs, totalEndAction } = balanceTrade;
  const each = durationText(Number(eachLimitMs));
  const now = stage === undefined || stage === 'work' ? '' : `, ${stage}`;
  const end = totalEndAction === 2 ? 'market' : 'cancel';
  const total =
    totalLimitMs === '0'
      ? 'no limit'
      : `at most ${durationText(Number(totalLimitMs))}, then ${end}`;
  return `${partsDone} of ${parts} done${now}; ${each} each, ${total}`;
}

type Leg = PortfolioRecord['legs'][number];

function columnsOf({ legs, balanceTrade }: PortfolioRecord): readonly SheetColumn<Leg>[] {
  const isCounted = (leg: Leg): boolean => !leg.hedge && !balanceTrade;
  const words = (leg: Leg): string =>
    [leg.hedge ? 'hedge' : '', leg.priority ? 'leads' : '', leg.waiting ?? '']
      .filter((word) => word)
      .join(', ');
  return [
    amountColumn(['leg', 'leg', 4], (leg) => String(legs.indexOf(leg) + 1)),
    {
      ...textColumn<Leg>(['side', 'side', 0], (leg) => (leg.side === 1 ? 'buy' : 'sell')),
      shown: (leg) => paintedSide(leg.side),
    },
    textColumn(['instrument', 'instrument', 0], (leg) => leg.instrument),
    amountColumn(['filled', 'filled', 1], (leg) => leg.filledQuantity),
    amountColumn(['quantity', 'of', 1], (leg) => leg.placeQuantity),
    textColumn(['quantity_in', 'in', 5], (leg) => leg.quantityIn),
    {
      ...amountColumn<Leg>(['filled_percent', 'share', 0], (leg) =>
        percentText(filledShare(leg) * 100).replace(' %', ''),
      ),
      shown: (leg) => percentText(filledShare(leg) * 100),
    },
    amountColumn(['average_price', 'average', 2], (leg) =>
      Number(leg.filledQuantity) === 0 ? undefined : leg.filledAvgPrice,
    ),
    amountColumn(['at_venue', 'at venue', 6], (leg) => leg.outstandingQuantity),
    {
      ...amountColumn<Leg>(['slices_placed', 'slices', 3], (leg) => String(leg.slicesPlaced)),
      shown: (leg) =>
        isCounted(leg) ? `${leg.slicesPlaced}/${leg.slicesPlanned}` : String(leg.slicesPlaced),
    },
    amountColumn(['slices_planned', 'planned', CSV_ONLY], (leg) =>
      isCounted(leg) ? String(leg.slicesPlanned) : undefined,
    ),
    amountColumn(['slices_missed', 'missed', 7], (leg) => String(leg.slicesMissed)),
    amountColumn(['reprices', 'reprices', 8], (leg) => String(leg.reprices)),
    { ...textColumn(['notes', 'notes', 3], words), shown: (leg) => paint.dim(words(leg)) },
  ];
}
