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

/** A piece of a paragraph. */
export const wordsSchema = z.union([
  z.string(),
  z.object({ kind: z.literal('break') }),
  z.object({
    kind: z.enum(['strong', 'emphasis']),
    get words() {
      return z.array(wordsSchema)
    },
  }),
  z.object({
    kind: z.literal('link'),
    href: z.string(),
    get words() {
      return z.array(wordsSchema)
    },
  }),
])
export type Words = z.output<typeof wordsSchema>

/** The heading of a part: `#` has level 1. Its id is unique in the text; its title is its words without their form. */
const headingSchema = z.object({
  kind: z.literal('heading'),
  level: z.int(),
  id: z.string(),
  title: z.string(),
  words: z.array(wordsSchema),
})

/** A part of a text. */
export const blockSchema = z.discriminatedUnion('kind', [
  headingSchema,
  z.object({ kind: z.literal('paragraph'), words: z.array(wordsSchema) }),
  z.object({
    kind: z.literal('quote'),
    get blocks() {
      return z.array(blockSchema)
    },
  }),
  z.object({
    kind: z.literal('list'),
    /** the number of its first item; null for bullets */
    from: z.nullable(z.int()),
    get items() {
      return z.array(z.array(blockSchema))
    },
  }),
])
export type Block = z.output<typeof blockSchema>

/** A legal text, and all versions of it, newest first. */
export const legalTextSchema = z.extend(legalVersionSchema, {
  /** null for the product's own text */
  blocks: z.nullable(z.array(blockSchema)),
  versions: z.array(legalVersionSchema),
})
export type LegalText = z.output<typeof legalTextSchema>
