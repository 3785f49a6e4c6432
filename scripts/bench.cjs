// npm run bench: measures the goals for speed and memory, as ratios within one run; each bench prints a table in
// markdown, and the last table has the rows of all of them. If a goal is missed, the exit status is 1.
//   node scripts/bench.cjs [baselines] [reads] [purchase] [confirm] [rush] [settle] [watchers] [soak] [close]
//     [proof] [enumeration] [interactions] [lighthouse] [payouts] [deposits] [watermarks] [console] [start] [refresh-race] [wrong-logins] [strangers]
// Single benches have options, described in their first lines:
//   `-- --seconds=30 --long --million --ten-million --hour --profile`
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { ROOT, environment, prepare, provideFolder } = require('./bootstrap.cjs')
const { provideNode } = require('./bitcoin-node.cjs')
const { buildWeb } = require('./build-web.cjs')
const { TOOLS, provideTool } = require('./test-tools.cjs')

const FOLDER = path.join(ROOT, 'trials/bench')
/** The benches in the order they run, with their approximate minutes on two cores. */
const MINUTES = {
  baselines: 1,
  reads: 3,
  purchase: 2,
  confirm: 3,
  rush: 3,
  settle: 4,
  watchers: 4,
  soak: 6,
  close: 1,
  proof: 4,
  'wrong-logins': 3,
  strangers: 4,
  enumeration: 4,
  'refresh-race': 1,
  payouts: 4,
  deposits: 15,
  watermarks: 3,
  console: 20,
  start: 3,
  interactions: 15,
  lighthouse: 8,
}
const benches = Object.keys(MINUTES)

const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
/** Options for every bench. */
const options = process.argv.slice(2).filter((arg) => arg.startsWith('--'))
const unknown = names.filter((name) => !benches.includes(name))
if (unknown.length > 0) {
  process.stderr.write('There is no bench ' + unknown.join(', ') + '. There are ' + benches.join(', ') + '.\n')
  process.exit(1)
}

/** Requirements of benches outside the project: the variables that name them, or null if they are not available. */
const NEEDS = { payouts: bitcoinNode, deposits: bitcoinNode, proof: browser, interactions: browser, lighthouse }

const node = prepare()
if (!buildWeb(node)) process.exit(1)
let isGood = true
const chosen = names.length > 0 ? names : benches
if (names.length === 0) {
  const minutes = benches.reduce((sum, name) => sum + MINUTES[name], 0)
  process.stdout.write('All benches take about ' + minutes + ' minutes, on a computer that does nothing else.\n')
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairball-figures-'))
const figures = path.join(folder, 'figures.jsonl')
try {
  for (const name of chosen) {
    process.stdout.write('\n## ' + name + '\n\n')
    const extra = NEEDS[name] ? NEEDS[name]() : {}
    if (extra === null) continue
    const { status } = spawnSync(node, [path.join(FOLDER, name + '.ts')].concat(options), {
      cwd: ROOT,
      env: environment(node, Object.assign({ BENCH_FIGURES: figures }, extra)),
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (status === 0) continue
    isGood = false
    process.stdout.write('\n!!! ' + name + ' did not meet every goal, or failed.\n')
  }
  if (chosen.length > 1 && fs.existsSync(figures)) printAll()
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exit(isGood ? 0 : 1)

/** Prints one table with the results of all benches. */
function printAll() {
  const rows = fs
    .readFileSync(figures, 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text))
  const head = ['id', 'what', 'figure', 'baseline', 'ratio', 'goal', 'met']
  const line = (cells) => '| ' + cells.join(' | ') + ' |\n'
  process.stdout.write('\n## All of them\n\n' + line(head) + line(head.map(() => '---')) + rows.map(line).join(''))
}

/** The variable of the node, fetched if missing; null if none is available. */
function bitcoinNode() {
  try {
    return { BITCOIND: provideNode() }
  } catch (error) {
    return leftOut('there is no bitcoin node: ' + error.message.split('\n').join(' '))
  }
}

/** The variable of a browser; null if there is none. */
function browser() {
  // A window of Chromium has pages of its own, which load while the measured one does.
  const found = provideTool(TOOLS.windowlessBrowser) || provideTool(TOOLS.browser)
  if (found !== null) return { CHROMIUM: found }
  return leftOut('there is no browser. Install chromium, or name one: CHROMIUM=/path/to/chromium')
}

/** Installs Lighthouse into its own folder and finds a browser; null if one of them is not available. */
function lighthouse() {
  const found = browser()
  if (found === null) return null
  if (!provideFolder(path.join(FOLDER, 'lighthouse')))
    return leftOut('Lighthouse cannot be installed; npm says why above')
  return found
}

function leftOut(why) {
  process.stderr.write('!!! Left out, ' + why + '\n')
  isGood = false
  return null
}
