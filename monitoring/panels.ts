// The panels of the dashboards: a title, a sentence, queries. Their common settings are here.
import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import {
  BigValueColorMode,
  BigValueGraphMode,
  GraphDrawStyle,
  LegendDisplayMode,
  LegendPlacement,
  ScaleDistribution,
  SortOrder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
} from '@grafana/grafana-foundation-sdk/common';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import * as heatmap from '@grafana/grafana-foundation-sdk/heatmap';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';

export const PROMETHEUS = { type: 'prometheus', uid: 'twapd-prometheus' } as const;

export interface Described {
  readonly title: string;
  /** One sentence: what one sees, and what it should look like. */
  readonly about: string;
  readonly unit: string;
}

interface Sized {
  /** Of 24 columns. */
  readonly wide?: number;
  readonly high?: number;
}

/** Legend → expression. */
export type Queries = Readonly<Record<string, string>>;

/** The name of a panel's query by its place: A, B, C, … */
export const refId = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);

const query = (legend: string, expr: string, index = 0): Builder<Dataquery> =>
  new prometheus.DataqueryBuilder()
    .refId(refId(index))
    .expr(expr)
    .legendFormat(legend)
    .datasource(PROMETHEUS);

/** Green below the first bound, then yellow where there are two, then red. */
export function bounds(...steps: readonly number[]): Builder<dashboard.ThresholdsConfig> {
  const colors = steps.length === 1 ? ['red'] : ['yellow', 'red'];
  return new dashboard.ThresholdsConfigBuilder()
    .mode(dashboard.ThresholdsMode.Absolute)
    .steps([
      { color: 'green', value: null },
      ...steps.map((value, index) => ({ value, color: colors[index] ?? 'red' })),
    ]);
}

export interface Stat extends Described, Sized {
  readonly expr: string;
  readonly thresholds?: Builder<dashboard.ThresholdsConfig>;
  /** What 1 and 0 are called, where that is all there is. */
  readonly words?: readonly [one: string, zero: string];
  readonly decimals?: number;
}

/** The figure of the moment, over its course. */
export function statPanel(asked: Stat): stat.PanelBuilder {
  const panel = new stat.PanelBuilder()
    .title(asked.title)
    .description(asked.about)
    .unit(asked.unit)
    .span(asked.wide ?? 3)
    .height(asked.high ?? 4)
    .datasource(PROMETHEUS)
    .noValue('–')
    .colorMode(BigValueColorMode.Background)
    .graphMode(asked.words === undefined ? BigValueGraphMode.Area : BigValueGraphMode.None)
    .reduceOptions(new common.ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false))
    .withTarget(query('', asked.expr));
  if (asked.thresholds !== undefined) panel.thresholds(asked.thresholds);
  if (asked.decimals !== undefined) panel.decimals(asked.decimals);
  if (asked.words !== undefined) {
    const [one, zero] = asked.words;
    panel.mappings([
      {
        type: dashboard.MappingType.ValueToText,
        options: { '1': { text: one, color: 'green' }, '0': { text: zero, color: 'red' } },
      },
    ]);
  }
  return panel;
}

export interface Lines extends Described, Sized {
  readonly queries: Queries;
  /** Adds the series up; for parts of one whole. */
  readonly isStacked?: boolean;
  /** Bars for what is counted per step, lines for what is measured. */
  readonly isCount?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** A line at the objective; beyond it is red. */
  readonly objective?: number;
  readonly isLog?: boolean;
}

/** Something over time. */
export function linesPanel(asked: Lines): timeseries.PanelBuilder {
  const isBars = asked.isCount === true;
  const panel = new timeseries.PanelBuilder()
    .title(asked.title)
    .description(asked.about)
    .unit(asked.unit)
    .span(asked.wide ?? 8)
    .height(asked.high ?? 8)
    .datasource(PROMETHEUS)
    .lineWidth(1)
    .fillOpacity(isBars ? 60 : 8)
    .drawStyle(isBars ? GraphDrawStyle.Bars : GraphDrawStyle.Line)
    .showPoints(VisibilityMode.Never)
    .legend(
      new common.VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .tooltip(
      new common.VizTooltipOptionsBuilder()
        .mode(TooltipDisplayMode.Multi)
        .sort(SortOrder.Descending),
    );
  for (const [index, [legend, expr]] of Object.entries(asked.queries).entries()) {
    panel.withTarget(query(legend, expr, index));
  }
  if (asked.isStacked === true || isBars) {
    panel.stacking(new common.StackingConfigBuilder().mode(StackingMode.Normal));
  }
  if (asked.min !== undefined) panel.min(asked.min);
  if (asked.max !== undefined) panel.max(asked.max);
  if (asked.isLog === true) {
    panel.scaleDistribution(
      new common.ScaleDistributionConfigBuilder().type(ScaleDistribution.Log).log(10),
    );
  }
  if (asked.objective !== undefined) {
    panel
      .thresholds(bounds(asked.objective))
      .thresholdsStyle(
        new common.GraphThresholdsStyleConfigBuilder().mode(common.GraphThresholdsStyleMode.Dashed),
      );
  }
  return panel;
}

export interface Heat extends Described, Sized {
  /** Increase of the buckets of a histogram, by `le`. */
  readonly expr: string;
}

/** A histogram over time. */
export const heatPanel = ({ title, about, unit, expr, wide, high }: Heat): Builder<Panel> =>
  new heatmap.PanelBuilder()
    .title(title)
    .description(about)
    .span(wide ?? 12)
    .height(high ?? 8)
    .datasource(PROMETHEUS)
    .calculate(false)
    .yAxis(new heatmap.YAxisConfigBuilder().unit(unit))
    .color(
      new heatmap.HeatmapColorOptionsBuilder()
        .mode(heatmap.HeatmapColorMode.Scheme)
        .scheme('Oranges')
        .steps(64),
    )
    .filterValues(new heatmap.FilterValueRangeBuilder().le(1e-9))
    .withTarget(
      new prometheus.DataqueryBuilder()
        .refId(refId(0))
        .expr(expr)
        .legendFormat('{{le}}')
        .format(prometheus.PromQueryFormat.Heatmap)
        .datasource(PROMETHEUS),
    );
