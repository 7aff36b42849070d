// Every word a user reads, in both languages. A missing one is a type error.

import type { Language } from '../backend/bindings';
import { attachmentWords } from './words/attachment';
import { errorWords } from './words/error';
import { frameWords } from './words/frame';
import { markdownWords } from './words/markdown';
import { notesWords } from './words/notes';
import { noticeWords } from './words/notice';
import { questionWords } from './words/question';
import { remedyWords } from './words/remedy';
import { sessionWords } from './words/session';
import { settingsWords } from './words/settings';
import { setupWords } from './words/setup';
import { sharedWords } from './words/shared';
import { storeWords } from './words/store';
import { traceWords } from './words/trace';
import { turnWords } from './words/turn';
import { usageWords } from './words/usage';

export const words = {
  ...attachmentWords,
  ...errorWords,
  ...frameWords,
  ...markdownWords,
  ...notesWords,
  ...noticeWords,
  ...questionWords,
  ...remedyWords,
  ...sessionWords,
  ...settingsWords,
  ...setupWords,
  ...sharedWords,
  ...storeWords,
  ...traceWords,
  ...turnWords,
  ...usageWords,
} satisfies Record<string, Record<Language, string>>;

export type Word = keyof typeof words;
