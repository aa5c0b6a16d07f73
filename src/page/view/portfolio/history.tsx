// What happened to the portfolio, newest first, with each time once.
import { computed } from '@preact/signals';
import { useState } from 'preact/hooks';
import { figure } from '../../model/formatting.ts';
import { historyEvents, historyShown } from '../../model/portfolio/followed-portfolio.ts';
import { logOf } from '../../model/portfolio/history-log.ts';
import { None, PanelFreshness } from '../panel-freshness.tsx';

const FIRST_ENTRIES = 40;

const log = computed(() => logOf(historyEvents.value));

export function History() {
  const [isWhole, showAll] = useState(false);
  const shown = historyShown.value;
  const all = log.value;
  const first = isWhole ? all : all.slice(0, FIRST_ENTRIES);
  return (
    <section class="part" aria-labelledby="history">
      <h2 id="history">History</h2>
      <PanelFreshness shown={shown} />
      {all.length === 0 && <None shown={shown}>Nothing has happened yet.</None>}
      <ol class="log">
        {first.map(({ version, day, time, lines }) => (
          <li key={version}>
            {day !== '' && <h3>{day} (UTC)</h3>}
            <div>
              <time>{time}</time>
              <ul>
                {lines.map((line) => (
                  <li key={line.version} class={line.tone}>
                    {line.text}
                  </li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ol>
      {first.length < all.length && (
        <button type="button" onClick={() => showAll(true)}>
          Show all {figure(all.length)}
        </button>
      )}
    </section>
  );
}
