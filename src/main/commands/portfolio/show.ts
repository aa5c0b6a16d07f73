// `show ID`: shows everything known about one portfolio.
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { type AddCommand, jsonText } from '../command.ts';
import {
  type ConnectionOptions,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';
import {
  durationText,
  paint,
  paintedSide,
  paintedStatus,
  tellsMore,
  timeText,
} from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';
import { filledShare, percentText } from '../terminal/terminal-progress.ts';
import { residualRfqText } from './residual-rfq-text.ts';

export const addShow: AddCommand = (program, terminal) => {
  withConnection(program.command('show'))
    .argument('<id>', 'portfolio id')
    .option('--json', 'print the record as JSON')
    .action(async (id: string, options: ConnectionOptions & { readonly json?: boolean }) => {
      const record = valueOrFail(await reachDaemon(options).client.info(id));
      terminal.print(options.json ? jsonText(record) : portfolioText(record));
    });
};

export function portfolioText(record: PortfolioRecord): string {
  const facts = factsOf(record).map(([name, value]) => `${paint.dim(name.padEnd(10))} ${value}`);
  return `${facts.join('\n')}\n\n${legsText(record)}`;
}

function factsOf(record: PortfolioRecord): readonly (readonly [string, string])[] {
  const reason = tellsMore(record.reason) ? ` (${record.reason})` : '';
  const facts: [string, string | undefined][] = [
    ['portfolio', paint.bold(record.portfolioId)],
    ['status', paintedStatus(record.portfolioStatus) + reason],
    [
      'paused',
      record.paused && `since ${timeText(record.paused.timestamp)} UTC by ${record.paused.byUid}`,
    ],
    ['account', `${record.accountId} ${record.accountName} on ${record.exchange}`],
    ['strategy', record.strategy],
    ['note', record.customizedNote],
    ['submitted', `${timeText(record.submitTimestamp)} UTC by ${record.nickname}`],
    ['schedule', scheduleText(record)],
    ['parts', partsText(record)],
    ['block rfq', residualRfqText(record)],
    ['updated', `${timeText(record.updateTimestamp)} UTC`],
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

function scheduleText({ twapTrade }: PortfolioRecord): string | undefined {
  if (twapTrade === undefined) return undefined;
  const { startTimestamp, endTimestamp, durationSec, frequencySec, endAction } = twapTrade;
  const lasts = durationText(Number(durationSec) * 1_000);
  return `${timeText(startTimestamp)} to ${timeText(endTimestamp)} UTC (${lasts}), every ${frequencySec} s, then ${endAction}`;
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

function legsText({ legs, balanceTrade }: PortfolioRecord): string {
  const columns = [
    { head: 'leg', align: 'right' },
    { head: 'side' },
    { head: 'instrument' },
    { head: 'filled', align: 'right' },
    { head: 'of', align: 'right' },
    { head: '' },
    { head: '', align: 'right' },
    { head: 'average', align: 'right' },
    { head: 'at venue', align: 'right' },
    { head: 'slices', align: 'right' },
    { head: 'missed', align: 'right' },
    { head: 'reprices', align: 'right' },
    { head: '' },
  ] as const;
  const rows = legs.map((leg, index) => [
    String(index + 1),
    paintedSide(leg.side),
    leg.instrument,
    leg.filledQuantity,
    leg.placeQuantity,
    leg.quantityIn,
    percentText(filledShare(leg) * 100),
    Number(leg.filledQuantity) === 0 ? '–' : leg.filledAvgPrice,
    leg.outstandingQuantity,
    leg.hedge || balanceTrade
      ? String(leg.slicesPlaced)
      : `${leg.slicesPlaced}/${leg.slicesPlanned}`,
    String(leg.slicesMissed),
    String(leg.reprices),
    paint.dim(
      [leg.hedge ? 'hedge' : '', leg.priority ? 'leads' : '', leg.waiting ?? '']
        .filter((word) => word)
        .join(', '),
    ),
  ]);
  return tableText(columns, rows);
}
