import type { JsonObject } from '../contract/json.ts';
import { climb } from './climb.ts';

/** How far to climb: an answer that was cut off is parsed strictly or not at all. */
export type SalvagePolicy = 'full_ladder' | 'strict_only';
export type ArgumentRung = 'strict' | 'cleaned' | 'trailing_commas' | 'closed_brackets' | 'surplus_closers';
export type RepairReason =
  | 'truncated_turn'
  | 'too_large'
  | 'too_deep'
  | 'unterminated_string'
  | 'missing_value'
  | 'not_object'
  | 'duplicate_key'
  | 'unparseable';

/**
 * `synthesized`: closers were added, so nothing with an effect may run on it. `unrepaired`: every rung failed,
 * `value` is `{}` and must never reach `execute`; `position` is a UTF-16 index into the text.
 */
export type RepairedArguments = {
  value: JsonObject;
  rung: ArgumentRung | 'unrepaired';
  synthesized?: true;
  unrepaired?: { reason: RepairReason; position: number };
};

/** Mends the arguments of a call; never throws and never invents a value. */
export function repairArguments(text: string, policy: SalvagePolicy): RepairedArguments {
  const climbed = climb(text, [{ name: 'strict' as const, mend: parseStrict }]);
  if (climbed) return { value: climbed.value, rung: climbed.rung };
  const reason = policy === 'strict_only' ? 'truncated_turn' : 'unparseable';
  return { value: {}, rung: 'unrepaired', unrepaired: { reason, position: 0 } };
}

function parseStrict(text: string): JsonObject | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}
