// Builds the expressions of the panels, so that each is written in one way.

/** Per second over the window Grafana finds right for the width of the panel. */
export const perSecond = (selector: string, by?: string): string =>
  `sum${by === undefined ? '' : ` by (${by})`} (rate(${selector}[$__rate_interval]))`;

/** How many in each step; for bars. */
export const counted = (selector: string, by?: string): string =>
  `sum${by === undefined ? '' : ` by (${by})`} (increase(${selector}[$__rate_interval]))`;

/** The same, without the series in which nothing happened. */
export const happened = (selector: string, by?: string): string => `${counted(selector, by)} > 0`;

/** A quantile of a histogram, in its unit. */
export function quantile(share: number, histogram: string, by: readonly string[] = []): string {
  const [name = '', labels = ''] = histogram.split('{');
  const selector = labels === '' ? `${name}_bucket` : `${name}_bucket{${labels}`;
  const kept = ['le', ...by].join(', ');
  return `histogram_quantile(${share}, sum by (${kept}) (rate(${selector}[$__rate_interval])))`;
}

/** Share of observations at or below a bucket's bound. */
export const shareWithin = (histogram: string, le: string): string =>
  `sum(rate(${histogram}_bucket{le="${le}"}[$__rate_interval])) / sum(rate(${histogram}_count[$__rate_interval]))`;

/** Mean of a histogram. */
export const mean = (histogram: string, by: string): string =>
  `sum by (${by}) (rate(${histogram}_sum[$__rate_interval])) / sum by (${by}) (rate(${histogram}_count[$__rate_interval]))`;
