// The course of a portfolio: panels one below the other over the same time, with one crosshair. What it points at stands in the
// head of each panel; the slider below moves it by keyboard. All are pictures of what the tables of the screen say in words.
import { computed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CourseRecord } from '../../../gateway/client/client.ts';
import { placesOf } from '../../../values/text/written-figures.ts';
import { NO_FIGURE, timeText } from '../../model/formatting.ts';
import { indexOf, tickOf } from '../../model/instruments/reference-data.ts';
import {
  chosenLeg,
  crosshairMs,
  enlarged,
  reach,
  resetChartView,
  windowOf,
} from '../../model/portfolio/chart-view.ts';
import type { Times } from '../../model/portfolio/course-data.ts';
import { course, courseShown, record, report } from '../../model/portfolio/followed-portfolio.ts';
import { SideWord } from '../bars.tsx';
import { PanelFreshness } from '../panel-freshness.tsx';
import { Chart, type ChartWish } from './chart.ts';
import { readText } from './leg-tables.tsx';
import { deltaPanel, profitPanel } from './package-panels.ts';
import type { Panel } from './panel.ts';
import { pricePanel } from './price-panel.ts';
import { schedulePanel, slicesPanel } from './schedule-panels.ts';

const timesOf = ({
  startTimestamp: start,
  endTimestamp,
  overTimestamp,
  timestamp,
}: CourseRecord): Times => {
  const now = overTimestamp ?? timestamp;
  return { start, end: endTimestamp ?? now, now };
};

/** Made once for each course that is read, not with every second that its age shows. */
const panels = computed((): readonly Panel[] => {
  const read = course.value?.value;
  const known = record.value?.value;
  const leg = read?.legs[chosenLeg.value] ?? read?.legs[0];
  if (read === undefined || known === undefined || leg === undefined) return [];
  const times = timesOf(read);
  const window = windowOf(times);
  const tick = tickOf(leg.instrument);
  const { slices = [], package: together } = report.value?.value ?? {};
  const others = read.legs.filter((one) => one !== leg);
  const unit = known.legs[leg.leg]?.quantityIn ?? '';
  const ofLeg = { leg, others, times, window, slices, unit };
  const ofAll = {
    legs: read.legs.flatMap((one) => {
      const own = known.legs[one.leg];
      return own === undefined ? [] : [{ course: one, record: own }];
    }),
    coin: known.legs[0]?.forCcy ?? '',
    delta: together?.delta ?? null,
    times,
    window,
    indexOf,
  };
  return [
    pricePanel({ leg, times, window, places: tick === undefined ? undefined : placesOf(tick) }),
    slicesPanel(ofLeg),
    schedulePanel(ofLeg),
    deltaPanel(ofAll),
    profitPanel(ofAll),
  ];
});

/** In words, as of the latest course. */
export const profitNow = computed((): string => {
  const times = course.value && timesOf(course.value.value);
  const own = panels.value.find(({ name }) => name === 'profit');
  if (own === undefined || times === undefined) return NO_FIGURE;
  return own.readings(times.now)[0]?.value ?? NO_FIGURE;
});

export function Charts() {
  const read = course.value;
  const all = panels.value;
  const id = read?.value.portfolioId;
  const times = read && timesOf(read.value);
  useEffect(() => resetChartView, [id]);
  return (
    <section class="part course" aria-labelledby="course">
      <div class="choice">
        <h2>
          <span id="course">Course</span> <small>{readText(read?.readMs)}</small>
        </h2>
        <Reach />
      </div>
      <PanelFreshness shown={courseShown.value} />
      <Legs />
      {all.map((panel) => (
        <PanelView
          key={`${panel.name} ${id} ${chosenLeg.value}`}
          panel={panel}
          latest={times?.now ?? 0}
        />
      ))}
      {times !== undefined && <Crosshair times={times} all={all} />}
    </section>
  );
}

/** Which leg the upper panels are of. */
function Legs() {
  const legs = course.value?.value.legs ?? [];
  if (legs.length < 2) return null;
  return (
    <fieldset class="choice" aria-label="Leg of the charts">
      {legs.map(({ leg, side, instrument }) => (
        <button
          key={leg}
          type="button"
          aria-pressed={leg === chosenLeg.value}
          onClick={() => {
            chosenLeg.value = leg;
          }}
        >
          <SideWord side={side} /> {instrument}
        </button>
      ))}
    </fieldset>
  );
}

function Reach() {
  const show = (next: 'now' | 'end'): void => {
    reach.value = next;
    enlarged.value = undefined;
  };
  return (
    <fieldset class="choice" aria-label="Time of the charts">
      {enlarged.value !== undefined && (
        <span>
          {timeText(enlarged.value.from)} to {timeText(enlarged.value.to)}
        </span>
      )}
      {(['now', 'end'] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={enlarged.value === undefined && reach.value === one}
          onClick={() => show(one)}
        >
          {one === 'now' ? 'Until now' : 'Whole schedule'}
        </button>
      ))}
    </fieldset>
  );
}

function PanelView({ panel, latest }: { readonly panel: Panel; readonly latest: number }) {
  const { name, title, says, wish, readings } = panel;
  const instant = crosshairMs.value ?? latest;
  return (
    <>
      <p class="readings">
        <strong>{title}</strong>
        {readings(instant).map(({ key, label, value }) => (
          <span key={label} class={key ?? ''}>
            {label} <b>{value}</b>
          </span>
        ))}
      </p>
      <Figure name={name} says={says} wish={wish} />
    </>
  );
}

interface CrosshairProps {
  readonly times: Times;
  readonly all: readonly Panel[];
}

/** What is read off at the crosshair: the latest, until a chart is pointed at or this is moved. */
function Crosshair({ times, all }: CrosshairProps) {
  const { from, to } = windowOf(times);
  const last = Math.min(to, times.now);
  const at = crosshairMs.value ?? last;
  const said = all.flatMap(({ title, readings }) =>
    readings(at).map(({ label, value }) => `${title}, ${label} ${value}`),
  );
  return (
    <label class="crosshair">
      <span>
        {crosshairMs.value === undefined ? 'Latest' : 'At'} <b>{timeText(at)} UTC</b>
      </span>
      <input
        type="range"
        aria-label="Time that is read off"
        aria-valuetext={`${timeText(at)} UTC. ${said.join('; ')}`}
        min={from}
        max={to}
        step={Math.max(1, Math.round((to - from) / 300))}
        value={at}
        onInput={(event) => {
          crosshairMs.value = Number(event.currentTarget.value);
        }}
        onBlur={() => {
          crosshairMs.value = undefined;
        }}
      />
    </label>
  );
}

interface FigureProps {
  readonly name: Panel['name'];
  readonly says: string;
  readonly wish: ChartWish;
}

/** Drawn on a canvas next to the tree of the page. */
function Figure({ name, says, wish }: FigureProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart>(undefined);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const own = new Chart(element, wish);
    chart.current = own;
    return () => own.end();
  }, []);
  useEffect(() => chart.current?.show(wish), [wish]);
  return <div class={`chart ${name}`} ref={place} role="img" aria-label={says} />;
}
