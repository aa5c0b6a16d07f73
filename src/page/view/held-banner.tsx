// Over every screen while something is halted or reducing: what, by whom, why, since when, and how to resume.
import type { SwitchRecord } from '../../gateway/client/client.ts';
import { access } from '../link/page-session.ts';
import { takesClick } from '../model/confirmation.ts';
import { ageText, dateTimeText, isoText } from '../model/formatting.ts';
import { screenAddress } from '../model/screen.ts';
import { deployment, narrower, switchesShown } from '../model/state.ts';
import { nowMs } from './page-clock.ts';
import { sinceText } from './panel-freshness.tsx';
import { askSwitch, targetText } from './switch-dialog.tsx';

/** More are counted: the screen of risk lists them all. */
const LINES = 3;
const EFFECTS = {
  halted: 'no order is placed',
  reducing: 'only orders that reduce a position are placed',
  active: '',
} as const;

export function HeldBanner() {
  const now = access.value;
  const of = deployment.value;
  const held = [
    ...(of !== undefined && of.state !== 'active' ? [of] : []),
    ...narrower.value.toSorted((a, b) => Number(b.timestamp) - Number(a.timestamp)),
  ];
  const [first] = held;
  if (now.kind !== 'open' || first === undefined) return null;
  const shown = switchesShown.value;
  const mayResume = now.hello.scopes.includes('admin') && !now.hello.isReadOnly;
  const more = held.length - LINES;
  return (
    <section class={`held ${first.state}`} aria-label="Held back">
      {held.slice(0, LINES).map((one) => (
        <Held key={`${one.scope} ${one.of}`} one={one} mayResume={mayResume} />
      ))}
      <p>
        {more > 0 && `${more} more ${more === 1 ? 'switch is' : 'switches are'} not active. `}
        {resumeText(first, mayResume)} <a href={screenAddress('risk')}>All switches</a>
        {shown.kind === 'stale' && ` ▲ Not current since ${sinceText(shown.sinceMs)}.`}
      </p>
    </section>
  );
}

interface HeldProps {
  readonly one: SwitchRecord;
  readonly mayResume: boolean;
}

function Held({ one, mayResume }: HeldProps) {
  const sinceMs = Number(one.timestamp);
  return (
    <p>
      <strong>
        <span aria-hidden="true">{one.state === 'halted' ? '■' : '◐'} </span>
        {one.state.toUpperCase()}: {targetText(one)}
      </strong>
      , {EFFECTS[one.state]}. By {one.nickname} since{' '}
      <time dateTime={isoText(sinceMs)}>{dateTimeText(sinceMs)} UTC</time> (
      {ageText(nowMs.value - sinceMs)}): {one.reason}{' '}
      {mayResume && (
        <button
          type="button"
          aria-label={`Resume ${targetText(one)}`}
          onClick={() => askSwitch('active', one)}
        >
          Resume…
        </button>
      )}
    </p>
  );
}

function resumeText({ scope, of }: SwitchRecord, mayResume: boolean): string {
  const option = scope === 'deployment' ? '' : ` --${scope} ${of}`;
  return mayResume
    ? `To resume: press Resume, with a reason${takesClick() ? '' : ' and a code of ./twapd open --code'}.`
    : `To resume: a key with the scope admin, by ./twapd switch activate${option} --reason TEXT.`;
}
