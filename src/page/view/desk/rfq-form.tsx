// The form of a new Block RFQ: legs, the makers it goes to, and whether they see the name.
import { signal } from '@preact/signals';
import { type AskedLeg, askRfq } from '../../model/desk/rfq-actions.ts';
import { makers } from '../../model/desk/rfqs.ts';
import { AccountSelect, chosenAccount } from './account-select.tsx';
import { Tick } from './order-form.tsx';

const LEGS_MAX = 20;
const DECIMAL = /^\d+(\.\d+)?$/;
const EMPTY: AskedLeg = { instrumentName: '', quantity: '', side: 'buy' };

const account = signal('');
const legs = signal<readonly AskedLeg[]>([EMPTY]);
const chosen = signal<readonly string[]>([]);
const disclosed = signal(true);

export function RfqForm() {
  const of = chosenAccount(account);
  const isComplete = legs.value.every(
    ({ instrumentName, quantity }) => instrumentName !== '' && DECIMAL.test(quantity),
  );
  return (
    <section class="sheet" aria-labelledby="rfq-title">
      <h2 id="rfq-title">Ask for quotes</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isComplete) return;
          askRfq({
            account: of,
            legs: legs.value,
            disclosed: disclosed.value,
            makers: chosen.value,
          });
        }}
      >
        <AccountSelect chosen={account} />
        <Legs />
        <MakerChoice />
        <Tick label="Show my name" of={disclosed} />
        <button type="submit" disabled={!isComplete}>
          Ask…
        </button>
      </form>
    </section>
  );
}

function Legs() {
  return (
    <>
      {legs.value.map((leg, index) => (
        <Leg key={index} leg={leg} index={index} />
      ))}
      <div class="acts">
        <button
          type="button"
          disabled={legs.value.length >= LEGS_MAX}
          onClick={() => {
            legs.value = [...legs.value, EMPTY];
          }}
        >
          Add a leg
        </button>
        <button
          type="button"
          disabled={legs.value.length === 1}
          onClick={() => {
            legs.value = legs.value.slice(0, -1);
          }}
        >
          Remove the last leg
        </button>
      </div>
    </>
  );
}

function MakerChoice() {
  return (
    <fieldset class="legs">
      <legend>Makers; none chosen: all</legend>
      {makers.value.map((name) => (
        <label key={name} class="tick">
          <input
            type="checkbox"
            checked={chosen.value.includes(name)}
            onChange={({ currentTarget }) => {
              const others = chosen.value.filter((one) => one !== name);
              chosen.value = currentTarget.checked ? [...others, name] : others;
            }}
          />{' '}
          {name}
        </label>
      ))}
    </fieldset>
  );
}

function Leg({ leg, index }: { readonly leg: AskedLeg; readonly index: number }) {
  const change = (next: Partial<AskedLeg>): void => {
    legs.value = legs.value.with(index, { ...leg, ...next });
  };
  return (
    <fieldset class="legs">
      <legend>Leg {index + 1}</legend>
      <label>
        Instrument
        <input
          value={leg.instrumentName}
          onInput={({ currentTarget }) =>
            change({ instrumentName: currentTarget.value.trim().toUpperCase() })
          }
        />
      </label>
      <label>
        Size
        <input
          inputMode="decimal"
          value={leg.quantity}
          onInput={({ currentTarget }) => change({ quantity: currentTarget.value.trim() })}
        />
      </label>
      <label>
        Side in the structure
        <select
          value={leg.side}
          onChange={({ currentTarget }) =>
            change({ side: currentTarget.value === 'sell' ? 'sell' : 'buy' })
          }
        >
          <option value="buy">buy</option>
          <option value="sell">sell</option>
        </select>
      </label>
    </fieldset>
  );
}
