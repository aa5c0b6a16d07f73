// The engine's end of the connections of gateways: every method of its interface, called and followed as text. A change
// needs a key with the scope for it, also if the gateway has checked that already, and what the gateway says of the key is
// compared with the keys themselves.
import type { Asker, LineCall, ServeLine } from '../../ports/deployment/engine-line.ts';
import { PeerUnreached } from '../../ports/deployment/engine-peers.ts';
import type { Scope } from '../../ports/key-records.ts';
import {
  isProgrammingError,
  throwProgrammingError,
} from '../../values/errors/programming-error.ts';
import type { EngineApi } from '../interface/engine-api.ts';
import { argsOf, failureText, noticeText, resultText } from './call-codec.ts';
import { type CallRule, type InterfaceRule, RULE_OF } from './interface-rules.ts';
import { type Method, methodOf } from './method-of.ts';

/** What the keys in force allow. */
export interface HeldScopes {
  /** Of all keys of a user together. */
  of(uid: string): ReadonlySet<Scope>;
  /** Reads the keys again. */
  refresh(): Promise<void>;
}

export interface ServeLineOptions {
  readonly engine: EngineApi;
  readonly held: HeldScopes;
  /** Runs a call in the scope of its asker, so that log lines can name the request. */
  readonly onBehalfOf: <T>(asker: Asker, work: () => T) => T;
  readonly onFault: (error: unknown) => void;
}

export function serveLine({ engine, held, onBehalfOf, onFault }: ServeLineOptions): ServeLine {
  const groups = engine as unknown as Readonly<Record<string, object | undefined>>;
  const methods = new Map<string, Method>();
  const found = (name: string, kind: InterfaceRule['kind']): Method => {
    const known = methods.get(name);
    if (known !== undefined && RULE_OF.get(name)?.kind === kind) return known;
    const [group = '', method = ''] = name.split('.');
    const of = RULE_OF.get(name)?.kind === kind ? groups[group] : undefined;
    const made = of && methodOf(of, method);
    if (made === undefined) throw new PeerUnreached(`this engine has no ${kind} ${name}`);
    methods.set(name, made);
    return made;
  };
  const run = (call: LineCall): unknown => {
    const method = found(call.method, 'call');
    requireScope(call);
    const args = readArgs(call.text);
    const { by } = call;
    const begin = (): unknown =>
      by === undefined ? method(...args) : onBehalfOf(by, () => method(...args));
    if (isHeld(call, held)) return begin();
    // The key may be newer than what this engine has read.
    return held.refresh().then(() => {
      if (isHeld(call, held)) return begin();
      const error = unheld(call);
      onFault(error);
      throw error;
    });
  };
  return {
    call: async (call) => {
      try {
        return resultText(await run(call));
      } catch (error) {
        if (isProgrammingError(error)) onFault(error);
        return failureText(error);
      }
    },
    follow: (call, notify) => {
      try {
        const method = found(call.method, 'subscription');
        const listener = (notice: unknown): void => notify(noticeText(notice));
        return method(...readArgs(call.text), listener) as () => void;
      } catch (error) {
        onFault(error);
        return () => undefined;
      }
    },
  };
}

function requireScope({ method, by }: LineCall): void {
  const { scopes, isUrgent } = RULE_OF.get(method) as CallRule;
  if (scopes === undefined) return;
  // A gateway cancels orders of a connection that was closed, and of a key that has ended.
  if (by === undefined && isUrgent === true) return;
  if (by !== undefined && scopes.some((one) => by.scopes.includes(one))) return;
  const whose = by === undefined ? 'no key' : `a key of ${by.uid} without`;
  throw new PeerUnreached(`${method} was called for ${whose} ${scopes.join(' or ')}`);
}

function isHeld({ method, by }: LineCall, held: HeldScopes): boolean {
  const { scopes } = RULE_OF.get(method) as CallRule;
  if (scopes === undefined || by === undefined) return true;
  const ofUser = held.of(by.uid);
  return scopes.some((one) => by.scopes.includes(one) && ofUser.has(one));
}

const unheld = ({ method, by }: LineCall): PeerUnreached =>
  new PeerUnreached(
    `${method} was called for user ${by?.uid} with the scopes ${by?.scopes.join(', ')}, which no key of that user has`,
  );

/** A gateway of another version may send what this engine does not read: then nothing is done. */
function readArgs(text: string): readonly unknown[] {
  try {
    return argsOf(text);
  } catch (error) {
    // Text of another version may hold anything.
    if (!(error instanceof SyntaxError)) throwProgrammingError(error);
    throw new PeerUnreached('the arguments cannot be read');
  }
}
