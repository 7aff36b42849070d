// The fake backend's errors, in the form the real one throws.

import type { ApiError, ErrorCode } from '../bindings';

/** An error as a command throws it. */
export function fault(code: ErrorCode, message: string): ApiError {
  return { code, message, hint: '' };
}
