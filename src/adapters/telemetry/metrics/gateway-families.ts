// Which families of metrics a gateway counts where engine and gateway are processes of their own: those of its clients, and
// those that every process has.

const OF_CLIENTS = /^twapd_(?:http_|ws_|refusals_|auth_failures_)/;
const OF_EVERY_PROCESS =
  /^(?:process_|nodejs_|twapd_(?:failures_total|programming_errors_total|event_loop_|clock_steps_|log_lines_|build_info|config_info|disk_))/;

export const isOfGateway = (family: string): boolean =>
  OF_CLIENTS.test(family) || OF_EVERY_PROCESS.test(family);

export const isOfEngine = (family: string): boolean => !OF_CLIENTS.test(family);
