// Server settings for a small machine that must not lose a commit: durable, no network, no parallel query, few
// processes.

/**
 * Formats settings as `-c name=value` arguments of the server program. `overrides` take precedence, except
 * for where it listens.
 */
export function postgresSettings(
  socketFolder: string,
  overrides: Readonly<Record<string, string>>,
): string[] {
  const settings = { ...DEFAULTS, ...overrides, ...listening(socketFolder) };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const DEFAULTS: Readonly<Record<string, string>> = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '50',
  shared_buffers: '64MB',
  effective_cache_size: '512MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  wal_buffers: '8MB',
  // Nothing replicates from here, so the log contains only what recovery needs.
  wal_level: 'minimal',
  // Every commit flushes for itself; a concurrent writer would only hold the lock.
  wal_writer_delay: '10s',
  // Log files are created ahead (`reserveLog`) and reused, so that flushing one never changes a file's size.
  wal_init_zero: 'on',
  max_wal_senders: '0',
  min_wal_size: '256MB',
  max_wal_size: '512MB',
  checkpoint_timeout: '10min',
  random_page_cost: '1.1',
  jit: 'off',
  io_method: 'sync',
  max_worker_processes: '4',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  max_logical_replication_workers: '0',
  autovacuum_naptime: '30s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  cluster_name: 'twapd',
};

function listening(socketFolder: string): Record<string, string> {
  return {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}
