// How apt-get installs a Redis server without asking and without starting a service.

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
