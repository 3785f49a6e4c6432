// npm run bench: measures what has to hold in figures, as ratios within one run; each prints a table in markdown.
//   node scripts/bench.cjs [close] [enumeration] [lighthouse] [payouts] [wrong-logins] [refresh-race], with `-- --million` for the largest draw
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, environment, prepare, provideFolder } = require('./bootstrap.cjs')
const { provideNode } = require('./bitcoin-node.cjs')
const { buildWeb } = require('./build-web.cjs')
const { TOOLS, provideTool } = require('./test-tools.cjs')

const FOLDER = path.join(ROOT, 'bench')
/** What the benches share; everything else in the folder is one. */
const SHARED = 'product.ts'
const benches = fs
  .readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts') && file !== SHARED)
  .map((file) => path.basename(file, '.ts'))

const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
/** What each bench is given. */
const options = process.argv.slice(2).filter((arg) => arg.startsWith('--'))
const unknown = names.filter((name) => !benches.includes(name))
if (unknown.length > 0) {
  process.stderr.write('There is no bench ' + unknown.join(', ') + '. There are ' + benches.join(', ') + '.\n')
  process.exit(1)
}

/** What benches need beside the project: the variables that name it, or null where it cannot be had. */
const NEEDS = { payouts: bitcoinNode, lighthouse }

const node = prepare()
if (!buildWeb(node)) process.exit(1)
let isGood = true
for (const name of names.length > 0 ? names : benches) {
  process.stdout.write('\n## ' + name + '\n\n')
  const extra = NEEDS[name] ? NEEDS[name]() : {}
  if (extra === null) continue
  const { status } = spawnSync(node, [path.join(FOLDER, name + '.ts')].concat(options), {
    cwd: ROOT,
    env: environment(node, extra),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) isGood = false
}
process.exit(isGood ? 0 : 1)

/** Names the node, fetched where it is not there; null where none can be had. */
function bitcoinNode() {
  try {
    return { BITCOIND: provideNode() }
  } catch (error) {
    return leftOut('there is no bitcoin node: ' + error.message.split('\n').join(' '))
  }
}

/** Installs Lighthouse into its own folder and names a browser; null where one of them cannot be had. */
function lighthouse() {
  const browser = provideTool(TOOLS.browser)
  if (browser === null) return leftOut('there is no browser. Install chromium, or name one: CHROMIUM=/path/to/chromium')
  if (!provideFolder(path.join(FOLDER, 'lighthouse')))
    return leftOut('Lighthouse cannot be installed; npm says why above')
  return { CHROMIUM: browser }
}

function leftOut(why) {
  process.stderr.write('!!! Left out, ' + why + '\n')
  isGood = false
  return null
}
