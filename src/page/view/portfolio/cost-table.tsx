// What the portfolio has cost so far, leg by leg, against what the plan expected, and the way to the whole report.

import type { PortfolioReport } from '../../../gateway/client/client.ts';
import { atPlaces } from '../../../values/text/written-figures.ts';
import { bpsText, dollars, NO_FIGURE } from '../../model/formatting.ts';
import { record, report, reportShown } from '../../model/portfolio/followed-portfolio.ts';
import { SideWord } from '../bars.tsx';
import { readText } from './leg-tables.tsx';
import { Table } from './table.tsx';

type Costs = PortfolioReport['legs'][number];

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
            positive is a cost{usd === null ? '' : `; together ${dollars(usd)}`};{' '}
            {readText(read?.readMs)}
          </>
        }
        shown={reportShown.value}
        none="No leg has a cost."
        columns={['Leg', '#Shortfall', '#Of the order', '#Expected', '#Against arrival', '#Fees']}
        rows={(read?.value.legs ?? []).map((leg) => ({
          key: String(leg.leg),
          cells: [
            <>
              <SideWord side={leg.side} /> {leg.instrument}
            </>,
            shortfallText(leg),
            bpsText(leg.shortfall?.bps),
            bpsText(leg.expected?.bps),
            bpsText(leg.slippage.arrivalBps),
            leg.liquidity.fees
              .map(({ amount, currency }) => moneyText(amount, currency))
              .join(', '),
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
  shortfall === null
    ? (shortfallMissing ?? NO_FIGURE)
    : moneyText(shortfall.total, shortfall.currency);

/** Dollars to the cent, coins to the smallest unit that venues book. */
const moneyText = (amount: string, currency: string): string =>
  `${Number(amount) === 0 ? 0 : atPlaces(amount, currency.startsWith('USD') ? 2 : 8)} ${currency}`;
