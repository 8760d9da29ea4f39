import { digestOf } from '../approval/digest-call.ts';
import { readsOnly } from '../approval/require-approval.ts';
import type { JsonObject } from '../contract/json.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';

/** What the guard must know of a call; `name` is the resolved one, or what was called where no tool has it. */
export type GuardedCall = {
  name: string;
  input: JsonObject;
  reads: boolean;
  /** Changes files or the world outside; its success makes earlier readings stale. */
  writes: boolean;
  /** Runs programs, whose own changes do not lift their own count. */
  runs: boolean;
  pollable: boolean;
};

export function guardedCall(spec: ToolSpec, input: JsonObject): GuardedCall {
  const { capabilities, name, pollable } = spec;
  const runs = capabilities.has('executes_code');
  const writes = !runs && (capabilities.has('writes_files') || capabilities.has('external_effect'));
  return { name, input, reads: readsOnly(capabilities), writes, runs, pollable };
}

/** How a call ended, as far as the guard cares: `neither` is a denial, an expiry, a cancel, a hydration or a cut-off. */
export type GuardedEnding = {
  kind: 'succeeded' | 'failed' | 'neither';
  /** Digest of what the model reads. */
  resultDigest: string;
};

export type GuardVerdict = { kind: 'proceed' } | { kind: 'block'; reason: string } | { kind: 'halted'; reason: string };
export type GuardNotice = { kind: 'none' } | { kind: 'warn'; text: string } | { kind: 'halt'; reason: string };

const attemptsAllowed = 2;
const warnAfter = 3;
const haltAfter = 8;
/** Who sends refused calls again and again reads nothing that it is told. */
const haltAfterBlocks = 8;
/** Drifting arguments that keep bringing the same answer are a loop too, though a slower one. */
const equalResultsWarn = 5;
const equalResultsHalt = 15;
/** A poll that brings nothing new should wait longer, not come again at once. */
const equalPollsWarn = 20;

/** Counts what one turn repeats. Lives for a dispatcher, starts afresh with each user message. */
export class LoopGuard {
  #version = 0;
  /** Runs that brought something new since the last write, in all and by each call's own signature. */
  #lifts = 0;
  #ownLifts = new Map<string, number>();
  #seenRuns = new Set<string>();
  #attempts = new Map<string, number>();
  #failures = new Map<string, number>();
  #results = new Map<string, number>();
  #writeSinceFailure = new Set<string>();
  #blocks = 0;
  #halted: string | null = null;

  beginTurn(): void {
    this.#version = 0;
    this.#forgetRuns();
    this.#attempts.clear();
    this.#failures.clear();
    this.#results.clear();
    this.#writeSinceFailure.clear();
    this.#blocks = 0;
    this.#halted = null;
  }

  halted(): string | null {
    return this.#halted;
  }

  /** What `count` would answer, without counting: for calls that may start early. */
  check(call: GuardedCall, pendingWrites = 0): GuardVerdict {
    if (this.#halted !== null) return { kind: 'halted', reason: this.#halted };
    if (call.pollable) return { kind: 'proceed' };
    const attempts = this.#attempts.get(this.#keyOf(call, pendingWrites)) ?? 0;
    if (attempts < attemptsAllowed) return { kind: 'proceed' };
    return {
      kind: 'block',
      reason: `This is attempt ${attempts + 1} of exactly the same ${call.name} call, and nothing changed since.`,
    };
  }

  /** `pendingWrites`: writers planned before this call in the same answer, which will have run by then. */
  count(call: GuardedCall, pendingWrites = 0): GuardVerdict {
    const verdict = this.check(call, pendingWrites);
    const key = this.#keyOf(call, pendingWrites);
    if (verdict.kind !== 'halted' && !call.pollable) this.#attempts.set(key, (this.#attempts.get(key) ?? 0) + 1);
    this.#blocks = verdict.kind === 'block' ? this.#blocks + 1 : 0;
    if (this.#blocks >= haltAfterBlocks)
      this.#halted = `${this.#blocks} calls in a row repeated what was refused, the last one ${call.name}.`;
    return verdict;
  }

  record(call: GuardedCall, ending: GuardedEnding): GuardNotice {
    if (ending.kind === 'neither') return { kind: 'none' };
    if (call.runs && !call.reads) this.#lift(call, ending.resultDigest);
    if (ending.kind === 'failed') return this.#fail(call);
    this.#failures.delete(call.name);
    if (call.writes) {
      this.#version += 1;
      this.#forgetRuns();
      for (const name of this.#failures.keys()) this.#writeSinceFailure.add(name);
    }
    return this.#drift(call, ending.resultDigest);
  }

  /** A run may change what others see, but not its own count, and only if it did not end as it did before. */
  #lift(call: GuardedCall, resultDigest: string): void {
    const signature = signatureOf(call);
    if (this.#seenRuns.has(`${signature} ${resultDigest}`)) return;
    this.#seenRuns.add(`${signature} ${resultDigest}`);
    this.#lifts += 1;
    this.#ownLifts.set(signature, (this.#ownLifts.get(signature) ?? 0) + 1);
  }

  #forgetRuns(): void {
    this.#lifts = 0;
    this.#ownLifts.clear();
    this.#seenRuns.clear();
  }

  #fail(call: GuardedCall): GuardNotice {
    // A program that fails again after something was changed is a new finding, not the old one repeated.
    const fresh = call.runs && this.#writeSinceFailure.delete(call.name);
    const failures = fresh ? 1 : (this.#failures.get(call.name) ?? 0) + 1;
    this.#failures.set(call.name, failures);
    if (failures >= haltAfter) {
      this.#halted = `${call.name} failed ${failures} times in a row.`;
      return { kind: 'halt', reason: this.#halted };
    }
    if (failures !== warnAfter) return { kind: 'none' };
    return {
      kind: 'warn',
      text: `${call.name} failed ${failures} times in a row; at ${haltAfter} this turn ends. Try another way.`,
    };
  }

  #drift(call: GuardedCall, resultDigest: string): GuardNotice {
    if (call.writes) return { kind: 'none' };
    const key = `${call.name} ${this.#version} ${this.#lifts} ${resultDigest}`;
    const equal = (this.#results.get(key) ?? 0) + 1;
    this.#results.set(key, equal);
    if (call.pollable) {
      const text = `${equal} ${call.name} calls brought the same answer. Wait longer with each, or do something else meanwhile.`;
      return equal % equalPollsWarn === 0 ? { kind: 'warn', text } : { kind: 'none' };
    }
    if (equal >= equalResultsHalt) {
      this.#halted = `${equal} ${call.name} calls brought the same answer.`;
      return { kind: 'halt', reason: this.#halted };
    }
    const text = `${equal} ${call.name} calls brought the same answer; at ${equalResultsHalt} this turn ends. What you look for is probably not there.`;
    return equal === equalResultsWarn ? { kind: 'warn', text } : { kind: 'none' };
  }

  /** A write is the same write whatever version it meets; everything else sees the world as it is. */
  #keyOf(call: GuardedCall, pendingWrites: number): string {
    const lifts = this.#lifts - (call.runs ? (this.#ownLifts.get(signatureOf(call)) ?? 0) : 0);
    const version = call.writes ? 'any' : `${this.#version + pendingWrites}.${pendingWrites > 0 ? 0 : lifts}`;
    return `${version} ${signatureOf(call)}`;
  }
}

function signatureOf(call: GuardedCall): string {
  return `${call.name} ${digestOf(call.input)}`;
}
