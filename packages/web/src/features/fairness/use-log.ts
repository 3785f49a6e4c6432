import { useQuery } from '@tanstack/react-query'
import { NOBLE_HASH } from '@fairball/domain/fairness/hash'
import { readLogged } from '@fairball/domain/fairness/log'
import { fingerprintOf } from '@fairball/domain/fairness/verify-log'
import { useApi } from '../../shared/api.ts'
import { lastPageOf, NOTES_A_PAGE, rowsOf } from './log-statements.ts'
import type { LogRow, ReadLog } from './log-statements.ts'

/** A piece of the log's end. */
interface LogEnd {
  /** Newest first. */
  readonly rows: readonly LogRow[]
  /** SHA-256 of the operator's first public key, hex; null where the log does not begin with one. */
  readonly fingerprint: string | null
}

/** The fewest statements a list begins with, if the log has as many. */
const ROWS_MIN = 20

function fingerprintIn(note: string): string | null {
  const logged = readLogged(note)
  return typeof logged === 'string' || logged.statement.type !== 'log'
    ? null
    : fingerprintOf(logged.statement.key, NOBLE_HASH)
}

/** @returns the query of the newest statements of the log */
export function useLogEnd() {
  const api = useApi()
  return useQuery({
    queryKey: ['log-end'],
    queryFn: async (): Promise<LogEnd> => {
      const read: ReadLog = (from) => api.call('getFairnessLog', { query: { from: String(from) } })
      const last = await lastPageOf(read)
      const { notes } = await read(last)
      const before = notes.length < ROWS_MIN && last > 0 ? (await read(last - NOTES_A_PAGE)).notes : []
      const rows = await rowsOf([...before, ...notes], (hash) => api.call('getStatement', { params: { hash } }))
      const [first] = (await read(0)).notes
      return { rows, fingerprint: first === undefined ? null : fingerprintIn(first) }
    },
  })
}
