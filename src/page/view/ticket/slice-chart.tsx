// The slices of one leg of a plan: when each is due and how large it is.

import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { PlanRecord } from '../../../gateway/client/client.ts';
import { minuteText } from '../../model/formatting.ts';

type Slices = PlanRecord['slices'];

const HEIGHT_PX = 150;
const DARK = matchMedia('(prefers-color-scheme: dark)');

/** For the canvas, which does not know the variables of the style sheet. */
function colourOf(place: HTMLElement, name: string): string {
  place.style.color = `var(--${name})`;
  const { color } = getComputedStyle(place);
  place.style.color = '';
  return color;
}

export function SliceChart({ slices, leg }: { readonly slices: Slices; readonly leg: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let plot = drawn(element, slices);
    const redraw = (): void => {
      plot.destroy();
      plot = drawn(element, slices);
    };
    const watch = new ResizeObserver(() => {
      if (element.clientWidth !== plot.width) {
        plot.setSize({ width: element.clientWidth, height: HEIGHT_PX });
      }
    });
    watch.observe(element);
    DARK.addEventListener('change', redraw);
    return () => {
      watch.disconnect();
      DARK.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [slices]);
  return (
    <figure class="slices">
      <div ref={place} class="chart" role="img" aria-label={`Slices of ${leg}`} />
    </figure>
  );
}

function drawn(place: HTMLElement, slices: Slices): uPlot {
  const [soft, line, fill] = ['soft', 'line', 'fill'].map((name) => colourOf(place, name));
  const axis: uPlot.Axis = {
    stroke: soft ?? '',
    grid: { stroke: line ?? '', width: 1 },
    ticks: { stroke: line ?? '', width: 1 },
  };
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] });
  return new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT_PX,
      ms: 1,
      tzDate: (ms) => uPlot.tzDate(new Date(ms), 'Etc/UTC'),
      legend: { show: false },
      cursor: { show: false },
      axes: [
        { ...axis, values: (_plot, splits) => splits.map((ms) => minuteText(ms)) },
        { ...axis, size: 72 },
      ],
      series: [
        {},
        {
          fill: fill ?? '',
          stroke: fill ?? '',
          points: { show: false },
          ...(bars && { paths: bars }),
        },
      ],
      scales: { x: { time: true }, y: { range: (_plot, _low, high) => [0, (high || 1) * 1.1] } },
    },
    [
      slices.map(({ dueTimestamp }) => Number(dueTimestamp)),
      slices.map(({ quantity }) => Number(quantity)),
    ],
    place,
  );
}
