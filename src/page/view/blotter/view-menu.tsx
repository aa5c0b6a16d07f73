// Chooses, saves and removes views of the blotter, and the columns of the one that is shown.
import { useState } from 'preact/hooks';
import type { SortColumn } from '../../model/blotter-row.ts';
import {
  type BlotterView,
  HIDEABLE,
  NAME_LENGTH_MAX,
  removeView,
  savedViews,
  saveView,
  startWith,
} from '../../model/saved-views.ts';
import { limitedText } from '../limited-text.ts';
import { Dialog } from '../portfolio/dialog.tsx';

interface ViewProps {
  readonly shown: BlotterView;
  readonly titles: ReadonlyMap<SortColumn, string>;
  readonly onShow: (view: BlotterView) => void;
}

const isSame = (one: BlotterView, other: BlotterView): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export function ViewMenu(props: ViewProps) {
  const [isOpen, open] = useState(false);
  const { shown, onShow } = props;
  const { views } = savedViews.value;
  const current = Object.keys(views).find((name) => {
    const view = views[name];
    return view !== undefined && isSame(view, shown);
  });
  return (
    <>
      {Object.keys(views).length > 0 && (
        <select
          aria-label="View"
          value={current ?? ''}
          onChange={(event) => {
            const view = views[event.currentTarget.value];
            if (view !== undefined) onShow(view);
          }}
        >
          <option value="">View…</option>
          {Object.keys(views).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <button type="button" onClick={() => open(true)}>
        Views…
      </button>
      {isOpen && <Menu {...props} current={current} onClose={() => open(false)} />}
    </>
  );
}

interface MenuProps extends ViewProps {
  /** Name of the saved view that is shown. */
  readonly current: string | undefined;
  readonly onClose: () => void;
}

function Menu(props: MenuProps) {
  return (
    <Dialog title="Views of the blotter" onClose={props.onClose}>
      <ColumnChoice {...props} />
      <SaveForm {...props} />
      <SavedList />
    </Dialog>
  );
}

function ColumnChoice({ shown, titles, onShow }: ViewProps) {
  return (
    <fieldset class="columns">
      <legend>Columns</legend>
      {HIDEABLE.map((column) => (
        <label key={column} class="tick">
          <input
            type="checkbox"
            checked={!shown.hidden.includes(column)}
            onChange={(event) => {
              const others = shown.hidden.filter((one) => one !== column);
              const hidden = event.currentTarget.checked ? others : [...others, column];
              onShow({ ...shown, hidden: HIDEABLE.filter((one) => hidden.includes(one)) });
            }}
          />{' '}
          {titles.get(column)}
        </label>
      ))}
    </fieldset>
  );
}

function SaveForm({ shown, current, onClose }: MenuProps) {
  const [name, setName] = useState(current ?? '');
  const save = (): void => {
    saveView(name.trim(), shown);
    onClose();
  };
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') save();
      }}
    >
      <label>
        Save what is shown as
        <input
          autoComplete="off"
          value={name}
          onInput={(event) => setName(limitedText(event.currentTarget, NAME_LENGTH_MAX))}
        />
      </label>
      <div class="acts">
        <button type="button" onClick={onClose}>
          Back
        </button>
        <button type="submit" disabled={name.trim() === ''}>
          Save
        </button>
      </div>
    </form>
  );
}

function SavedList() {
  const { views, first } = savedViews.value;
  if (Object.keys(views).length === 0) return null;
  return (
    <ul class="runs">
      {Object.keys(views).map((one) => (
        <li key={one}>
          {one}{' '}
          <button
            type="button"
            aria-label={`Start with it: ${one}`}
            aria-pressed={first === one}
            onClick={() => startWith(first === one ? '' : one)}
          >
            Start with it
          </button>{' '}
          <button type="button" aria-label={`Remove ${one}`} onClick={() => removeView(one)}>
            Remove
          </button>
        </li>
      ))}
    </ul>
  );
}
