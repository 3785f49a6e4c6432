// npm test: installs its requirements and runs every check, or the named ones:
//   node scripts/test.cjs [format] [lint] [types] [unit] [api] [sim] [build] [sizes] [again] [bitcoin] [lightning] [e2e]
//     [changed] [--full]
// Every part runs, even after failures of others; `changed`, the unit tests of changes since the last commit, only if
// it is named. The ten slowest files of tests are listed, so that they stay few and short. The last line is `N passed,
// N failed`, counting each test, and each other part as one. Tests that need a real bitcoin node are skipped if there
// is none, except in continuous integration; those that need a Lightning node are skipped everywhere. With --full long
// tests run all their cases.
'use strict'

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { ROOT, environment, prepare } = require('./bootstrap.cjs')
const { provideNode } = require('./bitcoin-node.cjs')
const { provideLightning } = require('./lightning-node.cjs')
const { buildWeb } = require('./build-web.cjs')
const { TOOLS, provideTool } = require('./test-tools.cjs')

const PARTS = {
  format: { title: 'Format', run: () => program('oxfmt', 'oxfmt', ['--check']) },
  lint: { title: 'Lint', run: lint },
  types: { title: 'Types', run: types },
  unit: { title: 'Unit tests', run: () => unitTests() },
  api: { title: 'Server and API tests', run: serverTests },
  sim: { title: 'Simulation', run: () => vitest(['simulation']) },
  build: { title: 'Web build', run: async () => counted(buildWeb(node)) },
  sizes: { title: 'Page sizes', run: sizes },
  again: { title: 'The same build again', run: builtAgain },
  bitcoin: { title: 'Bitcoin node tests', run: bitcoinTests },
  lightning: { title: 'Lightning node tests', run: lightningTests },
  e2e: { title: 'Browser journeys', run: journeys },
}
/** Parts that only run if they are named. */
const NAMED_PARTS = { changed: { title: 'Unit tests of changes', run: () => unitTests(['--changed']) } }
const SLOWEST = 10

/** Free memory above which tests write into it, in bytes. Their databases and browsers need a part of that. */
const PLENTY_BYTES = 6 * 2 ** 30
/** Room for young objects in each thread of Vitest, in MB: tests of components make and drop pages all the time. */
const ROOMY = '--max-semi-space-size=64'
/** Lines of each failure's message at the end of the report. */
const FAILURE_LINES = 12
const FAILURE_CHARS = 1500

const names = process.argv.slice(2).filter((name) => name !== '--full')
if (process.argv.includes('--full')) process.env.FULL_LENGTH = '1'
const unknown = names.filter((name) => !(name in PARTS) && !(name in NAMED_PARTS))
if (unknown.length > 0) {
  process.stderr.write(
    'There is no part ' +
      unknown.join(', ') +
      '. The parts are ' +
      Object.keys(PARTS).concat(Object.keys(NAMED_PARTS)).join(', ') +
      '.\n',
  )
  process.exit(1)
}

const node = prepare()
const scratch = provideScratch()
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }))
/** The running program; a signal is passed to it, and then nothing more is started. */
let current = null
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    if (current !== null) current.kill(signal)
    process.exitCode = 130
    stopped = true
  })
let stopped = false

void main()

async function main() {
  const outcomes = []
  for (const name of names.length > 0 ? names : Object.keys(PARTS)) {
    if (stopped) break
    const { title, run } = PARTS[name] || NAMED_PARTS[name]
    process.stdout.write('\n── ' + title + ' ' + '─'.repeat(Math.max(0, 70 - title.length)) + '\n')
    const startedMs = Date.now()
    const usedBefore = processorSeconds()
    const counts = await run().catch((error) => {
      process.stderr.write(String(error.stack || error) + '\n')
      return counted(false)
    })
    const seconds = (Date.now() - startedMs) / 1000
    outcomes.push(Object.assign({ title, seconds, used: processorSeconds() - usedBefore }, counts))
  }
  report(outcomes)
}

function report(outcomes) {
  process.stdout.write('\n')
  for (const { title, passed, failed, seconds, used } of outcomes) {
    const mark = failed === 0 ? '✓' : '✗'
    const few = failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'LEFT OUT'
    const what = passed + failed > 1 ? passed + ' passed, ' + failed + ' failed' : few
    process.stdout.write(
      mark +
        ' ' +
        title.padEnd(22) +
        what.padEnd(26) +
        seconds.toFixed(1).padStart(6) +
        ' s, ' +
        used.toFixed(0).padStart(4) +
        ' s of processors\n',
    )
  }
  const files = outcomes.flatMap(({ files = [] }) => files)
  if (files.length > SLOWEST) process.stdout.write('\nThe slowest:\n')
  for (const { file, ms } of files
    .sort((one, other) => other.ms - one.ms)
    .slice(0, files.length > SLOWEST ? SLOWEST : 0))
    process.stdout.write((ms / 1000).toFixed(1).padStart(7) + ' s  ' + file + '\n')
  for (const { title, failures = [] } of outcomes)
    for (const name of failures) process.stdout.write('\n✗ ' + title + ': ' + name + '\n')
  const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0)
  process.stdout.write('\n' + sum('passed') + ' passed, ' + sum('failed') + ' failed\n')
  process.exit(stopped ? 130 : sum('failed') > 0 ? 1 : 0)
}

/** The processor time of all ended programs that this one started, in seconds; 0 where the system does not tell. */
function processorSeconds() {
  try {
    const fields = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return 0
  }
}

/** The counts of a part that passes or fails as a whole. */
function counted(isGood) {
  return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 }
}

/** Checks that every page of the last build is within its budget of scripts and styles. */
async function sizes() {
  const web = await runNode([path.join(ROOT, 'packages/web/scripts/check-size.mjs')])
  const console = await runNode([path.join(ROOT, 'packages/console/scripts/check-size.mjs')])
  return counted(web.status === 0 && console.status === 0)
}

/** Checks that another build elsewhere gives the same bytes. */
async function builtAgain() {
  return counted((await runNode([path.join(ROOT, 'scripts/build-again.cjs'), '1'])).status === 0)
}

/** Checks the code with oxlint, texts for readers against the list of words (words.mjs), and unused exports. */
async function lint() {
  const code = await runNode([binaryOf('oxlint', 'oxlint'), '--type-aware', '--deny-warnings'])
  const words = await runNode([path.join(ROOT, 'scripts', 'words.mjs')])
  const unused = await runNode([path.join(ROOT, 'scripts', 'unused-exports.mjs')])
  return counted(code.status === 0 && words.status === 0 && unused.status === 0)
}

/** Runs an installed package's program under the project's Node, and shows its output. */
async function program(packageName, binary, args) {
  return counted((await runNode([binaryOf(packageName, binary)].concat(args))).status === 0)
}

function binaryOf(packageName, binary) {
  const folder = path.join(ROOT, 'node_modules', packageName)
  const { bin } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  return path.join(folder, typeof bin === 'string' ? bin : bin[binary])
}

/**
 * The folder for all files of the tests, removed at the end: in memory if there is plenty. On a slow disk each new
 * database takes ten times as long.
 */
function provideScratch() {
  const memory = '/dev/shm'
  let parent = os.tmpdir()
  try {
    const { bavail, bsize } = fs.statfsSync(memory)
    fs.accessSync(memory, fs.constants.W_OK)
    const isPlenty = Math.min(bavail * bsize, os.freemem()) >= PLENTY_BYTES
    if (isPlenty && process.env.TMPDIR === undefined) parent = memory
  } catch {
    // This system has no such folder.
  }
  const folder = fs.mkdtempSync(path.join(parent, 'fairball-'))
  fs.chmodSync(folder, 0o711) // root's database server runs as another user
  return folder
}

function runNode(args, extra, isQuiet) {
  return new Promise((resolve, reject) => {
    const stdio = isQuiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit']
    // Programs that are started repeatedly, such as the product, are compiled once.
    const compiled = path.join(scratch, 'compiled')
    const env = environment(node, Object.assign({ TMPDIR: scratch, NODE_COMPILE_CACHE: compiled }, extra))
    const child = spawn(node, args, { cwd: ROOT, env, stdio })
    if (!isQuiet) current = child
    let output = ''
    for (const stream of isQuiet ? [child.stdout, child.stderr] : []) stream.on('data', (data) => (output += data))
    child.on('error', reject)
    child.on('close', (status) => {
      current = null
      resolve({ status, output })
    })
  })
}

/**
 * Checks each TypeScript project separately, two at a time. The web, the console and what they share are one; so are
 * the server and the trials, which load nearly all of it.
 */
async function types() {
  const packages = ['domain', 'contract', 'verifier', 'witness'].map((name) => 'packages/' + name)
  const projects = ['trials', 'tsconfig.pages.json'].concat(packages, 'e2e')
  const tsc = binaryOf('typescript', 'tsc')
  let isGood = true
  const worker = async () => {
    for (let project = projects.shift(); project !== undefined; project = projects.shift()) {
      const { status, output } = await runNode([tsc, '--project', project, '--pretty', 'false'], {}, true)
      process.stdout.write((status === 0 ? '✓ ' : '✗ ') + project + '\n' + output)
      if (status !== 0) isGood = false
    }
  }
  await Promise.all([worker(), worker()])
  return counted(isGood)
}

/** The tests that need no database. Some have an office program open a spreadsheet, or Python or an old Node verify draws. */
function unitTests(flags) {
  const tools = Object.assign({}, ...[TOOLS.office, TOOLS.python, TOOLS.oldNode].map(toolVariable))
  return vitest(['domain', 'contract', 'web', 'web-components', 'programs', 'tools'], tools, flags)
}

/** The tests of the server; some use an independent authenticator or a connection pooler. */
function serverTests() {
  const tools = Object.assign({}, ...[TOOLS.authenticator, TOOLS.pooler].map(toolVariable))
  return vitest(['server', 'server-alone'], tools)
}

/** The tests of money on a real bitcoin node, or on two. */
async function bitcoinTests() {
  let bitcoind
  try {
    bitcoind = provideNode()
  } catch (error) {
    const why = error.message.split('\n').join(' ')
    const isCi = Boolean(process.env.CI)
    process.stderr.write((isCi ? '' : '!!! THE TESTS ON A REAL BITCOIN NODE ARE LEFT OUT: ') + why + '\n')
    return isCi ? counted(false) : { passed: 0, failed: 0 }
  }
  return await vitest(['bitcoin'], { BITCOIND: bitcoind })
}

/** The tests of money on three real Lightning nodes. */
async function lightningTests() {
  let nodes
  try {
    nodes = { LIGHTNINGD: provideLightning(), BITCOIND: provideNode() }
  } catch (error) {
    process.stderr.write('!!! LIGHTNING TESTS LEFT OUT: ' + error.message.split('\n').join(' ') + '\n')
    return { passed: 0, failed: 0 }
  }
  return await vitest(['lightning'], nodes)
}

/** The variable that tells tests the path of a tool, if there is one. */
function toolVariable(tool) {
  const program = provideTool(tool)
  if (program !== null) return { [tool.variable]: program }
  process.stdout.write('There is no ' + (tool.title || tool.names[0]) + ' here: the tests that ask it are left out.\n')
  return {}
}

async function vitest(projects, extra, flags = []) {
  const file = path.join(scratch, 'vitest-' + projects[0] + '.json')
  const args = [
    ROOMY,
    binaryOf('vitest', 'vitest'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    '--outputFile.json=' + file,
  ]
  for (const project of projects) args.push('--project', project)
  const { status } = await runNode(args.concat('--passWithNoTests', flags), Object.assign({ NODE_ENV: 'test' }, extra))
  const result = readJson(file)
  if (result === null) return counted(status === 0)
  const failures = result.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter(isFailed)
    // A file that could not be loaded has no tests to count.
    if (tests.length === 0) return status === 'failed' ? [path.relative(ROOT, name) + '\n' + message] : []
    return tests.map((test) => test.fullName + '\n' + beginning(test.failureMessages.join('\n')))
  })
  const failed = failures.length
  const files = result.testResults.map(({ name, startTime, endTime }) => {
    return { file: path.relative(ROOT, name), ms: endTime - startTime }
  })
  return { passed: result.numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed, failures, files }
}

/** The first lines of a failure, for the summary after the whole output. */
function beginning(text) {
  return text.split('\n').slice(0, FAILURE_LINES).join('\n').slice(0, FAILURE_CHARS)
}

function isFailed(test) {
  return test.status === 'failed'
}

async function journeys() {
  const browser = provideTool(TOOLS.windowlessBrowser) || provideTool(TOOLS.browser)
  if (browser === null) {
    process.stderr.write(
      'There is no browser. Install chromium (apt-get install chromium), or name one: CHROMIUM=/path/to/chromium\n',
    )
    return counted(false)
  }
  if (!buildWeb(node)) return counted(false)
  const file = path.join(scratch, 'playwright.json')
  // Node itself strips the types of journeys, which takes a third of the time of Playwright's own compiler.
  const extra = { CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file, PW_DISABLE_TS_ESM: '1' }
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', '--pass-with-no-tests']
  const { status } = await runNode([binaryOf('@playwright/test', 'playwright')].concat(args), extra)
  const result = readJson(file)
  if (result === null) return counted(status === 0)
  const failures = result.suites.flatMap(failedJourneys)
  const failed = result.stats.unexpected + result.stats.flaky
  const files = result.suites.map((suite) => {
    return { file: 'e2e/' + suite.file, ms: durationsIn(suite).reduce((sum, ms) => sum + ms, 0) }
  })
  return { passed: result.stats.expected, failed: failed === 0 && status !== 0 ? 1 : failed, failures, files }
}

/** Durations of the journeys of a suite and its inner suites. */
function durationsIn({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration)))
  return own.concat(suites.flatMap(durationsIn))
}

/** Failed journeys of a suite and its inner suites. */
function failedJourneys({ specs = [], suites = [] }) {
  const failed = specs.filter((spec) => !spec.ok)
  const told = failed.map(({ file, title, tests }) => {
    const errors = tests.flatMap((test) => test.results.flatMap((result) => result.errors))
    return file + ' › ' + title + '\n' + beginning(errors.map(({ message }) => message).join('\n'))
  })
  return told.concat(suites.flatMap(failedJourneys))
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
