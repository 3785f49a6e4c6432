/** Catalogues, winners and causes in answers. */
import * as z from 'zod/mini'
import { amountSchema } from './money.ts'

export const countrySchema = z.object({ id: z.int(), name: z.string() })
export type Country = z.output<typeof countrySchema>

export const timezoneSchema = z.object({ id: z.int(), label: z.string() })

export const currencySchema = z.object({ id: z.int(), code: z.string() })

export const securityQuestionSchema = z.object({ id: z.int(), question: z.string() })

/** A win that may be shown: the name is masked, the picture null if there is none. */
export const winnerSchema = z.object({
  id: z.string(),
  user_name: z.string(),
  user_image: z.nullable(z.string()),
  when: z.int(),
  game_name: z.string(),
  amount_won: amountSchema,
})
export type Winner = z.output<typeof winnerSchema>

export const causeSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  image: z.nullable(z.string()),
  link: z.string(),
})
export type Cause = z.output<typeof causeSchema>
