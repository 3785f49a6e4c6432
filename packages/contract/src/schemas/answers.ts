/** Answers that many calls share. */
import * as z from 'zod/mini'

/** The answer of a call without data. */
export const okSchema = z.object({ ok: z.literal(true) })

/** The answer of a call with data. */
export function okWith<Data extends z.ZodMiniType>(data: Data) {
  return z.object({ ok: z.literal(true), data })
}

/** One page of a list. `total_pages` is 0 when the list is empty. */
export function pageOf<Row extends z.ZodMiniType>(row: Row) {
  return z.object({ results: z.array(row), total_pages: z.int() })
}
