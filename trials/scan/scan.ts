import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { OpenApiDocument } from '@fairball/contract/openapi'
import { createClient, PASSWORD, printTable, startProduct } from '../product.ts'
import { endpointsOf } from '../hostile/endpoints.ts'
import { SchemaValues } from '../hostile/schema-values.ts'
import { openGate, type Gate } from './gate.ts'
import { openLeakySite, PLANTED } from './leaky-site.ts'
import { runSqlmap, type SqlmapBudget } from './sqlmap.ts'
import { runWapiti, type Row, type WapitiBudget } from './wapiti.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    control: { type: 'boolean', default: false },
    only: { type: 'string' },
    modules: { type: 'string' },
    reports: { type: 'string' },
  },
})

/** Budgets of a few minutes, of an hour, and without a practical limit. */
const BUDGETS: Record<'quick' | 'usual' | 'full', { wapiti: WapitiBudget; sqlmap: SqlmapBudget }> = {
  quick: {
    wapiti: { isQuick: true, crawlSeconds: 20, attackSeconds: 8 },
    sqlmap: { level: 1, risk: 1, techniques: 'BE', limitSeconds: 20, atOnce: 2 },
  },
  usual: {
    wapiti: { isQuick: false, crawlSeconds: 40, attackSeconds: 60 },
    sqlmap: { level: 3, risk: 2, techniques: 'BEUST', limitSeconds: 40, atOnce: 2 },
  },
  full: {
    wapiti: { isQuick: false, crawlSeconds: 600, attackSeconds: 900 },
    sqlmap: { level: 3, risk: 2, techniques: 'BEUSTQ', limitSeconds: 1800, atOnce: 2 },
  },
}

/** Time allowed to find a planted fault, in seconds. */
const CONTROL_SECONDS = 180

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function main(): Promise<number> {
  const temporary = mkdtempSync(join(tmpdir(), 'fairball-scan-'))
  chmodSync(temporary, 0o711)
  const folder = options.reports === undefined ? temporary : resolve(options.reports)
  mkdirSync(folder, { recursive: true })
  try {
    return options.control ? await control(folder) : await scan(folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Scans a site with planted faults. @returns 0 if every fault is found */
async function control(folder: string): Promise<number> {
  const product = await startProduct()
  const site = await openLeakySite(product.dataDir)
  const gate = await openGate({ ...product, port: site.port }, false)
  try {
    const budget = { ...BUDGETS.usual.wapiti, attackSeconds: CONTROL_SECONDS }
    const byWapiti = await runWapiti(gate, budget, {
      folder,
      name: 'planted',
      starts: site.starts,
      modules: Object.keys(PLANTED),
    })
    const values = new SchemaValues({}, new Map())
    const bySqlmap = await runSqlmap(gate, [site.endpoint], values, {
      folder,
      budget: { ...BUDGETS.usual.sqlmap, limitSeconds: CONTROL_SECONDS },
      onRow: () => undefined,
    })
    const rows = [...byWapiti, ...bySqlmap]
    for (const row of rows) printRow(row)
    const isFound = ({ what, found }: Row): boolean => found.some((one) => PLANTED[what]?.test(one) ?? true)
    const missed = rows.filter((row) => !isFound(row)).map(({ scanner, what }) => `${scanner}: ${what}`)
    say(`${rows.length - missed.length} of ${rows.length} planted faults were found`)
    for (const one of missed) say(`- missed by ${one}`)
    return missed.length === 0 ? 0 : 1
  } finally {
    await gate.close()
    await site.close()
    await product.stop()
  }
}

async function scan(folder: string): Promise<number> {
  const budget = BUDGETS[options.quick ? 'quick' : options.full ? 'full' : 'usual']
  const startedMs = performance.now()
  const product = await startProduct()
  const gates: Gate[] = []
  const rows: Row[] = []
  try {
    for (const [name, isSignedIn] of [
      ['as a visitor', false],
      ['as a player', true],
    ] as const) {
      const gate = await openGate(product, isSignedIn)
      gates.push(gate)
      const endpoints = endpointsOf(await documentOf(product.port))
      const values = new SchemaValues((await documentOf(product.port)).components.schemas, knownOf(gate))
      const starts = endpoints
        .filter(
          ({ method, path, name: call }) => method === 'GET' && call !== 'streamWatch' && !path.includes('{value}'),
        )
        .map(({ path, parameters }) => {
          const query = parameters.filter((one) => one.in === 'query').map((one) => `${one.name}=1`)
          const filled = path.replaceAll(/\{(\w+)\}/g, (_, of: string) =>
            String(gate.owned[of]?.[0] ?? FILLED[of] ?? '1'),
          )
          return query.length === 0 ? filled : `${filled}?${query.join('&')}`
        })
      if (options.only !== 'sqlmap') {
        const label = isSignedIn ? 'player' : 'visitor'
        const found = await runWapiti(gate, budget.wapiti, {
          folder,
          name: label,
          starts,
          ...(options.modules === undefined ? {} : { modules: options.modules.split(',') }),
        })
        for (const row of found) printRow(row)
        rows.push(...found)
      }
      if (options.only !== 'wapiti' && isSignedIn)
        rows.push(...(await runSqlmap(gate, endpoints, values, { folder, budget: budget.sqlmap, onRow: printRow })))
      say(`${name}: ${gate.requests()} requests`)
    }
    rows.push(...gates.map(rowOf))
  } finally {
    for (const gate of gates) await gate.close()
    await product.stop()
  }
  return report(rows, (performance.now() - startedMs) / 1000)
}

/** Values in paths that a scanner would not guess. */
const FILLED: Readonly<Record<string, string>> = { key: 'bitcoin-hero', game: 'bitcoin-hero', number: '1', round: '1' }

function knownOf({ owned }: Gate): Map<string, readonly (string | number | string[] | number[])[]> {
  return new Map<string, readonly (string | number | string[] | number[])[]>([
    ...Object.entries(owned),
    ['game', ['bitcoin-hero']],
    ['number', ['1']],
    ['_page', ['1']],
    ['from', ['0']],
    ['round', ['1']],
    ['submitBeaconRound.round', [1]],
    ['email_confirm', owned['email'] ?? []],
    ['password', [PASSWORD]],
    ['current_password', [PASSWORD]],
    ['btc_address', ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080']],
    ['country_id', [1]],
    ['currency_id', [1]],
    ['timezone_id', [1]],
    ['createPayment.key', ['bitcoin-hero']],
    ['createPayment.days', [[1, 2, 3]]],
    ['createPayment.weeks', [1]],
    ['createPayment.tickets[].numbers', [[1, 2, 3, 4, 5]]],
    ['saveNumbers.lines[]', [[1, 2, 3, 4, 5]]],
    ['checkNumbers.lines[]', [[1, 2, 3, 4, 5]]],
    ...['getWatch', 'getDraws', 'getDraw', 'getStatistics', 'getPlays', 'getWins', 'saveNumbers', 'checkNumbers'].map(
      (name): [string, string[]] => [`${name}.key`, ['bitcoin-hero']],
    ),
  ])
}

async function documentOf(port: number): Promise<OpenApiDocument> {
  const client = createClient(port, 1)
  const { text } = await client.call({ method: 'GET', path: '/api/v1/openapi.json' })
  client.close()
  return JSON.parse(text) as OpenApiDocument // the product's own
}

/** Findings no scanner counts: server errors, slow answers, and requests the product was tricked into. */
function rowOf(gate: Gate, index: number): Row {
  const found = [
    ...gate.troubles.map(({ status, ms, what }) => `${status} after ${ms.toFixed(0)} ms: ${what}`),
    ...gate.tricked.map((what) => `the product asked for ${what}`),
  ]
  const who = index === 0 ? 'visitor' : 'player'
  return {
    scanner: 'every answer',
    what: `no 5xx, none over 2 s, no request out (${who})`,
    tried: `${gate.requests()} requests`,
    seconds: 0,
    found,
  }
}

function printRow({ scanner, what, tried, seconds, found }: Row): void {
  say(
    `${scanner}: ${what}: ${tried}, ${seconds.toFixed(0)} s, ${found.length === 0 ? 'nothing' : `${found.length} FOUND`}`,
  )
}

const SHOWN = 5

function report(rows: readonly Row[], seconds: number): number {
  say('')
  printTable(
    ['scanner', 'what', 'tried', 'seconds', 'found'],
    rows.map((row) => [row.scanner, row.what, row.tried, row.seconds.toFixed(0), String(row.found.length)]),
  )
  for (const { scanner, what, found } of rows.filter((row) => row.found.length > 0)) {
    say(`\n### ${scanner}: ${what}\n`)
    for (const one of found.slice(0, SHOWN)) say(`- ${one.slice(0, 600)}`)
    if (found.length > SHOWN) say(`- and ${found.length - SHOWN} more`)
  }
  const explained = new Set(rows.flatMap((row) => row.explained ?? []))
  if (explained.size > 0) say('\n### No faults\n')
  for (const one of explained) say(`- ${one}`)
  const sum = rows.reduce((total, { found }) => total + found.length, 0)
  say(`\n${rows.length} scans in ${seconds.toFixed(0)} s, ${sum} findings`)
  return sum === 0 ? 0 : 1
}

process.exitCode = await main()
