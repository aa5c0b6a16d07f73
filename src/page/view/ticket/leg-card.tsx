// What else a leg may have, under Advanced: its kind, its price as its type has it, and its flags.
import { bare, type FieldSchema, type WrittenObject } from '../../model/ticket/form-schema.ts';
import { textAt, unusedOf } from '../../model/ticket/patience.ts';
import { isHedge } from '../../model/ticket/ticket-draft.ts';
import { Field, Fields, Folded, Group } from './field.tsx';

const SHORT = ['instrument', 'side', 'quantity'];
const KIND = 'instrumentType';
const PRICE = 'priceOptions';

interface LegProps {
  readonly at: number;
  readonly written: WrittenObject;
  readonly schema: FieldSchema;
}

export function LegCard({ at, written, schema }: LegProps) {
  const { properties = {} } = bare(schema);
  const path = ['legs', at];
  const rest = Object.keys(properties).filter(
    (one) => !SHORT.includes(one) && one !== KIND && one !== PRICE,
  );
  return (
    <fieldset class="leg">
      <legend>
        {isHedge(written) ? 'Hedge' : `Leg ${at + 1}`} {textAt(written, 'instrument')}
      </legend>
      <Field path={[...path, KIND]} schema={properties[KIND] ?? {}} isRequired={true} />
      {/* The limit price is in the short form. */}
      <Group
        path={[...path, PRICE]}
        schema={properties[PRICE] ?? {}}
        but={[...unusedOf(written), 'price']}
      />
      <Folded
        title={`More of leg ${at + 1}`}
        paths={rest.map((one): readonly (string | number)[] => [...path, one])}
      >
        <Fields path={path} schema={schema} but={[...SHORT, KIND, PRICE]} />
      </Folded>
    </fieldset>
  );
}
