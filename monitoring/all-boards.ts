// Every dashboard with the file it is written to, as Grafana reads it.
import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { executionBoard } from './execution-board.ts';
import { healthBoard } from './health-board.ts';
import { portfolioBoard } from './portfolio-board.ts';
import { venueBoard } from './venue-board.ts';

/** Path from the root of the project → content. */
export function dashboardFiles(): ReadonlyMap<string, string> {
  const boards = {
    execution: executionBoard(),
    'venue-and-risk': venueBoard(),
    health: healthBoard(),
    'one-portfolio': portfolioBoard(),
  };
  return new Map(
    Object.entries(boards).map(([name, made]) => [
      `config/grafana/dashboards/${name}.json`,
      `${JSON.stringify(numbered(made.build()), null, 2)}\n`,
    ]),
  );
}

/** Numbers the panels by position, so that the same source produces the same file. */
function numbered(made: Dashboard): Dashboard {
  const panels = made.panels?.map((panel, index) => ({ ...panel, id: index + 1 }));
  return panels === undefined ? made : { ...made, panels };
}
