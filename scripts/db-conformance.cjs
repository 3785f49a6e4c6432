// npm run db-conformance <DATABASE_URL>: tries whether the product may run on a database.
'use strict'

const { become, prepare } = require('./bootstrap.cjs')

become(prepare(), ['packages/server/src/db/conformance/command.ts'].concat(process.argv.slice(2)))
