// What a span was, in words.

import type { SpanContent } from '../backend/bindings';
import { t } from '../language/language.svelte';
import { noticeWords } from '../turn/notice';
import { isEmpty, usageText } from '../turn/usage';

export type SpanWords = {
  name: string;
  /** What it was about; may be empty. */
  about: string;
  failed: boolean;
};

export function spanWords(content: SpanContent): SpanWords {
  switch (content.kind) {
    case 'turn':
      return { name: t('trace.turn'), about: isEmpty(content.usage) ? '' : usageText(content.usage), failed: content.failure !== null };
    case 'request': {
      const { model, usage, failure } = content.request;
      const about = [model.model, isEmpty(usage) ? '' : usageText(usage), failure?.message ?? ''];
      return { name: t('trace.request'), about: joined(about), failed: failure !== null };
    }
    case 'choice':
      return { name: t(`trace.choice.${content.choice.of}`), about: joined([content.choice.chosen, content.choice.why]), failed: false };
    case 'tool_call':
      return { name: content.name, about: '', failed: content.failed };
    case 'permission': {
      const { outcome, by } = content.approval;
      const about = joined([content.tool, t(`trace.${outcome}`), t(`trace.by.${by}`)]);
      return { name: t('trace.permission'), about, failed: false };
    }
    case 'compaction':
      return {
        name: t('trace.compaction'),
        about: `${content.compaction.tokens_before} → ${content.compaction.tokens_after}`,
        failed: false,
      };
    case 'notice':
      return { name: t('trace.notice'), about: noticeWords(content.notice)?.text ?? '', failed: false };
  }
}

function joined(parts: string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}
