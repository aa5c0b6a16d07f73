// The charts of one leg: the schedule with its envelope against the fills, and the touch with the fills and the children that
// rest. Both are pictures of what the tables of the screen say in words.
import { computed, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import {
  type LegCourse,
  priceData,
  restingLines,
  scheduleData,
} from '../../model/portfolio/course-data.ts';
import { course, courseShown } from '../../model/portfolio/followed-portfolio.ts';
import { HowCurrent } from '../how-current.tsx';
import { Chart, type ChartWish } from './chart.ts';
import { readText } from './leg-tables.tsx';

const chosenLeg = signal(0);

/** Until the end of the schedule; without one, until now. */
const span = computed(() => {
  const value = course.value?.value;
  if (value === undefined) return undefined;
  const now = value.overTimestamp ?? value.timestamp;
  return { start: value.startTimestamp, end: value.endTimestamp ?? now, now };
});

/** Made once for each course that is read, not with every second that its age shows. */
const drawn = computed(() => {
  const legs = course.value?.value.legs ?? [];
  const leg = legs[chosenLeg.value] ?? legs[0];
  const times = span.value;
  if (leg === undefined || times === undefined) return undefined;
  return { leg, schedule: scheduleWish(leg, times), price: priceWish(leg, times) };
});

export function Charts() {
  const read = course.value;
  const legs = read?.value.legs ?? [];
  const pair = drawn.value;
  const leg = pair?.leg;
  return (
    <section class="part" aria-labelledby="course">
      <h2>
        <span id="course">Course</span> <small>{readText(read?.readMs)}</small>
      </h2>
      <HowCurrent shown={courseShown.value} />
      {legs.length > 1 && (
        <select
          aria-label="Leg of the charts"
          value={String(leg?.leg ?? 0)}
          onChange={(event) => {
            chosenLeg.value = Number(event.currentTarget.value);
          }}
        >
          {legs.map((one) => (
            <option key={one.leg} value={String(one.leg)}>
              {one.side} {one.instrument}
            </option>
          ))}
        </select>
      )}
      {leg !== undefined && pair !== undefined && (
        <>
          <Figure
            key={`schedule ${leg.leg}`}
            says={`Schedule and fills of ${leg.instrument}: ${leg.filled} of ${leg.quantity} filled`}
            wish={pair.schedule}
          />
          <p class="key">
            <b class="plan-key">schedule with its envelope</b> <b class="fill-key">filled</b>
          </p>
          <Figure
            key={`price ${leg.leg}`}
            says={`Prices of ${leg.instrument}: ${pricesText(leg)}`}
            wish={pair.price}
          />
          <p class="key">
            <b class="touch-key">bid and ask</b> <b class="fill-key">maker fill</b>{' '}
            <b class="taker-key">taker fill</b> <b class="rest-key">resting order</b>
          </p>
        </>
      )}
    </section>
  );
}

function pricesText({ market, children, fills }: LegCourse): string {
  const last = market.at(-1);
  const touch =
    last === undefined ? 'no market recorded' : `bid ${last.bid ?? '–'}, ask ${last.ask ?? '–'}`;
  const open = children.filter(({ closedAt }) => closedAt === null);
  const rests = open.map(({ prices }) => prices.at(-1)?.price).join(', ');
  const fill = fills.at(-1);
  return [
    touch,
    open.length === 0 ? 'no resting order' : `resting at ${rests}`,
    fill === undefined ? 'no fill' : `last fill at ${fill.price}`,
  ].join('; ');
}

type Span = NonNullable<typeof span.value>;

function scheduleWish(leg: LegCourse, times: Span): ChartWish {
  const { at, upper, lower, filled } = scheduleData(leg, times);
  return { kind: 'schedule', data: [at, upper, lower, filled], now: times.now, lines: [] };
}

function priceWish(leg: LegCourse, times: Span): ChartWish {
  const { at, bid, ask, maker, taker } = priceData(leg, times);
  const lines = restingLines(leg, times.now);
  return { kind: 'price', data: [at, bid, ask, maker, taker], now: times.now, lines };
}

/** Drawn on a canvas beside the tree of the page. */
function Figure({ says, wish }: { readonly says: string; readonly wish: ChartWish }) {
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
  return <div class="chart" ref={place} role="img" aria-label={says} />;
}
