// What a notice says.

import type { Notice } from '../backend/bindings';
import { errorWords } from '../backend/errors';
import { t } from '../language/language.svelte';
import { countText } from '../language/number';

export type NoticeWords = {
  text: string;
  /** What exactly was said; may be empty. */
  detail: string;
};

/** The words of a notice; null for one that this page does not know. */
export function noticeWords(notice: Notice): NoticeWords | null {
  switch (notice.about) {
    case 'model_switched': {
      const { title } = errorWords(notice);
      const models = { from: notice.from.model, to: notice.to.model };
      return { text: t('notice.model_switched', { ...models, why: title }), detail: notice.message };
    }
    case 'input_cut': {
      const counts = { read: countText(notice.read), sent: countText(notice.sent) };
      return { text: t('notice.input_cut', counts), detail: '' };
    }
    case 'context_shortened': {
      const { tokens_before, tokens_after } = notice.compaction;
      const counts = { before: countText(tokens_before), after: countText(tokens_after) };
      return { text: t('notice.context_shortened', counts), detail: notice.compaction.summary };
    }
    case 'context_full': {
      const counts = { window: countText(notice.window), fixed: countText(notice.fixed) };
      return { text: t('notice.context_full', counts), detail: '' };
    }
    case 'summary_failed':
      return { text: t('notice.summary_failed'), detail: '' };
    case 'no_progress':
      return { text: t('notice.no_progress', { tool: notice.tool, times: String(notice.times) }), detail: '' };
    case 'not_concluded':
      return { text: t('notice.not_concluded'), detail: '' };
    case 'tools_left_out':
      return { text: t('notice.tools_left_out'), detail: '' };
    case 'images_left_out':
      return { text: t('notice.images_left_out'), detail: '' };
    case 'instructions_left_out': {
      const word = notice.is_suspicious ? 'notice.instructions_suspicious' : 'notice.instructions_too_long';
      return { text: t(word, { path: notice.path }), detail: '' };
    }
    default:
      return null;
  }
}
