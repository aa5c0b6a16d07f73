// The ticket: a portfolio as one writes it, in short and with everything a submission may have, and what the daemon makes of it
// next to it.
import { useEffect } from 'preact/hooks';
import { readCatalogue } from '../../model/instruments/listed-instruments.ts';
import { strategies } from '../../model/operations/readings.ts';
import { followLegs } from '../../model/ticket/hedging.ts';
import { followPlan } from '../../model/ticket/planning.ts';
import { clear, openTicket, schema, schemaFault, take } from '../../model/ticket/ticket-draft.ts';
import { Advanced } from './advanced.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import { focusField } from './instrument-field.tsx';
import { PlanPane } from './plan-pane.tsx';
import { ShortForm } from './short-form.tsx';
import { SubmitDialog } from './submit-dialog.tsx';

export function TicketScreen() {
  useEffect(() => {
    void openTicket();
    void readCatalogue();
    void strategies.read();
    const ends = [followLegs(), followPlan()];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  const own = schema.value;
  return (
    <div class="screen ticket">
      <div class="choose">
        <h1>Ticket</h1>
        <Templates />
        <button
          type="button"
          onClick={() => {
            clear();
            focusField('legs[0].instrument');
          }}
        >
          Clear
        </button>
      </div>
      {schemaFault.value !== '' && <p role="alert">The form was not read: {schemaFault.value}</p>}
      {own !== undefined && (
        <div class="sides">
          <div class="terms">
            <ShortForm schema={own} />
            <Advanced schema={own} />
          </div>
          <div class="beside">
            <PlanPane />
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
