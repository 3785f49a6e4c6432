import type { AnswerOf } from '../../shared/calls.ts'

/** One of the people. */
export type Person = AnswerOf<'listStaff'>[number]
