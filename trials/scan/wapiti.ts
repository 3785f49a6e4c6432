import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Gate } from './gate.ts'
import { runProgram } from './run-program.ts'

/** The result of one scan. */
export interface Row {
  readonly scanner: string
  readonly what: string
  readonly tried: string
  readonly seconds: number
  /** In words; empty if nothing was found. */
  readonly found: readonly string[]
  /** Findings that are not faults, each with the reason. */
  readonly explained?: readonly string[]
}

/** Findings that come from scanning over http, or from an age in which browsers looked for scripts in addresses. */
const NO_FAULTS: readonly (readonly [finding: RegExp, reason: string])[] = [
  [
    /X-XSS-Protection is not set/,
    'the header is obsolete: no browser has the filter any more, and the filter itself created holes (OWASP advises against the header); the content security policy replaces it',
  ],
  [
    /Strict-Transport-Security is not set/,
    'the site is scanned over http; over https the header is set (security-routes.test.ts)',
  ],
]

/**
 * Wapiti's modules. Left out are those that download lists from the internet (nikto, wapp), and brute_login_form, which
 * guesses passwords in login forms without scripts: there are no such forms.
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
/** Modules that only work together with an earlier one. */
const TOGETHER: Readonly<Record<string, string>> = { permanentxss: 'xss,permanentxss' }
/** Time limit of this module, in seconds. Wapiti lets it run through its whole list of 31,545 names. */
const BUSTER_SECONDS = 1200
/** Modules that send thousands of requests per page are left to the longer scans. */
const SLOW_MODULES = new Set(['backup', 'blindsql', 'buster', 'exec', 'file', 'permanentxss', 'htaccess'])

/** Budget of a scan, in seconds. */
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
 * Runs one module at a time over the crawled pages and the given addresses, so that each module has its own row.
 *
 * @param starts addresses that no page links to: the reading calls of the API
 * @param modules restricts the scan to these
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
      // The pages are crawled once; each further module attacks what was found.
      ...(index === 0 ? ['--flush-session'] : ['--skip-crawl', '--flush-attacks']),
    ]
    const before = gate.requests()
    const attackSeconds = module === 'buster' ? BUSTER_SECONDS : budget.attackSeconds
    const limitSeconds = budget.crawlSeconds + attackSeconds + 60
    const { seconds, output, status } = await runProgram('wapiti', args, { folder, limitSeconds })
    // A module without a report did not try anything, which is not a clean result.
    const noReport = `wapiti exited with ${status ?? 'a signal'} and no report: ${output.slice(-300)}`
    const all = (await findingsOf(report)) ?? [noReport]
    const reasonOf = (finding: string): string | undefined => NO_FAULTS.find(([known]) => known.test(finding))?.[1]
    const found = all.filter((finding) => reasonOf(finding) === undefined)
    const explained = all.flatMap((finding) => {
      const reason = reasonOf(finding)
      return reason === undefined ? [] : [`${finding}: ${reason}`]
    })
    // Wapiti stops the other modules when their time is over; this one runs until it is stopped.
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
