// npm run format: formats everything in place.
'use strict'

const path = require('node:path')
const { ROOT, become, prepare } = require('./bootstrap.cjs')

become(prepare(), [path.join(ROOT, 'node_modules', 'oxfmt', 'bin', 'oxfmt')])
