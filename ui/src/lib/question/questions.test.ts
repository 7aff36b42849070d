import { describe, expect, it } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { Question } from '../backend/bindings';
import { Questions } from './questions.svelte';

const question = (id: string, session_id = 's') => ({ id, session_id }) as unknown as Question;
const yes = { kind: 'allow', digest: 'd', reach: 'once' } as const;

describe('open questions', () => {
  it('are those of the session they belong to', async () => {
    const questions = new Questions(answering({ list_questions: () => [question('1'), question('2', 'other')] }));
    await questions.load();
    expect(questions.of('s').map(({ id }) => id)).toEqual(['1']);
  });

  it('are gone once they are answered', async () => {
    const backend = answering({ list_questions: () => [question('1')], answer_question: () => null });
    const questions = new Questions(backend);
    await questions.load();
    await questions.answer(question('1'), yes);
    expect(questions.open).toEqual([]);
    expect(backend.asked.at(-1)).toEqual({ name: 'answer_question', args: { question_id: '1', answer: yes } });
  });

  it('are read again when an answer came too late, and the user is told', async () => {
    const questions = new Questions(
      answering({
        list_questions: () => [],
        answer_question: () => {
          throw failure('not_found');
        },
      }),
    );
    questions.open = [question('1')];
    await questions.answer(question('1'), yes);
    expect(questions.open).toEqual([]);
    expect(questions.error?.code).toBe('not_found');
  });
});
