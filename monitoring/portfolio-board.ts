// One portfolio from the ledger: its legs against the schedule, prices, slices, orders, fills, events.
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  BarGaugeDisplayMode,
  GraphDrawStyle,
  LineInterpolation,
  TableCellDisplayMode,
  VisibilityMode,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type DashboardBuilder,
  DashboardLinkBuilder,
  DashboardLinkType,
  type DynamicConfigValue,
  type Panel,
  QueryVariableBuilder,
  RowBuilder,
  TextBoxVariableBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard';
import * as table from '@grafana/grafana-foundation-sdk/table';
import * as text from '@grafana/grafana-foundation-sdk/text';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
import { board } from './board.ts';
import * as sql from './portfolio-queries.ts';
import { LEDGER, sqlQuery } from './sql-query.ts';

/** The default of `service.port`. */
const DAEMON = 'http://127.0.0.1:8080';
/** Replaced by Grafana. */
const filledIn = (variable: string): string => `\${${variable}}`;
const PORTFOLIO = filledIn('portfolio');
const REPORT_PATH = `/tt/broker/openapi/portfolios/report?portfolioId=${PORTFOLIO}&format=html`;
/** The page asks whoever opens it to come in first, and has a button for the report. */
const PAGE_URL = `${filledIn('daemon')}/#portfolio=${PORTFOLIO}`;

export function portfolioBoard(): DashboardBuilder {
  return board({
    uid: 'twapd-portfolio',
    title: 'one portfolio',
    about:
      'A portfolio as the ledger has it: legs, schedule, prices, slices, child orders, fills, events.',
    from: 'now-1h',
  })
    .withVariable(variable('portfolio', sql.PORTFOLIOS, VariableRefresh.OnTimeRangeChanged))
    .withVariable(
      new TextBoxVariableBuilder('daemon').label('address of twapd').defaultValue(DAEMON),
    )
    .link(
      new DashboardLinkBuilder('Portfolio and its report on costs')
        .type(DashboardLinkType.Link)
        .url(PAGE_URL)
        .tooltip('Opens on the page of twapd, in a browser that has a session there (twapd open).')
        .targetBlank(true),
    )
    .withVariable(variable('leg', sql.LEG_CHOICE, VariableRefresh.OnDashboardLoad))
    .withRow(new RowBuilder('Portfolio'))
    .withPanel(rows('Portfolio', 'As the ledger has it now.', { query: sql.HEAD, high: 4 }))
    .withPanel(
      rows('Legs', 'Filled and scheduled as shares of the target, and what it waits for.', {
        query: sql.LEGS_NOW,
        high: 7,
        shares: ['filled_share', 'scheduled_share'],
      }),
    )
    .withPanel(reportPanel())
    .withRow(new RowBuilder('Course'))
    .withPanel(
      graph('Schedule and fills', 'Share of the target filled, leg by leg, beside the even pace.', {
        queries: [sql.SCHEDULED, sql.FILLED],
        unit: 'percentunit',
      }),
    )
    .withPanel(
      graph('Prices of the chosen leg', 'Orders, changed prices and fills.', {
        queries: [sql.PRICES],
        unit: 'none',
        isPoints: true,
      }),
    )
    .withRow(new RowBuilder('Records'))
    .withPanel(
      rows(
        'Slices',
        'Planned, requested including catch-up, filled, and seconds from due to the first intent.',
        {
          query: sql.SLICES,
          wide: 12,
        },
      ),
    )
    .withPanel(
      rows('Child orders', 'With the last thing known of each.', { query: sql.CHILDREN, wide: 12 }),
    )
    .withPanel(rows('Fills', 'Each counted once.', { query: sql.FILLS, wide: 12 }))
    .withPanel(rows('Events', 'The last 500, newest first.', { query: sql.EVENTS, wide: 12 }));
}

/** The same report over REST and from the command line. */
const reportPanel = (): Builder<Panel> =>
  new text.PanelBuilder()
    .title('What it cost')
    .description('The report on execution costs of this portfolio.')
    .span(24)
    .height(4)
    .mode(text.TextMode.Markdown)
    .content(
      [
        `[The portfolio on the page of twapd](${PAGE_URL}) has the report with its charts; \`twapd open\` prints a link that opens a session there.`,
        `Programs get it from \`GET ${REPORT_PATH}\`, signed with a key of scope read.`,
        `On a machine with the daemon, \`twapd report ${PORTFOLIO} --html report.html\` writes the same page, and \`twapd report ${PORTFOLIO}\` shows it as text.`,
      ].join('\n\n'),
    );

const variable = (name: string, query: string, refresh: VariableRefresh): QueryVariableBuilder =>
  new QueryVariableBuilder(name).query(query).datasource(LEDGER).refresh(refresh).includeAll(false);

interface Rows {
  readonly query: string;
  readonly wide?: number;
  readonly high?: number;
  /** Columns in [0, 1] that are drawn as bars. */
  readonly shares?: readonly string[];
}

const BAR: DynamicConfigValue[] = [
  { id: 'unit', value: 'percentunit' },
  { id: 'min', value: 0 },
  { id: 'max', value: 1 },
  {
    id: 'custom.cellOptions',
    value: { type: TableCellDisplayMode.Gauge, mode: BarGaugeDisplayMode.Basic },
  },
];

function rows(
  title: string,
  about: string,
  { query, wide, high, shares = [] }: Rows,
): Builder<Panel> {
  const panel = new table.PanelBuilder()
    .title(title)
    .description(about)
    .span(wide ?? 24)
    .height(high ?? 12)
    .datasource(LEDGER)
    .noValue('–')
    .filterable(true)
    .overrideByName('late', [{ id: 'unit', value: 's' }])
    .withTarget(sqlQuery(query, 'table'));
  for (const column of shares) panel.overrideByName(column, BAR);
  return panel;
}

interface Graph {
  readonly queries: readonly string[];
  readonly unit: string;
  readonly isPoints?: boolean;
}

function graph(title: string, about: string, { queries, unit, isPoints }: Graph): Builder<Panel> {
  const panel = new timeseries.PanelBuilder()
    .title(title)
    .description(about)
    .span(12)
    .height(11)
    .datasource(LEDGER)
    .unit(unit);
  if (isPoints === true) panel.drawStyle(GraphDrawStyle.Points).pointSize(6);
  else panel.lineInterpolation(LineInterpolation.StepAfter).showPoints(VisibilityMode.Never);
  for (const [index, query] of queries.entries()) {
    panel.withTarget(sqlQuery(query, 'time_series', 'AB'[index]));
  }
  return panel;
}
