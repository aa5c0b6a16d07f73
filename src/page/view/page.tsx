// The whole page: the bar on top of every screen, and below it the screen of the address, or how to come in.
import { access } from '../link/page-session.ts';
import { shownPortfolio } from '../model/portfolio/route.ts';
import { isBeside } from '../model/portfolio/side-panel.ts';
import { screen } from '../model/screen.ts';
import { Bar } from './bar.tsx';
import { Blotter } from './blotter/blotter.tsx';
import { DeskScreen } from './desk/desk-screens.tsx';
import { HeldBanner } from './held-banner.tsx';
import { OperationsScreen, Screens } from './operations/screens.tsx';
import { PortfolioScreen } from './portfolio/portfolio-screen.tsx';
import { SwitchDialog } from './switch-dialog.tsx';
import { TicketScreen } from './ticket/ticket-screen.tsx';

export function Page() {
  const now = access.value;
  switch (now.kind) {
    case 'asking':
      return (
        <main>
          <h1>twapd</h1>
          <p role="status">
            {now.why === ''
              ? 'Asking for the session.'
              : `The gateway does not answer (${now.why}). Asking again until it does; trading goes on without this page.`}
          </p>
        </main>
      );
    case 'out':
      return <SignedOut why={now.why} isByProxy={now.isByProxy} />;
    case 'open':
      return (
        <>
          <Bar />
          <HeldBanner />
          <Screens />
          <main>
            <Shown />
          </main>
          <SwitchDialog />
        </>
      );
  }
}

function Shown() {
  const name = screen.value;
  if (shownPortfolio.value !== undefined) return <BlotterAndPortfolio />;
  switch (name) {
    case 'blotter':
      return <BlotterAndPortfolio />;
    case 'chain':
    case 'orders':
    case 'rfq':
      return <DeskScreen name={name} />;
    case 'ticket':
      return <TicketScreen />;
    default:
      return <OperationsScreen name={name} />;
  }
}

/** The blotter stays as it is while a portfolio is opened and closed next to it. */
function BlotterAndPortfolio() {
  const id = shownPortfolio.value;
  return (
    <div class={isBeside.value ? 'beside-blotter' : 'alone'}>
      {(id === undefined || isBeside.value) && <Blotter />}
      {id !== undefined && <PortfolioScreen id={id} />}
    </div>
  );
}

function SignedOut({ why, isByProxy }: { readonly why: string; readonly isByProxy: boolean }) {
  document.title = 'signed out · twapd';
  return (
    <main class="out">
      <h1>Signed out</h1>
      {why !== '' && <p role="alert">{why}</p>}
      {isByProxy ? (
        <p>
          A proxy signs you in to this page. Sign in there as a person who may come in, and reload
          the page.
        </p>
      ) : (
        <>
          <p>
            This page opens with a link that is good once. Print one where the daemon&apos;s key is:
          </p>
          <pre>./twapd open</pre>
        </>
      )}
      <p>Trading goes on without this page.</p>
    </main>
  );
}
