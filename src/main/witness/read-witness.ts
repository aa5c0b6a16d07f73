// Reads the heads that a witness has, a file or an address.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WebhookWitness } from '../../adapters/witness/webhook-witness.ts';
import { WitnessFile } from '../../adapters/witness/witness-file.ts';
import type { HeadWitness } from '../../ports/witness/head-witness.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { printable } from '../../values/printable.ts';
import { CommandFailure } from '../command-failure.ts';
import { isWitnessAddress } from '../config/rules/witness-rules.ts';
import { isEd25519 } from './signed-head.ts';
import { WitnessedHeads } from './witnessed-heads.ts';

export interface WitnessPlace {
  /** Path or address. */
  readonly place: string;
  /** Paths of files. */
  readonly publicKeys: readonly string[];
}

export async function readWitness(options: WitnessPlace): Promise<WitnessedHeads> {
  const keys = options.publicKeys.map(publicKey);
  const witness = witnessAt(options.place);
  try {
    return await WitnessedHeads.read(witness.lines(), keys);
  } catch (error) {
    throwProgrammingError(error);
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure('unreachable', [`the witness cannot be read: ${printable(why)}`]);
  }
}

/** A file that is missing is no witness: one that has no heads yet is an empty file. */
function witnessAt(place: string): HeadWitness {
  if (isWitnessAddress(place)) return new WebhookWitness(place);
  if (existsSync(place)) return new WitnessFile(resolve(place));
  const accepted = 'accepted: the file or the address that ledger.witness of the daemon names';
  throw new CommandFailure('usage', [
    `--witness ${printable(place)}: there is no such file; ${accepted}`,
  ]);
}

function publicKey(path: string): KeyObject {
  const shown = printable(path);
  const accepted = 'accepted: the file of an Ed25519 public key in PEM, as of `twapd ledger key`';
  try {
    const key = createPublicKey(readFileSync(path));
    if (isEd25519(key)) return key;
  } catch {
    // Unexamined: what cannot be read as a key is none, and the refusal says what is accepted.
    throw new CommandFailure('usage', [`--public-key ${shown}: cannot be read; ${accepted}`]);
  }
  throw new CommandFailure('usage', [`--public-key ${shown}: is another kind of key; ${accepted}`]);
}
