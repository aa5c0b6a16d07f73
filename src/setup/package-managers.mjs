// How each system's package manager installs a Redis server without asking and without starting a service.

const POLICY_MARK = 'placed by twapd while it installs redis-server';

/**
 * Debian starts what it installs unless /usr/sbin/policy-rc.d forbids it. A policy of the machine's own stays as it is;
 * ours is removed on every way out, and one left by a killed run is recognised by its mark.
 * Where the machine's policy, or none, let the service start, it is stopped again.
 */
export function aptScript(policyPath = '/usr/sbin/policy-rc.d') {
  return `
set -e
export DEBIAN_FRONTEND=noninteractive
policy='${policyPath}'
placed=
if [ ! -e "$policy" ] || grep -q '${POLICY_MARK}' "$policy"; then
  placed=1
  printf '#!/bin/sh\\n# ${POLICY_MARK}\\nexit 101\\n' > "$policy"
  chmod 755 "$policy"
fi
trap 'if [ -n "$placed" ]; then rm -f "$policy"; fi' EXIT
trap 'exit 130' HUP INT TERM
apt-get -q update
apt-get -q -y -o DPkg::Lock::Timeout=180 install --no-install-recommends redis-server
if [ -d /run/systemd/system ]; then systemctl disable --now redis-server >/dev/null 2>&1 || true; fi
`;
}

/** Tried in this order; the first one on PATH is used. Each script runs as root, except brew's. */
export const PACKAGE_MANAGERS = [
  { program: 'apt-get', script: aptScript(), asRoot: true },
  { program: 'dnf', script: 'dnf -y -q install redis || dnf -y -q install valkey', asRoot: true },
  { program: 'yum', script: 'yum -y -q install redis || yum -y -q install valkey', asRoot: true },
  {
    program: 'apk',
    script: 'apk add --no-progress redis || apk add --no-progress valkey',
    asRoot: true,
  },
  {
    program: 'pacman',
    script: 'pacman -Sy --noconfirm --needed valkey || pacman -Sy --noconfirm --needed redis',
    asRoot: true,
  },
  {
    program: 'zypper',
    script: 'zypper --non-interactive install redis || zypper --non-interactive install valkey',
    asRoot: true,
  },
  { program: 'brew', script: 'HOMEBREW_NO_AUTO_UPDATE=1 brew install redis', asRoot: false },
];

/** The command a user would type, for the message if it cannot be run for them. */
export function commandFor(manager) {
  const install = { apk: 'apk add redis', pacman: 'pacman -S valkey', brew: 'brew install redis' };
  const command =
    install[manager.program] ??
    `${manager.program} install ${manager.program === 'apt-get' ? 'redis-server' : 'redis'}`;
  return manager.asRoot ? `sudo ${command}` : command;
}
