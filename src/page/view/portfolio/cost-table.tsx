// What the portfolio has cost so far, leg by leg, against what the plan expected, and the way to the whole report.
import type { PortfolioReport } from '../../../gateway/client/client.ts';
import { record, report, reportShown } from '../../model/portfolio/followed-portfolio.ts';
import { readText } from './leg-tables.tsx';
import { Table } from './table.tsx';

type Costs = PortfolioReport['legs'][number];

const bps = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${value.toFixed(2)} bp`;

export function CostTable() {
  const read = report.value;
  const id = record.value?.value.portfolioId;
  const usd = read?.value.package.usd ?? null;
  return (
    <>
      <Table
        title="Cost so far"
        note={
          <>
            positive is a cost{usd === null ? '' : `; together ${usd.toFixed(2)} USD`};{' '}
            {readText(read?.readMs)}
          </>
        }
        shown={reportShown.value}
        none="No leg has a cost."
        columns={['Leg', '#Shortfall', '#Of the order', '#Expected', '#Against arrival', '#Fees']}
        rows={(read?.value.legs ?? []).map((leg) => ({
          key: String(leg.leg),
          cells: [
            leg.instrument,
            shortfallText(leg),
            bps(leg.shortfall?.bps),
            bps(leg.expected?.bps),
            bps(leg.slippage.arrivalBps),
            leg.liquidity.fees.map(({ amount, currency }) => `${amount} ${currency}`).join(', '),
          ],
        }))}
      />
      <p>
        <a href={`/page/report?portfolioId=${id}`} target="_blank" rel="noopener">
          Report on its costs (new tab)
        </a>
      </p>
    </>
  );
}

const shortfallText = ({ shortfall, shortfallMissing }: Costs): string =>
  shortfall === null ? (shortfallMissing ?? '–') : `${shortfall.total} ${shortfall.currency}`;
