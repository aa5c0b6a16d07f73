// `queues`: prints a signed link to the queue's page, for a browser that cannot sign requests.

import { signedQuery } from '../../../gateway/auth/signed-stamp.ts';
import { BOARD_PATH } from '../../../gateway/http/board-routes.ts';
import { type AddCommand, jsonText } from '../command.ts';
import { type ConnectionOptions, reachDaemon, withConnection } from '../daemon-client.ts';
import { paint } from '../terminal/paint.ts';

export const addQueues: AddCommand = (program, terminal) => {
  withConnection(program.command('queues'))
    .option('--json', 'print it as JSON')
    .action((options: ConnectionOptions & { readonly json?: boolean }) => {
      const { access, url } = reachDaemon(options);
      const link = `${url}${BOARD_PATH}?${signedQuery(access, Date.now(), BOARD_PATH)}`;
      if (options.json) return terminal.print(jsonText({ link }));
      terminal.print(link);
      terminal.print(
        paint.dim('good once, for 15 seconds; the page stays open to you for 15 minutes'),
      );
    });
};
