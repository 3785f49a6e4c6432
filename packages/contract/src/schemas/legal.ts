/** Legal texts and their versions in answers. */
import * as z from 'zod/mini'

/** How a version is to the moment of the answer; a withdrawn one was announced, and never in force. */
const statusSchema = z.enum(['in_force', 'coming', 'earlier', 'withdrawn'])

/** A version of a legal text. Version 0 is the product's own text. Times are epoch seconds, null for no bound. */
const legalVersionSchema = z.object({
  version: z.int(),
  status: statusSchema,
  /** the date that the text has, like `2026-12-01`; null for the product's own text */
  date: z.nullable(z.string()),
  from_at: z.nullable(z.int()),
  until_at: z.nullable(z.int()),
})
export type LegalVersion = z.output<typeof legalVersionSchema>

/** A legal text, and all versions of it, newest first. */
export const legalTextSchema = z.extend(legalVersionSchema, {
  /** null for the product's own text */
  markdown: z.nullable(z.string()),
  versions: z.array(legalVersionSchema),
})
export type LegalText = z.output<typeof legalTextSchema>
