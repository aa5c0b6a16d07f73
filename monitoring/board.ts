// The parts common to all dashboards: name, refresh, links to the others, and annotations for daemon starts and
// alerts.
import {
  AnnotationQueryBuilder,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  TimePickerBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { PROMETHEUS } from './panels.ts';

export interface Board {
  readonly uid: string;
  readonly title: string;
  readonly about: string;
  readonly from?: string;
}

export function board({ uid, title, about, from = 'now-15m' }: Board): DashboardBuilder {
  return new DashboardBuilder(`twapd: ${title}`)
    .uid(uid)
    .description(about)
    .tags(['twapd'])
    .timezone('browser')
    .readonly()
    .tooltip(DashboardCursorSync.Crosshair)
    .refresh('5s')
    .time({ from, to: 'now' })
    .timepicker(new TimePickerBuilder().refreshIntervals(['5s', '15s', '1m', '5m']))
    .version(1)
    .link(
      new DashboardLinkBuilder('twapd')
        .type(DashboardLinkType.Dashboards)
        .tags(['twapd'])
        .keepTime(true),
    )
    .annotations([
      mark('Starts of the daemon', 'purple', {
        expr: 'changes(process_start_time_seconds{job="twapd"}[1m]) > 0',
        text: 'started',
      }),
      mark('Alerts', 'red', {
        expr: 'ALERTS{alertstate="firing",alertname=~"Twapd.+"}',
        text: '{{alertname}}',
      }),
    ]);
}

const mark = (
  name: string,
  color: string,
  { expr, text }: { readonly expr: string; readonly text: string },
): AnnotationQueryBuilder =>
  new AnnotationQueryBuilder()
    .name(name)
    .datasource(PROMETHEUS)
    .enable(true)
    .iconColor(color)
    .expr(expr)
    .titleFormat(text)
    .step('15s');
