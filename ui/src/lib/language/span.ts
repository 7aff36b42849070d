// Spans of time, in the language in effect.

import { t } from './language.svelte';

/** A span in milliseconds, such as "<0.1 s", "0.4 s", "12 s" or "2 min 5 s". */
export function spanText(millis: number): string {
  if (millis < 50) return t('shared.seconds', { seconds: '<0.1' });
  const seconds = millis / 1000;
  if (seconds < 9.95) return t('shared.seconds', { seconds: seconds.toFixed(1) });
  return wholeText(Math.round(seconds));
}

/** How long to wait, in whole seconds and never too short: "1 s", "2 min". */
export function waitText(millis: number): string {
  return wholeText(Math.max(1, Math.ceil(millis / 1000)));
}

function wholeText(seconds: number): string {
  if (seconds < 60) return t('shared.seconds', { seconds });
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return rest === 0 ? t('shared.minutes', { minutes }) : t('shared.minutes_seconds', { minutes, seconds: rest });
}
