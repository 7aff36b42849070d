// What can be done about a turn that failed, by the kind of failure, the likeliest first.

import type { ErrorCode } from '../backend/bindings';

export type TurnRemedy = 'again' | 'services' | 'models' | 'model' | 'session';

const REMEDIES: Partial<Record<ErrorCode, readonly TurnRemedy[]>> = {
  auth: ['services', 'again'],
  keyring: ['services', 'again'],
  billing: ['services', 'model', 'again'],
  rate_limited: ['again', 'models'],
  overloaded: ['again', 'models'],
  context_overflow: ['session', 'model', 'again'],
  content_policy: ['again', 'model'],
  model_not_found: ['model', 'services', 'again'],
  network: ['again', 'services', 'models'],
  tls: ['again', 'services'],
  bad_response: ['again', 'services'],
};

/** What helps only where the turn is the session's last. */
const LAST_ONLY: readonly TurnRemedy[] = ['again', 'model'];

/** What to offer under a failed turn. */
export function remediesOf(code: ErrorCode, isLast: boolean): readonly TurnRemedy[] {
  const remedies = REMEDIES[code] ?? ['again'];
  return isLast ? remedies : remedies.filter((remedy) => !LAST_ONLY.includes(remedy));
}
