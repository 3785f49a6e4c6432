import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Gate } from './gate.ts'
import { runProgram } from './run-program.ts'

/** What a scan of one kind came to. */
export interface Row {
  readonly scanner: string
  readonly what: string
  readonly tried: string
  readonly seconds: number
  /** In words; nothing where nothing was found. */
  readonly found: readonly string[]
  /** What was found and is no fault, each with the reason. */
  readonly explained?: readonly string[]
}

/** What wapiti finds of a site that is reached by http, and of an age in which browsers looked for scripts in addresses. */
const NO_FAULTS: readonly (readonly [finding: RegExp, reason: string])[] = [
  [
    /X-XSS-Protection is not set/,
    'the header is dead: no browser has the filter any more, and where it was it made holes of its own (OWASP says to leave it out); the policy does its work',
  ],
  [
    /Strict-Transport-Security is not set/,
    'the scanned site is reached by http; by https the header is there (security-routes.test.ts)',
  ],
]

/**
 * Wapiti's modules, without those that ask the internet for their lists (nikto, wapp), and the one that guesses passwords of login forms that are
 * sent without scripts (brute_login_form), of which there are none.
 */
const MODULES = [
  'backup',
  'blindsql',
  'buster',
  'cookieflags',
  'crlf',
  'csp',
  'csrf',
  'exec',
  'file',
  'htaccess',
  'http_headers',
  'methods',
  'permanentxss',
  'redirect',
  'shellshock',
  'sql',
  'ssrf',
  'xss',
  'xxe',
]
/** What wapiti has to do before a module, or the module does nothing. */
const TOGETHER: Readonly<Record<string, string>> = { permanentxss: 'xss,permanentxss' }
/** Wapiti lets this one go on for as long as its list of 31,545 names takes, in seconds. */
const BUSTER_SECONDS = 1200
/** What takes thousands of requests a page is left to the longer scans. */
const SLOW_MODULES = new Set(['backup', 'blindsql', 'buster', 'exec', 'file', 'permanentxss', 'htaccess'])

/** What a scan may take, in seconds. */
export interface WapitiBudget {
  readonly isQuick: boolean
  readonly crawlSeconds: number
  readonly attackSeconds: number
}

interface Report {
  readonly vulnerabilities: Readonly<Record<string, readonly Finding[]>>
  readonly anomalies: Readonly<Record<string, readonly Finding[]>>
}

interface Finding {
  readonly method: string
  readonly path: string
  readonly info: string
  readonly parameter: string
  readonly http_request: string
}

/**
 * Runs each module over the pages that can be crawled and the addresses given, one module at a time, so that each has a line of its own.
 *
 * @param starts addresses that no page links to: the calls of the API that are read
 * @param modules these alone
 */
export async function runWapiti(
  gate: Gate,
  budget: WapitiBudget,
  options: { folder: string; name: string; starts: readonly string[]; modules?: readonly string[] },
): Promise<Row[]> {
  const { folder, name, starts } = options
  const { modules = MODULES.filter((module) => !budget.isQuick || !SLOW_MODULES.has(module)) } = options
  const rows: Row[] = []
  for (const [index, module] of modules.entries()) {
    const report = join(folder, `wapiti-${name}-${module}.json`)
    const args = [
      '--url',
      `${gate.url}/`,
      '--scope',
      'domain',
      '--module',
      TOGETHER[module] ?? module,
      '--level',
      '2',
      '--verbose',
      '0',
      '--depth',
      budget.isQuick ? '2' : '4',
      '--max-files-per-dir',
      budget.isQuick ? '4' : '20',
      '--max-scan-time',
      String(budget.crawlSeconds),
      '--max-attack-time',
      String(budget.attackSeconds),
      '--timeout',
      '10',
      '--store-session',
      join(folder, `session-${name}`),
      '--store-config',
      join(folder, 'config'),
      '--endpoint',
      gate.trapUrl,
      '--no-bugreport',
      '--format',
      'json',
      '--output',
      report,
      ...starts.flatMap((path) => ['--start', gate.url + path]),
      // The pages are found once; each further module attacks what was found.
      ...(index === 0 ? ['--flush-session'] : ['--skip-crawl', '--flush-attacks']),
    ]
    const before = gate.requests()
    const attackSeconds = module === 'buster' ? BUSTER_SECONDS : budget.attackSeconds
    const limitSeconds = budget.crawlSeconds + attackSeconds + 60
    const { seconds, output, status } = await runProgram('wapiti', args, { folder, limitSeconds })
    // A module without a report did not try anything: that is no clean result.
    const noReport = `wapiti ended with ${status ?? 'a signal'} and without a report: ${output.slice(-300)}`
    const all = (await findingsOf(report)) ?? [noReport]
    const reasonOf = (finding: string): string | undefined => NO_FAULTS.find(([known]) => known.test(finding))?.[1]
    const found = all.filter((finding) => reasonOf(finding) === undefined)
    const explained = all.flatMap((finding) => {
      const reason = reasonOf(finding)
      return reason === undefined ? [] : [`${finding}: ${reason}`]
    })
    // Wapiti ends the others itself once their time is over; this one continues until it is stopped.
    const isCut = module === 'buster' ? status === null : seconds >= attackSeconds
    const tried = `${gate.requests() - before} requests${isCut ? ', ended after its time' : ''}`
    rows.push({ scanner: `wapiti ${name}`, what: module, tried, seconds, found, explained })
  }
  return rows
}

async function findingsOf(report: string): Promise<string[] | null> {
  try {
    const { vulnerabilities, anomalies } = JSON.parse(await readFile(report, 'utf8')) as Report // as wapiti writes it
    return [...Object.entries(vulnerabilities), ...Object.entries(anomalies)].flatMap(([kind, findings]) =>
      findings.map(({ method, path, info, parameter }) => `${kind}: ${method} ${path} ${parameter} ${info}`),
    )
  } catch {
    return null
  }
}
