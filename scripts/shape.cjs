// npm run shape: prints the measures of the server's layout, under the project's Node. `-- --list` names each place.
'use strict'

const path = require('node:path')
const { ROOT, become, prepare } = require('./bootstrap.cjs')

become(prepare(), [path.join(ROOT, 'scripts', 'shape.mjs')].concat(process.argv.slice(2)))
