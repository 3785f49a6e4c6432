// npm run bench: measures what has to hold in figures, as ratios within one run; each prints a table in markdown.
//   node scripts/bench.cjs [close] [enumeration] [payouts] [wrong-logins] [refresh-race], with `-- --million` for the largest draw
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, environment, prepare } = require('./bootstrap.cjs')
const { provideNode } = require('./bitcoin-node.cjs')
const { buildWeb } = require('./build-web.cjs')

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

/** Benches over a real bitcoin node. */
const ON_A_NODE = ['payouts']

const node = prepare()
if (!buildWeb(node)) process.exit(1)
let isGood = true
for (const name of names.length > 0 ? names : benches) {
  process.stdout.write('\n## ' + name + '\n\n')
  const extra = ON_A_NODE.includes(name) ? bitcoinNode() : {}
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
    process.stderr.write('!!! Left out, there is no bitcoin node: ' + error.message.split('\n').join(' ') + '\n')
    isGood = false
    return null
  }
}
