// npm run operator -- <command>: the operator's commands, with the configuration of the server.
'use strict'

const { become, prepare } = require('./bootstrap.cjs')

become(prepare(), ['packages/server/src/main/operator.ts'].concat(process.argv.slice(2)))
