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
    case 'tools_left_out':
      return { text: t('notice.tools_left_out'), detail: '' };
    case 'images_left_out':
      return { text: t('notice.images_left_out'), detail: '' };
    default:
      return null;
  }
}
