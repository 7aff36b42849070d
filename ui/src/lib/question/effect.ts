// What an act would do, in the user's words.

import type { AskReason, Effect } from '../backend/bindings';
import { t } from '../language/language.svelte';
import { concernText } from './concern';

export type EffectWords = {
  /** What happens. */
  title: string;
  /** To what: shown whole, in a fixed width. */
  subject: string;
  /** What else should be known. */
  facts: string[];
};

export function effectWords(effect: Effect): EffectWords {
  switch (effect.kind) {
    case 'read':
      return { title: t('question.read'), subject: effect.path, facts: [] };
    case 'write':
      return { title: t('question.write'), subject: effect.path, facts: [] };
    case 'command': {
      const { folder, network, secrets, sandboxed } = effect;
      const facts = [t('question.in', { folder }), t(network ? 'question.network' : 'question.offline')];
      if (secrets.length > 0) facts.push(t('question.secrets', { names: secrets.join(', ') }));
      facts.push(t(sandboxed ? 'question.sandboxed' : 'question.unsandboxed'));
      return { title: t('question.command'), subject: effect.command, facts };
    }
    case 'fetch':
      return { title: t('question.fetch'), subject: effect.url, facts: [] };
    case 'web_search':
      return { title: t('question.web_search', { host: effect.host }), subject: effect.query, facts: [] };
    case 'note':
      return { title: t('question.note'), subject: effect.title, facts: [] };
  }
}

export function reasonWords(reason: AskReason): string {
  switch (reason.why) {
    case 'mode':
      return t('question.why.mode');
    case 'rule':
      return t('question.why.rule');
    case 'outside_folders':
      return t('question.why.outside_folders', { path: reason.path });
    case 'unclear':
      return t('question.why.unclear', { what: concernText(reason.what) });
    case 'dangerous':
      return t('question.why.dangerous', { what: concernText(reason.what) });
    case 'after_suspicion':
      return t('question.why.after_suspicion', { origin: reason.origin });
  }
}

/** Whether a reason is more than the session's habit. */
export function isGrave(reason: AskReason): boolean {
  return !['mode', 'rule'].includes(reason.why);
}
