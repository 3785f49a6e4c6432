// npm run sim: plays seeds of the simulation (trials/simulation) under the project's Node. Arguments are passed on.
'use strict'

const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { ROOT, environment, prepare } = require('./bootstrap.cjs')

const node = prepare()
const args = [path.join(ROOT, 'trials/simulation/cli.ts')].concat(process.argv.slice(2))
process.exit(spawnSync(node, args, { cwd: ROOT, env: environment(node), stdio: 'inherit' }).status ?? 1)
