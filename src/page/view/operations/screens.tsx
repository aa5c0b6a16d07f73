// Goes from one screen to another, and shows the one of the address.
import { SCREENS, type Screen, screen, screenAddress } from '../../model/screen.ts';
import { AskDialog } from './ask-dialog.tsx';
import { PositionsScreen } from './positions-screen.tsx';
import { RiskScreen } from './risk-screen.tsx';
import { StrategiesScreen } from './strategies-screen.tsx';

export function Screens() {
  const now = screen.value;
  return (
    <nav aria-label="Screens" class="screens">
      {Object.entries(SCREENS).map(([name, title]) => (
        <a
          key={name}
          href={screenAddress(name as Screen)}
          aria-current={name === now ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

/** The screens of operations. */
export function OperationsScreen({ name }: { readonly name: Screen }) {
  return (
    <>
      {name === 'risk' && <RiskScreen />}
      {name === 'strategies' && <StrategiesScreen />}
      {name === 'positions' && <PositionsScreen />}
      <AskDialog />
    </>
  );
}
