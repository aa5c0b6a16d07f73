// The bar on every screen: whether the deployment trades, whether it could, how old what is shown is, the time, and who is
// signed in. Stopping is one press away, wherever one is.

import { useEffect } from 'preact/hooks';
import { heardMs, link } from '../link/news-socket.ts';
import { access, leave, request } from '../link/page-session.ts';
import { ageText, isoText, timeText } from '../model/formatting.ts';
import { deployment, narrower, readiness, readMs, switchesShown } from '../model/state.ts';
import { nowMs, tickMs } from './page-clock.ts';
import { sinceText } from './panel-freshness.tsx';
import { askSwitch } from './switch-dialog.tsx';

const STALE_MS = 15_000;
const WORDS = { active: 'TRADING', reducing: 'REDUCING', halted: 'HALTED' } as const;
const SIGNS = { active: '●', reducing: '◐', halted: '■' } as const;

const signOut = (): void => {
  const person = access.value.kind === 'open' ? access.value.hello.person : undefined;
  const why =
    person === undefined
      ? ''
      : `The proxy still has ${person} signed in: opened again, this page lets them in.`;
  void request('leave', { body: {} }).then(() => leave(why));
};

export function Bar() {
  const now = access.value;
  const state = deployment.value?.state ?? 'active';
  const isKnown = readMs.value !== undefined;
  const word = isKnown ? WORDS[state] : 'ASKING';
  const isStale = staleSince() !== undefined;
  const title = isStale ? `not current (${word})` : word;
  useEffect(() => {
    document.title = `${title} · twapd`;
  }, [title]);
  if (now.kind !== 'open') return null;
  const { nickname, keyId, person, scopes, isReadOnly } = now.hello;
  const mayHalt = scopes.includes('admin') && !isReadOnly;
  return (
    <header class={isStale ? 'bar stale' : 'bar'}>
      <strong class={`state ${isKnown ? state : ''}`} role="status">
        {isKnown && <span aria-hidden="true">{SIGNS[state]} </span>}
        {word}
      </strong>
      {narrower.value.length > 0 && <span>{narrower.value.length} narrower held back</span>}
      <Ready />
      <Age />
      <time class="clock" dateTime={isoText(nowMs.value)}>
        {timeText(nowMs.value)} UTC
      </time>
      <span class="who" title={`key ${keyId}`}>
        {person ?? nickname} ({scopes.join(', ')})
      </span>
      <span class="acts">
        {mayHalt && state !== 'active' && (
          <button type="button" onClick={() => askSwitch('active')}>
            Activate…
          </button>
        )}
        {mayHalt && (
          <button type="button" class="halt" onClick={() => askSwitch('halted')}>
            Halt…
          </button>
        )}
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </span>
    </header>
  );
}

function Ready() {
  const known = readiness.value;
  if (known === undefined) return <span>readiness unknown</span>;
  if (known.ready) return <span>ready</span>;
  return <span class="bad">not ready: {known.reasons.join('; ')}</span>;
}

/** Since when what the bar says may have changed, by `performance.now()`; absent: it is current. */
function staleSince(): number | undefined {
  const switchState = switchesShown.value;
  if (switchState.kind === 'stale') return switchState.sinceMs;
  const streamMs = heardMs.value;
  if (link.value.kind === 'reconnecting') return Math.min(link.value.sinceMs, streamMs);
  return tickMs.value - streamMs > STALE_MS ? streamMs : undefined;
}

/** While the stream is away or silent, everything on the page is as old as this says. */
function Age() {
  const kind = link.value.kind;
  const since = staleSince();
  if (since !== undefined) {
    const age = `data ${ageText(tickMs.value - since)} old`;
    const what = kind === 'reconnecting' ? 'reconnecting' : 'stale';
    return (
      <span class="bad">
        ▲ {what}, {age}, not current since {sinceText(since)}
      </span>
    );
  }
  return <span class={kind === 'live' ? 'good' : ''}>{kind}</span>;
}
