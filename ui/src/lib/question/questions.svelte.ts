// The questions that running turns have put to the user.

import type { Backend } from '../backend/backend';
import type { Answer, ApiError, Question } from '../backend/bindings';
import { asApiError } from '../backend/failure';

export class Questions {
  open = $state.raw<Question[]>([]);
  /** Why the last answer did not get through. */
  error = $state.raw<ApiError | null>(null);

  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Follows what is asked; returns how to stop. */
  follow(): () => void {
    void this.load();
    return this.#backend.onChange((change) => {
      if (change.changed === 'questions') void this.load();
    });
  }

  async load(): Promise<void> {
    try {
      this.open = await this.#backend.call('list_questions', {});
    } catch (thrown) {
      this.error = asApiError(thrown);
    }
  }

  /** The questions of one session, oldest first. */
  of(session: string): Question[] {
    return this.open.filter(({ session_id }) => session_id === session);
  }

  async answer(question: Question, answer: Answer): Promise<void> {
    this.error = null;
    try {
      await this.#backend.call('answer_question', { question_id: question.id, answer });
      this.open = this.open.filter(({ id }) => id !== question.id);
    } catch (thrown) {
      this.error = asApiError(thrown);
      await this.load();
    }
  }
}
