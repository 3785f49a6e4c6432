// npm run hostile: sends hostile requests to every endpoint of the OpenAPI document (trials/hostile) under the
// project's Node, in two processes, each with its own program and database. Arguments are passed to both.
'use strict'

const { spawn } = require('node:child_process')
const path = require('node:path')
const { ROOT, environment, prepare } = require('./bootstrap.cjs')

const node = prepare()
const cli = path.join(ROOT, 'trials/hostile/cli.ts')
const args = process.argv.slice(2)
// A single endpoint, or an option that only prints, needs one process.
const isOne = args.some((arg) => /^--(only|case|part|help)\b/.test(arg))
const parts = isOne
  ? [[]]
  : [
      ['--part', '1/2'],
      ['--part', '2/2'],
    ]
const children = parts.map((part) =>
  spawn(node, [cli].concat(args, part), { cwd: ROOT, env: environment(node), stdio: ['ignore', 'inherit', 'inherit'] }),
)
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
let status = 0
for (const child of children)
  child.on('close', (code) => {
    if (code !== 0) status = 1
    process.exitCode = status
  })
