// Source-text mutants of private connections: when they are opened and closed, and what is known over them.
import type { SourceMutant } from './source-mutant.ts';

const CONNECTIONS = 'src/engine/ownership/account-connections.ts';
const CONNECTED = ['test/engine/ownership/account-connections.test.ts'];
const OWNERSHIP = 'src/engine/ownership/shard-ownership.ts';
const ANNOUNCED = ['test/engine/ownership/announced-shards.test.ts'];
const GATE_ACCOUNTS = 'src/engine/risk/gate-accounts.ts';
const READ = ['test/engine/risk/gate-accounts.test.ts'];

const GUARD = 'src/engine/mmp/mmp-guard.ts';
const PROTECTED = ['test/engine/mmp/mmp-connections.test.ts'];

export const CONNECTION_MUTANTS: readonly SourceMutant[] = [
  {
    name: 'a-connection-for-what-may-trade',
    what: 'An order for an account that is not connected opens a connection.',
    file: CONNECTIONS,
    find: 'return connection === undefined ? send() : this.#using(connection, send);',
    put: 'return connection === undefined ? this.request(account, send) : this.#using(connection, send);',
    killedBy: CONNECTED,
  },
  {
    name: 'asked-before-the-login',
    what: 'A query does not wait for the connection that it opens.',
    file: CONNECTIONS,
    find: 'connection.isAttempted ? send() : connection.attempted.then(send),',
    put: 'send(),',
    killedBy: CONNECTED,
  },
  {
    name: 'a-login-waited-for-for-ever',
    what: 'A query waits without a bound for a connection that does not come.',
    file: CONNECTIONS,
    find: 'connection.stopWaiting = clock.at(later(clock.now(), OPEN_MS_MAX), end);',
    put: '',
    killedBy: CONNECTED,
  },
  {
    name: 'connections-never-closed',
    what: 'A connection that nothing needs stays open.',
    file: CONNECTIONS,
    find: 'this.#close(connection),',
    put: 'undefined,',
    killedBy: CONNECTED,
  },
  {
    name: 'expected-for-ever',
    what: 'An account that another daemon was about to give up is waited for without a bound.',
    file: CONNECTIONS,
    find: 'connection.isExpected = false;',
    put: '',
    killedBy: CONNECTED,
  },
  {
    name: 'nothing-forgotten',
    what: 'What was known over a connection stays in force when it is closed.',
    file: CONNECTIONS,
    find: 'for (const ended of this.#ends) ended(account);',
    put: '',
    killedBy: CONNECTED,
  },
  {
    name: 'given-up-unannounced',
    what: 'Shards are given up before the other daemons have connected their accounts.',
    file: OWNERSHIP,
    find: 'await this.#announce(share.giveUp);',
    put: '',
    killedBy: ANNOUNCED,
  },
  {
    name: 'the-missing-unexpected',
    what: 'Accounts of a daemon whose connection is missing are connected only once they are taken.',
    file: OWNERSHIP,
    find: 'this.#expect(view);',
    put: '',
    killedBy: ANNOUNCED,
  },
  {
    name: 'known-without-following',
    what: 'What the gate knew of an account stays in force when the account is not followed any more.',
    file: GATE_ACCOUNTS,
    find: 'known.following = undefined;\n    known.isKnown = false;',
    put: 'known.following = undefined;',
    killedBy: READ,
  },
  {
    name: 'a-read-of-before',
    what: 'A read that began before an account was not followed any more counts as current.',
    file: GATE_ACCOUNTS,
    find: 'if (known.following !== following) return false;',
    put: '',
    killedBy: READ,
  },
  {
    name: 'a-mass-cancel-everywhere',
    what: 'Every daemon connects an account to cancel after a trip that its owner sees to.',
    file: GUARD,
    find: 'if (this.#isProtectedHere(of.account)) this.#sweep',
    put: 'this.#sweep',
    killedBy: PROTECTED,
  },
  {
    name: 'a-mass-cancel-by-nobody',
    what: 'While no daemon is known to protect an account, no daemon cancels after a trip.',
    file: GUARD,
    find: '!isElsewhere(account);',
    put: 'false;',
    killedBy: PROTECTED,
  },
];
