// The private server's configuration: no network, no eviction, and a timer that checks delayed jobs a hundred
// times a second.

export type RedisPersistence = 'everysec' | 'always' | 'none';

/** Text of redis.conf. Snapshots are off: the append-only file is the only copy on disk. */
export function redisSettings(options: {
  readonly dataDir: string;
  readonly socket: string;
  readonly persistence: RedisPersistence;
}): string {
  const lines = [
    ['dir', quoted(options.dataDir)],
    ['bind', '127.0.0.1'],
    ['port', '0'],
    ['unixsocket', quoted(options.socket)],
    ['unixsocketperm', '700'],
    ['daemonize', 'no'],
    ['supervised', 'no'],
    ['proc-title-template', quoted('{title} {listen-addr}')],
    ['save', '""'],
    ['auto-aof-rewrite-min-size', '16mb'],
    ...adjustableSettings(options.persistence),
  ];
  return `${lines.map((line) => line.join(' ')).join('\n')}\n`;
}

/** The settings that CONFIG SET can also apply to a running server. */
export function adjustableSettings(persistence: RedisPersistence): [name: string, value: string][] {
  return [
    ['hz', '100'],
    ['maxmemory-policy', 'noeviction'],
    ['appendonly', persistence === 'none' ? 'no' : 'yes'],
    ['appendfsync', persistence === 'always' ? 'always' : 'everysec'],
  ];
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
