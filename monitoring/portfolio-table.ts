// The active portfolios as a table with bars, each a link to its own dashboard.
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import { BarGaugeDisplayMode, TableCellDisplayMode } from '@grafana/grafana-foundation-sdk/common';
import { DashboardLinkBuilder, type Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import * as table from '@grafana/grafana-foundation-sdk/table';
import { PROMETHEUS, refId } from './panels.ts';

/** Column → series, unit, and whether it is a bar. */
const COLUMNS = [
  {
    name: 'scheduled',
    series: 'twapd_portfolio_scheduled_ratio',
    unit: 'percentunit',
    isBar: true,
  },
  { name: 'filled', series: 'twapd_portfolio_filled_ratio', unit: 'percentunit', isBar: true },
  { name: 'late', series: 'twapd_portfolio_lateness_seconds', unit: 's', isBar: false },
  { name: 'cost, bps', series: 'twapd_portfolio_slippage_bps', unit: 'short', isBar: false },
] as const;

export function portfolioTable(): Builder<Panel> {
  const panel = new table.PanelBuilder()
    .title('Portfolios at work')
    .description(
      'Schedule and fills, lateness of the last slice, cost against the middle at arrival; the oldest up to metrics.portfoliosMax. A click opens one.',
    )
    .span(24)
    .height(10)
    .datasource(PROMETHEUS)
    .noValue('–')
    .dataLinks([
      new DashboardLinkBuilder('One portfolio').url(
        `/d/twapd-portfolio?var-portfolio=\${${'__data.fields.portfolio'}}`,
      ),
    ]);
  for (const [index, { series }] of COLUMNS.entries()) {
    panel.withTarget(
      new prometheus.DataqueryBuilder()
        .refId(refId(index))
        .expr(`max by (portfolio) (${series})`)
        .instant()
        .format(prometheus.PromQueryFormat.Table)
        .datasource(PROMETHEUS),
    );
  }
  const renameByName = Object.fromEntries(
    COLUMNS.map(({ name }, index) => [`Value #${refId(index)}`, name]),
  );
  panel
    .withTransformation({ id: 'joinByField', options: { byField: 'portfolio', mode: 'outer' } })
    .withTransformation({
      id: 'organize',
      options: {
        excludeByName: Object.fromEntries(
          ['Time', 'Time 1', 'Time 2', 'Time 3', 'Time 4'].map((name) => [name, true]),
        ),
        renameByName,
      },
    });
  for (const { name, unit, isBar } of COLUMNS) {
    panel.overrideByName(name, [
      { id: 'unit', value: unit },
      ...(isBar
        ? [
            { id: 'min', value: 0 },
            { id: 'max', value: 1 },
            {
              id: 'custom.cellOptions',
              value: { type: TableCellDisplayMode.Gauge, mode: BarGaugeDisplayMode.Basic },
            },
          ]
        : []),
    ]);
  }
  return panel;
}
