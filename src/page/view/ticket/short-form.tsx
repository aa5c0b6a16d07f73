// The ticket in short: instrument, side, size, over how long, how patient, hedged or not. Everything else has a default.
import { useEffect, useRef, useState } from 'preact/hooks';
import { grouped } from '../../../values/text/written-figures.ts';
import { access } from '../../link/page-session.ts';
import { figure } from '../../model/formatting.ts';
import { instrumentOf } from '../../model/instruments/listed-instruments.ts';
import { useTickers } from '../../model/instruments/tickers.ts';
import { bare, type FieldSchema } from '../../model/ticket/form-schema.ts';
import {
  hedgeOffer,
  isHedgeOn,
  otherHedge,
  sizeByHand,
  switchHedge,
  ticketDelta,
} from '../../model/ticket/hedging.ts';
import { PATIENCE, type Patience, patienceOf, textAt } from '../../model/ticket/patience.ts';
import { isPlanned } from '../../model/ticket/planning.ts';
import { askSubmit } from '../../model/ticket/submitting.ts';
import {
  addLeg,
  body,
  choosePatience,
  draft,
  isHedge,
  legsOf,
  pickInstrument,
} from '../../model/ticket/ticket-draft.ts';
import { tradingAccounts } from '../../model/trading-accounts.ts';
import { InstrumentPicker } from '../instruments/instrument-picker.tsx';
import { mayTrade } from '../operations/session-rights.ts';
import { AccountField } from './account-field.tsx';
import { Field, Group } from './field.tsx';
import { focusAfterInstrument, focusField } from './instrument-field.tsx';
import { LegRow } from './leg-row.tsx';

interface FormProps {
  readonly schema: FieldSchema;
}

export function ShortForm({ schema }: FormProps) {
  const [picking, pick] = useState<number | undefined>(undefined);
  const picked = useRef<number | undefined>(undefined);
  useEffect(focusFirst, []);
  // Once the picker is closed and has given the focus back.
  useEffect(() => {
    if (picking !== undefined || picked.current === undefined) return;
    focusAfterInstrument(picked.current);
    picked.current = undefined;
  }, [picking]);
  // The picker is outside the form: Enter in its search is none of the ticket.
  return (
    <>
      <Form schema={schema} onPick={pick} />
      {picking !== undefined && (
        <InstrumentPicker
          onClose={() => pick(undefined)}
          onPick={(instrument, side) => {
            pick(undefined);
            if (isHedge(legsOf(draft.value)[picking] ?? {})) sizeByHand();
            pickInstrument(picking, instrument, side);
            picked.current = picking;
          }}
        />
      )}
    </>
  );
}

function Form({ schema, onPick }: FormProps & Pick<RowsProps, 'onPick'>) {
  const { properties = {} } = bare(schema);
  const of = (name: string): FieldSchema => properties[name] ?? {};
  const leg = bare(of('legs')).items ?? {};
  const mayNot = access.value.kind === 'open' && !mayTrade();
  useLegTickers();
  return (
    <form
      class="short"
      onSubmit={(event) => {
        event.preventDefault();
        if (!mayNot && isPlanned.value) askSubmit();
      }}
    >
      {tradingAccounts().length > 1 && <AccountField schema={of('accountId')} />}
      <LegRows schema={leg} of="clock" onPick={onPick} />
      <Pace twapTrade={of('twapTrade')} balanceTrade={of('balanceTrade')} />
      <HedgeSwitch />
      <LegRows schema={leg} of="hedge" onPick={onPick} />
      {isHedgeOn.value && <HedgeDelta />}
      <div class="acts do">
        {mayNot && <p class="sub">Submitting needs a session with the scope trade.</p>}
        <button type="button" onClick={addLegToWrite}>
          Add a leg
        </button>
        <button type="submit" class="go" disabled={mayNot || !isPlanned.value}>
          Submit…
        </button>
      </div>
    </form>
  );
}

interface PaceProps {
  readonly twapTrade: FieldSchema;
  readonly balanceTrade: FieldSchema;
}

/** Over how long, and how patient. */
function Pace({ twapTrade, balanceTrade }: PaceProps) {
  if (body.value['portfolioType'] === 'BALANCE') {
    return (
      <>
        <Group path={['balanceTrade']} schema={balanceTrade} />
        <PatienceField />
      </>
    );
  }
  const duration = bare(twapTrade).properties?.['durationSec'] ?? {};
  return (
    <div class="pairs over">
      <Field path={['twapTrade', 'durationSec']} schema={duration} />
      <PatienceField />
    </div>
  );
}

/** Where one types first: the first of these that is empty, or the size. */
function focusFirst(): void {
  const [leg = {}] = legsOf(draft.value);
  const empty = ['instrument', 'side', 'quantity'].find((name) => textAt(leg, name) === '');
  focusField(`legs[0].${empty ?? 'quantity'}`);
}

function addLegToWrite(): void {
  const at = legsOf(draft.value).length;
  addLeg();
  // Once it is on the screen.
  requestAnimationFrame(() => focusField(`legs[${at}].instrument`));
}

interface RowsProps {
  readonly schema: FieldSchema;
  readonly of: 'clock' | 'hedge';
  readonly onPick: (leg: number) => void;
}

function LegRows({ schema, of, onPick }: RowsProps) {
  const rows = legsOf(draft.value)
    .map((written, at) => ({ written, at }))
    .filter(({ written }) => isHedge(written) === (of === 'hedge'));
  return (
    <>
      {rows.map(({ written, at }) => (
        <LegRow
          key={at}
          at={at}
          written={written}
          schema={schema}
          title={of === 'hedge' ? 'Hedge' : `Leg ${at + 1}`}
          isOnly={of === 'clock' && rows.length === 1}
          onPick={() => onPick(at)}
        />
      ))}
    </>
  );
}

/** Of the legs, and of what would hedge them. */
function useLegTickers(): void {
  const offer = hedgeOffer.value;
  const names = legsOf(draft.value).flatMap((one) => namesOf(textAt(one, 'instrument')));
  useTickers([
    ...new Set([...names, ...(offer.kind === 'offered' ? [offer.instrument.instrumentName] : [])]),
  ]);
}

/** Without rules that choose an instrument. */
const namesOf = (instrument: string): readonly string[] =>
  /^[\w-]{3,64}$/.test(instrument) ? [instrument] : [];

function PatienceField() {
  const chosen = patienceOf(legsOf(draft.value).filter((leg) => !isHedge(leg)));
  return (
    <div class="field">
      <label for="patience">How patient</label>
      <select
        id="patience"
        aria-describedby="patience-help"
        value={chosen ?? ''}
        onChange={(event) => choosePatience(event.currentTarget.value as Patience)}
      >
        {chosen === undefined && (
          <option value="" disabled={true}>
            As priced under Advanced
          </option>
        )}
        {Object.entries(PATIENCE).map(([value, { word }]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
      <small class="shown" id="patience-help">
        {chosen !== undefined && PATIENCE[chosen].help}
      </small>
    </div>
  );
}

function HedgeSwitch() {
  const offer = hedgeOffer.value;
  const isOn = isHedgeOn.value;
  return (
    <div class="hedge">
      <label class="tick">
        <input
          type="checkbox"
          aria-describedby="hedge-help"
          checked={isOn}
          disabled={!isOn && offer.kind === 'none'}
          onChange={(event) => switchHedge(event.currentTarget.checked)}
        />{' '}
        Hedge the delta
      </label>
      <small class="shown" id="hedge-help">
        {offer.kind === 'none'
          ? offer.why
          : `${isOn ? 'With' : 'Off; with'} ${offer.instrument.instrumentName}, as the other legs fill.`}
      </small>
    </div>
  );
}

/** What the legs add up to, and a hedge of another size where the one on the ticket is far from it. */
function HedgeDelta() {
  const delta = ticketDelta.value;
  const other = otherHedge.value;
  const offer = hedgeOffer.value;
  if (offer.kind === 'none') return null;
  return (
    <p
      class={other === undefined ? 'sub' : 'warn'}
      role={other === undefined ? undefined : 'status'}
    >
      Delta of the legs: {delta === undefined ? 'not known' : figure(Number(delta), 4)}{' '}
      {offer.instrument.baseCurrency}.
      {other !== undefined && (
        <>
          {' '}
          That calls for another hedge:{' '}
          <button type="button" onClick={() => switchHedge(true)}>
            {other.side === 'BUY' ? 'Buy' : 'Sell'} {grouped(other.quantity)}{' '}
            {instrumentOf(other.instrument.instrumentName)?.quantityUnit}
          </button>
        </>
      )}
    </p>
  );
}
