// What one may do with the portfolio. Cancelling and pausing stay possible while the stream is away; what trades on what is
// shown does not.
import { link } from '../../link/news-socket.ts';
import { access } from '../../link/page-session.ts';
import { askAmend } from '../../model/portfolio/amending.ts';
import { askFor } from '../../model/portfolio/change-request.ts';
import { record } from '../../model/portfolio/followed-portfolio.ts';

const OPEN = 1;
const CANCELLING = 4;

export function Actions() {
  const of = record.value?.value;
  const now = access.value;
  if (of === undefined || now.kind !== 'open') return null;
  const { scopes, isReadOnly } = now.hello;
  if (isReadOnly || !scopes.includes('trade')) return null;
  const isOpen = of.portfolioStatus === OPEN;
  const isMirror = of.mirrorOf !== undefined;
  const isLive = link.value.kind === 'live';
  if (!isOpen && of.portfolioStatus !== CANCELLING) return null;
  return (
    <div class="acts do">
      {isOpen && !isMirror && of.paused === undefined && (
        <button type="button" onClick={() => askFor('pause')}>
          Pause…
        </button>
      )}
      {isOpen && !isMirror && of.paused !== undefined && (
        <button type="button" disabled={!isLive} onClick={() => askFor('resume')}>
          Resume…
        </button>
      )}
      {isOpen && !isMirror && (
        <button type="button" disabled={!isLive} onClick={() => askAmend(of)}>
          Amend…
        </button>
      )}
      <button type="button" class="halt" disabled={!isOpen} onClick={() => askFor('cancel')}>
        Cancel…
      </button>
    </div>
  );
}
