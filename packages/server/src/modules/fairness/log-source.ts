import { readFile } from 'node:fs/promises'
import { readLogged } from '@fairball/domain/fairness/log'
import { z } from 'zod'
import { Refused } from '../../kernel/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'

/** Where missing statements come from. Nothing of it is believed before it is verified. */
export interface LogSource {
  /** The signed notes of a log from a `seq` on. @throws Refused when they cannot be had */
  notesFrom(seq: number): Promise<readonly string[]>
  /** The text of rules by their hash; null where the source has none. */
  rulesOf(hash: string): Promise<string | null>
}

/** More statements than a day of every game has by far: a source that goes on and on is given up. */
const MOST_PAGES = 1000
const LARGEST_PAGE_CHARACTERS = 4_000_000
const REQUEST_LIMIT_MS = 20_000

const pageSchema = z.object({ notes: z.array(z.string()).max(1000), next: z.int().nullable() })
/** A saved bundle has the log as `log`, a page of the API as `notes`. */
const fileSchema = z.union([
  z.object({ log: z.array(z.string()), rules: z.string().optional() }),
  z.object({ notes: z.array(z.string()), rules: z.string().optional() }),
])

/**
 * A mirror of a log: the address of a site that answers `/api/v1/fairness/log`, or a file that holds its notes (a saved
 * bundle, or `{"notes": […]}`).
 */
export function logSource(place: string, runtime: Pick<Runtime, 'fetch'>): LogSource {
  return /^https?:\/\//.test(place) ? mirror(place.replace(/\/+$/, ''), runtime) : file(place)
}

function mirror(base: string, { fetch }: Pick<Runtime, 'fetch'>): LogSource {
  async function get(path: string): Promise<string | null> {
    const address = `${base}/api/v1/fairness/${path}`
    try {
      const answer = await fetch(address, { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) })
      if (answer.status === 404) return null
      const text = await answer.text()
      if (answer.status === 200 && text.length <= LARGEST_PAGE_CHARACTERS) return text
      throw new Error(`it answered with status ${answer.status} and ${text.length} characters`)
    } catch (error) {
      throw new Refused(`${address} cannot be read: ${(error as Error).message}`, error)
    }
  }

  return {
    async notesFrom(seq) {
      const notes: string[] = []
      let from: number | null = seq
      for (let page = 0; from !== null; page += 1) {
        if (page === MOST_PAGES) throw new Refused(`${base} goes on after ${notes.length} statements.`)
        const read = pageSchema.safeParse(jsonOf((await get(`log?from=${from}`)) ?? ''))
        if (!read.success) throw new Refused(`${base} does not answer with a log.`)
        notes.push(...read.data.notes)
        from = read.data.notes.length === 0 ? null : read.data.next
      }
      return notes
    },
    rulesOf: (hash) => get(`rules/${hash}`),
  }
}

function file(path: string): LogSource {
  async function read() {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      throw new Refused(`${path} cannot be read: ${(error as Error).message}`, error)
    })
    const found = fileSchema.safeParse(jsonOf(text))
    if (!found.success) throw new Refused(`${path} holds no log: a saved bundle, or {"notes": […]}, was expected.`)
    return found.data
  }

  return {
    async notesFrom(seq) {
      const found = await read()
      const notes = 'log' in found ? found.log : found.notes
      return notes.filter((note) => {
        const logged = readLogged(note)
        if (typeof logged === 'string') throw new Refused(`A note in ${path} ${logged}.`)
        return logged.statement.seq >= seq
      })
    },
    rulesOf: async () => (await read()).rules ?? null,
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // said by whoever looks for a shape in it
  }
}
