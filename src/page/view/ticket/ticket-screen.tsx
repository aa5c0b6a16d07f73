// The ticket: a portfolio as one writes it, with everything a submission may have, and what the daemon makes of it next to it.
import { useEffect, useState } from 'preact/hooks';
import { access } from '../../link/page-session.ts';
import { readCatalogue } from '../../model/instruments/listed-instruments.ts';
import { useTickers } from '../../model/instruments/tickers.ts';
import { strategies } from '../../model/operations/readings.ts';
import { bare, type FieldSchema } from '../../model/ticket/form-schema.ts';
import { followPlan, isPlanned } from '../../model/ticket/planning.ts';
import { askSubmit } from '../../model/ticket/submitting.ts';
import {
  addLeg,
  body,
  changeLeg,
  clear,
  draft,
  legsOf,
  openTicket,
  schema,
  schemaFault,
  take,
} from '../../model/ticket/ticket-draft.ts';
import { InstrumentPicker } from '../instruments/instrument-picker.tsx';
import { mayTrade } from '../operations/session-rights.ts';
import { askCopy, CopyDialog } from './copy-dialog.tsx';
import { Field, Fields, Folded } from './field.tsx';
import { LegCard } from './leg-card.tsx';
import { PlanPane } from './plan-pane.tsx';
import { SubmitDialog } from './submit-dialog.tsx';

/** How the options of execution are grouped; those of no group are shown in the last one. */
const GROUPS = [
  ['Timing and size', ['phase', 'aim', 'randomSize', 'randomTime', 'seed']],
  ['Catching up', ['catchUp', 'maxCatchUp', 'downtime']],
  ['At the end', ['endAction', 'endCapBps', 'extendSec', 'rfq']],
  ['Limits of price', ['collar', 'slippageMaxBps', 'bandBps', 'spreadMaxBps', 'spreadMaxVol']],
  ['How slices are worked', ['escalation', 'wouldPrices', 'participationMax', 'avoidWindows']],
] as const;

const PARTS = ['accountId', 'portfolioType', 'twapTrade', 'balanceTrade', 'legs', 'execution'];

export function TicketScreen() {
  useEffect(() => {
    void openTicket();
    void readCatalogue();
    void strategies.read();
    return followPlan();
  }, []);
  const own = schema.value;
  return (
    <div class="screen ticket">
      <div class="choose">
        <h1>Ticket</h1>
        <Templates />
        <button type="button" onClick={clear}>
          Clear
        </button>
      </div>
      {schemaFault.value !== '' && <p role="alert">The form was not read: {schemaFault.value}</p>}
      {own !== undefined && (
        <div class="sides">
          <Terms schema={own} />
          <div class="beside">
            <PlanPane />
            <Acts />
          </div>
        </div>
      )}
      <SubmitDialog />
      <CopyDialog />
    </div>
  );
}

function Templates() {
  const known = strategies.value.value?.strategies ?? [];
  return (
    <select
      aria-label="Template"
      value=""
      disabled={known.length === 0}
      onChange={(event) => {
        const chosen = known.find(({ strategy }) => strategy === event.currentTarget.value);
        if (chosen !== undefined) take(chosen.portfolio);
        event.currentTarget.value = '';
      }}
    >
      <option value="">From a strategy…</option>
      {known.map(({ strategy }) => (
        <option key={strategy} value={strategy}>
          {strategy}
        </option>
      ))}
    </select>
  );
}

function Acts() {
  const mayNot = access.value.kind === 'open' && !mayTrade();
  return (
    <>
      {mayNot && <p class="sub">Submitting needs a session with the scope trade.</p>}
      <div class="acts do">
        <button type="button" onClick={() => askCopy('strategy')}>
          As strategy…
        </button>
        <button type="button" onClick={() => askCopy('program')}>
          As program…
        </button>
        <button type="button" disabled={mayNot || !isPlanned.value} onClick={askSubmit}>
          Submit…
        </button>
      </div>
    </>
  );
}

function Terms({ schema: own }: { readonly schema: FieldSchema }) {
  const { properties = {} } = bare(own);
  const { portfolioType } = body.value;
  const trade = portfolioType === 'BALANCE' ? 'balanceTrade' : 'twapTrade';
  const of = (name: string): FieldSchema => properties[name] ?? {};
  const rest = Object.keys(properties).filter((name) => !PARTS.includes(name));
  return (
    <div class="terms">
      <div class="fields">
        <Field path={['accountId']} schema={of('accountId')} isRequired={true} />
        <Field path={['portfolioType']} schema={of('portfolioType')} isRequired={true} />
      </div>
      <Field path={[trade]} schema={of(trade)} />
      <Legs schema={bare(of('legs')).items ?? {}} />
      <Execution schema={bare(of('execution'))} />
      <Folded title="Labels and mirrors" paths={rest.map((name) => [name])}>
        <Fields path={[]} schema={own} but={PARTS} />
      </Folded>
    </div>
  );
}

/** Which leg an instrument is picked for; `new`: one to be added. */
type Picking = number | 'new' | undefined;

function Legs({ schema: leg }: { readonly schema: FieldSchema }) {
  const [picking, pick] = useState<Picking>(undefined);
  const legs = legsOf(draft.value);
  useTickers([...new Set(legs.flatMap(({ instrument }) => namesOf(instrument)))]);
  return (
    <section class="legs" aria-label="Legs">
      {legs.map((written, at) => (
        <LegCard key={at} at={at} written={written} schema={leg} onPick={() => pick(at)} />
      ))}
      <button type="button" onClick={() => pick('new')}>
        Add a leg…
      </button>
      {picking !== undefined && (
        <InstrumentPicker
          onClose={() => pick(undefined)}
          onPick={(instrument, side) => {
            pick(undefined);
            if (picking === 'new') addLeg(instrument, side);
            else changeLeg(picking, instrument, side);
          }}
        />
      )}
    </section>
  );
}

/** Without rules that choose an instrument. */
const namesOf = (instrument: unknown): readonly string[] =>
  typeof instrument === 'string' && /^[\w-]{3,64}$/.test(instrument) ? [instrument] : [];

function Execution({ schema: own }: { readonly schema: FieldSchema }) {
  const { properties = {} } = own;
  const grouped: readonly string[] = GROUPS.flatMap(([, names]) => names);
  const others = Object.keys(properties).filter((name) => !grouped.includes(name));
  const groups = [...GROUPS, ['Other options', others] as const];
  return (
    <section class="part" aria-labelledby="execution">
      <h2 id="execution">Execution</h2>
      {groups.map(([title, names]) => {
        const known = names.filter((name) => Object.hasOwn(properties, name));
        return (
          <Folded key={title} title={title} paths={known.map((name) => ['execution', name])}>
            {known.map((name) => (
              <Field key={name} path={['execution', name]} schema={properties[name] ?? {}} />
            ))}
          </Folded>
        );
      })}
    </section>
  );
}
