// Slices, newest first: those that come next, and those that ran with what they sent, or why they sent nothing.

import { computed } from '@preact/signals';
import type { PortfolioReport } from '../../../gateway/client/client.ts';
import { grouped } from '../../../values/text/written-figures.ts';
import { bpsText, durationText, figure, NO_FIGURE, timeText } from '../../model/formatting.ts';
import { course, record, report, reportShown } from '../../model/portfolio/followed-portfolio.ts';
import { waitText } from '../../model/portfolio/sentences.ts';
import { nowMs } from '../page-clock.ts';
import { readText } from './leg-tables.tsx';
import { Table, type TableRow } from './table.tsx';

type Slice = PortfolioReport['slices'][number];

/** Of each leg. */
const NEXT_SHOWN = 2;

/** Made once for each report that is read. */
const ran = computed(() =>
  (report.value?.value.slices ?? []).toSorted((a, b) => dueMs(b) - dueMs(a)).map(ranRow),
);

export function SliceTable() {
  return (
    <Table
      title="Slices"
      note={readText(report.value?.readMs)}
      shown={reportShown.value}
      none="No slice yet."
      columns={[
        '#Slice',
        'Due (UTC)',
        '#Planned',
        '#Filled of wanted',
        'Outcome',
        '#Late',
        '#Cost',
      ]}
      rows={[...nextRows(), ...ran.value]}
    />
  );
}

const dueMs = ({ due }: Slice): number => (due === null ? 0 : Date.parse(due));

function ranRow(one: Slice): TableRow {
  const { leg, slice, due, planned, filled, asked, lateMs, costBps, isSent } = one;
  return {
    key: `${leg}-${slice}`,
    tone: isSent ? undefined : 'bad',
    cells: [
      nameOf(leg, slice),
      due === null ? NO_FIGURE : timeText(Date.parse(due)),
      grouped(planned),
      `${grouped(filled)} of ${grouped(asked)}`,
      outcomeText(one),
      lateMs === null ? NO_FIGURE : `${figure(lateMs)} ms`,
      bpsText(costBps),
    ],
  };
}

function outcomeText({ isSent, children, reasons }: Slice): string {
  const why = reasons.map(waitText).join('; ');
  if (!isSent) return `not sent: ${why}`;
  const sent = children === 1 ? 'sent' : `sent in ${children} orders`;
  return why === '' ? sent : `${sent}; waited: ${why}`;
}

/** Planned, and not due yet. */
function nextRows(): readonly TableRow[] {
  const status = record.value?.value.portfolioStatus;
  if (status !== 1) return [];
  const rows = (course.value?.value.legs ?? []).flatMap(({ leg, plan }) => {
    const first = plan.findIndex(({ at }) => at > nowMs.value);
    if (first < 0) return [];
    return plan.slice(first, first + NEXT_SHOWN).map(({ at, quantity }) => ({
      at,
      row: {
        key: `next-${leg}-${at}`,
        tone: 'soft' as const,
        cells: [
          nameOf(leg, undefined),
          timeText(at),
          `to ${grouped(quantity)}`,
          '',
          `due in ${durationText(at - nowMs.value)}`,
          '',
          '',
        ],
      },
    }));
  });
  return rows.sort((a, b) => b.at - a.at).map(({ row }) => row);
}

function nameOf(leg: number, slice: number | undefined): string {
  const isOnly = (record.value?.value.legs.length ?? 1) === 1;
  const own = slice === undefined ? 'next' : String(slice + 1);
  return isOnly ? own : `leg ${leg + 1}: ${own}`;
}
