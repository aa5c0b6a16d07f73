// What happened to the portfolio, newest first, and how its terms were amended.
import { happenings, happeningsShown } from '../../model/portfolio/followed-portfolio.ts';
import { amendmentRow, happeningText } from '../../model/portfolio/sentences.ts';
import { utcDate } from '../page-clock.ts';
import { Table } from './table.tsx';

export function Amendments() {
  const rows = happenings.value
    .filter(({ messageType }) => messageType === 'PORTFOLIO_AMENDED')
    .map(amendmentRow)
    .reverse();
  return (
    <Table
      title="Amendments"
      shown={happeningsShown.value}
      columns={['When (UTC)', 'By user', 'Change']}
      rows={rows.map(({ version, atMs, by, changes }) => ({
        key: String(version),
        cells: [utcDate(atMs), by, changes.join('; ')],
      }))}
    />
  );
}

export function Happenings() {
  return (
    <Table
      title="History"
      shown={happeningsShown.value}
      none="Nothing has happened yet."
      columns={['When (UTC)', 'What']}
      rows={happenings.value.toReversed().map((one) => ({
        key: String(one.version),
        cells: [utcDate(Number(one.timestamp)), happeningText(one)],
      }))}
    />
  );
}
