// Changing a setting from the page: a failure is said in a toast, since the control has no place
// for it and goes back to what is in effect.

import { asApiError, failureText } from '../backend/failure';
import type { UpdateSettings } from '../backend/bindings';
import { useToasts } from '../toast/context';
import { useSettings } from './context';

/** Gives the way to change settings; called while a component is set up. */
export function useChange(): (change: UpdateSettings) => Promise<void> {
  const settings = useSettings();
  const toasts = useToasts();
  return async (change) => {
    try {
      await settings.update(change);
    } catch (error) {
      toasts.show({ text: failureText(asApiError(error)) });
    }
  };
}
