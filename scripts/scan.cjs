// npm run scan: starts the product on loopback and lets wapiti and sqlmap attack its pages and every parameter of its
// API; prints their findings as a table in markdown, and ends with status 1 if there are any. The control is a site
// with planted faults that must be found.
//   node scripts/scan.cjs [--quick | --full | --control] [--only wapiti|sqlmap] [--modules wapiti's,...]
//     [--reports folder]
'use strict'

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, environment, fail, prepare } = require('./bootstrap.cjs')
const { buildWeb } = require('./build-web.cjs')

const missing = ['wapiti', 'sqlmap'].filter((name) => !isInstalled(name))
if (missing.length > 0)
  fail(
    'There is no ' +
      missing.join(' and no ') +
      '. Install ' +
      (missing.length > 1 ? 'them' : 'it') +
      ':\n' +
      '  apt-get update && apt-get install -y ' +
      missing.join(' '),
  )

const node = prepare()
if (!buildWeb(node)) process.exit(1)
const args = [path.join(ROOT, 'trials/scan/scan.ts')].concat(process.argv.slice(2))
const child = spawn(node, args, { cwd: ROOT, env: environment(node), stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('close', (status) => process.exit(status === null ? 1 : status))

function isInstalled(name) {
  return (process.env.PATH || '').split(path.delimiter).some((folder) => fs.existsSync(path.join(folder, name)))
}
