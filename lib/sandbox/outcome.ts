import { type Answer, Refusal } from './answer.js';

/** What an endpoint made of a call. */
export interface Outcome {
  readonly answer: Answer;
  /** Why the network said no, in plain words. */
  readonly refused?: string;
}

/** Runs an endpoint; a refusal is an outcome like any other. */
export function outcomeOf(answer: () => Answer): Outcome {
  try {
    return { answer: answer() };
  } catch (error) {
    if (error instanceof Refusal) return refusalOutcome(error);
    throw error;
  }
}

/** A refusal as an outcome. */
export function refusalOutcome({ answer, message: refused }: Refusal): Outcome {
  return { answer, refused };
}
