/** A question a player can choose for the second step of a login. */
interface SecurityQuestionOption {
  readonly id: number
  readonly question: string
}

/** The questions. Ids are stored with answers and never change. */
export const SECURITY_QUESTIONS: readonly SecurityQuestionOption[] = [
  { id: 1, question: 'What was the name of your first pet?' },
  { id: 2, question: 'What is the first name of your oldest cousin?' },
  { id: 3, question: 'In which town or city did your parents meet?' },
  { id: 4, question: 'What was the name of your first school?' },
  { id: 5, question: 'What was the make of your first car or bicycle?' },
  { id: 6, question: 'What was the name of the street you grew up in?' },
  { id: 7, question: 'What was the first concert you went to?' },
  { id: 8, question: 'What was the title of your favourite book as a child?' },
  { id: 9, question: 'What was the surname of your favourite teacher?' },
  { id: 10, question: 'Where did you spend your first holiday without your parents?' },
]

const ids = new Set(SECURITY_QUESTIONS.map(({ id }) => id))

/** Whether an id belongs to a question. */
export function isSecurityQuestion(id: number): boolean {
  return ids.has(id)
}
