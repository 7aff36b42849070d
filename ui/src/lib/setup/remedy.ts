// What the guide's buttons do for each remedy of a failed or limited check. The words are in the
// dictionary under `remedy`.

import type { Remedy } from '../backend/bindings';

/** Something a button beside a failed check does. */
export type RemedyAction = 'check_again' | 'change_key' | 'open_key_page' | 'choose_model' | 'change_address' | 'keep_model';

/** The buttons of a remedy, the likeliest first. */
export const REMEDY_ACTIONS: Record<Remedy, readonly RemedyAction[]> = {
  check_address: ['change_address', 'check_again'],
  start_local_service: ['check_again', 'change_address'],
  check_network: ['check_again'],
  check_proxy: ['check_again'],
  check_certificate: ['check_again', 'change_address'],
  check_key: ['change_key', 'open_key_page'],
  add_credit: ['open_key_page', 'check_again'],
  choose_model: ['choose_model'],
  pull_model: ['check_again'],
  choose_tool_model: ['choose_model', 'keep_model'],
  wait_and_retry: ['check_again'],
  set_window: ['keep_model'],
  read_message: ['check_again'],
};

/** The buttons that make sense for this service: no key page without one, no key for a local one. */
export function actionsFor(remedy: Remedy, service: { keyPage: string | null; hasKeyStep: boolean }): RemedyAction[] {
  return REMEDY_ACTIONS[remedy].filter((action) => {
    if (action === 'open_key_page') return service.keyPage !== null;
    return action !== 'change_key' || service.hasKeyStep;
  });
}
