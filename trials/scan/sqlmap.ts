import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { casesOf } from '../hostile/cases.ts'
import type { Endpoint } from '../hostile/endpoints.ts'
import type { SchemaValues } from '../hostile/schema-values.ts'
import type { Gate } from './gate.ts'
import { runProgram } from './run-program.ts'
import type { Row } from './wapiti.ts'

/** Intensity and duration of sqlmap's attempts. */
export interface SqlmapBudget {
  readonly level: number
  readonly risk: number
  /** the letters of sqlmap's techniques: boolean, error, union, stacked, time, inline */
  readonly techniques: string
  /** limit per call */
  readonly limitSeconds: number
  readonly atOnce: number
}

/** Calls that end the session, move the clock by weeks, or never end. The hostile requests test their parameters. */
const LEFT_OUT = new Set(['streamWatch', 'moveClock', 'logout'])

/** Marks a place that sqlmap may change. */
const MARK = '*'

/**
 * Attacks every parameter of the calls and the fields of their bodies, and on the first call also the request headers.
 *
 * @returns one row per call
 */
export async function runSqlmap(
  gate: Gate,
  endpoints: readonly Endpoint[],
  values: SchemaValues,
  options: { folder: string; budget: SqlmapBudget; onRow: (row: Row) => void },
): Promise<Row[]> {
  const rows: Row[] = []
  const waiting = endpoints.filter(
    ({ name, parameters, body }) => !LEFT_OUT.has(name) && (parameters.length > 0 || body !== null),
  )
  const [first] = waiting
  const worker = async (): Promise<void> => {
    for (let endpoint = waiting.shift(); endpoint !== undefined; endpoint = waiting.shift()) {
      const row = await attackOne(gate, endpoint, values, { ...options, withHeaders: endpoint === first })
      rows.push(row)
      options.onRow(row)
    }
  }
  await Promise.all(Array.from({ length: options.budget.atOnce }, worker))
  return rows
}

async function attackOne(
  gate: Gate,
  endpoint: Endpoint,
  values: SchemaValues,
  options: { folder: string; budget: SqlmapBudget; withHeaders: boolean },
): Promise<Row> {
  const { folder, budget } = options
  const { text, parameters } = requestOf(gate, endpoint, values)
  const file = join(folder, `sqlmap-${endpoint.name}.txt`)
  await writeFile(file, text, 'latin1')
  const args = [
    '-r',
    file,
    '--batch',
    '--ignore-stdin',
    '--level',
    String(budget.level),
    '--risk',
    String(budget.risk),
    '--dbms',
    'PostgreSQL',
    '--technique',
    budget.techniques,
    '--time-sec',
    '2',
    '--timeout',
    '10',
    '--retries',
    '0',
    '--disable-coloring',
    '--output-dir',
    join(folder, `sqlmap-${endpoint.name}`),
    '--flush-session',
    '--ignore-code',
    '401,403,404',
    // A refusal is an answer like any other. Without a difference between two answers there is nothing to find.
    '--skip-waf',
    ...(options.withHeaders ? [] : ['--skip', 'user-agent,referer,host,cookie']),
  ]
  const before = gate.requests()
  const { output, seconds, status } = await runProgram('sqlmap', args, { folder, limitSeconds: budget.limitSeconds })
  await writeFile(join(folder, `sqlmap-${endpoint.name}.log`), output)
  return {
    scanner: `sqlmap level ${budget.level} risk ${budget.risk}`,
    what: `${endpoint.name} (${parameters.join(', ')}${options.withHeaders ? ', headers' : ''})`,
    tried: `${gate.requests() - before} requests${status === null ? ', ended after its time' : ''}`,
    seconds,
    found: findingsOf(output, status),
  }
}

function findingsOf(output: string, status: number | null): string[] {
  const found = [...output.matchAll(/^(?:Parameter: .*|\s+Type: .*|\s+Payload: .*)$/gm)].map(([line]) => line.trim())
  if (found.length > 0) return [found.join(' ')]
  const isTried = /do(?:es)? not (?:appear|seem) to be injectable|seem to be injectable/.test(output)
  // A run that never began must not count as one without findings.
  if (!isTried && status !== null) return [`sqlmap did not try: ${output.slice(-400).replaceAll('\n', ' ')}`]
  return []
}

/** A correct request to the call in sqlmap's format, with a mark at each value of its path. */
function requestOf(gate: Gate, endpoint: Endpoint, values: SchemaValues): { text: string; parameters: string[] } {
  const cases = casesOf(endpoint, values, 1, 200)
  // The longest one, so that optional parameters are tested too.
  const [best] = cases
    .filter(({ flaws, isAstray }) => flaws.length === 0 && !isAstray)
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
  if (best === undefined) throw new Error(`no good request to ${endpoint.name}`)
  const [path = '', query] = best.target.split('?')
  const isOfPath = (part: string, index: number): boolean => /^\{\w+\}$/.test(endpoint.path.split('/')[index] ?? part)
  const marked = path
    .split('/')
    .map((part, index) => (isOfPath('', index) ? part + MARK : part))
    .join('/')
  const headers = best.headers.filter(([name]) => name !== 'host')
  const mark = (name: string): string =>
    endpoint.parameters.some((one) => one.in === 'header' && one.name === name) ? MARK : ''
  const body = best.body === null ? '' : Buffer.from(best.body).toString('utf8')
  // If there is a mark, sqlmap only tests marked places, so every value needs one.
  const hasMarks = marked.includes(MARK) || headers.some(([name]) => mark(name) !== '')
  const lines = [
    `${endpoint.method} ${marked}${query === undefined ? '' : `?${hasMarks ? query.replaceAll(/(=[^&]*)/g, `$1${MARK}`) : query}`} HTTP/1.1`,
    `Host: ${new URL(gate.url).host}`,
    ...headers.map(([name, value]) => `${name}: ${value}${mark(name)}`),
  ]
  const fields = endpoint.body === null ? [] : values.fieldsOf(endpoint.body).map(([name]) => name)
  return {
    text: `${lines.join('\r\n')}\r\n\r\n${hasMarks ? body.replaceAll(/"([,}\]])/g, `${MARK}"$1`).replaceAll(/(:\d+)(?=[,}])/g, `$1${MARK}`) : body}`,
    parameters: [...endpoint.parameters.map(({ name }) => name), ...fields],
  }
}

function sizeOf({ target, body }: { readonly target: string; readonly body: Uint8Array | null }): number {
  return target.length + (body?.length ?? 0)
}
