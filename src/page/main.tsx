// Starts the page: takes up its session, and then follows the state of the deployment and the news of its portfolios.
import { render } from 'preact';
import { followNews } from './link/news-socket.ts';
import { access, enter, keepWhileUsed } from './link/page-session.ts';
import { hearPortfolio, rereadFollowed } from './model/portfolio/followed-portfolio.ts';
import { followAddress } from './model/portfolio/route.ts';
import { followWaits, keepRecord, rereadPortfolios } from './model/portfolios.ts';
import { followScreen } from './model/screen.ts';
import { followState } from './model/state.ts';
import { Page } from './view/page.tsx';
import { startClock } from './view/page-clock.ts';

const root = document.getElementById('page');
if (root !== null) render(<Page />, root);
startClock();
keepWhileUsed();
// A link that is followed in a tab that already shows the page changes the fragment alone.
addEventListener('hashchange', () => {
  if (location.hash.includes('code=')) location.reload();
});
await enter();
if (access.value.kind === 'open') {
  followAddress();
  followScreen();
  void followState();
  void followWaits();
  followNews({
    news: (frame) => {
      keepRecord(frame.data.portfolio);
      hearPortfolio(frame);
    },
    reread: async () => {
      await Promise.all([rereadPortfolios(), rereadFollowed()]);
    },
  });
}
