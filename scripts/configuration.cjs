// npm run configuration: writes the lists of variables and operator commands into docs/, from the program's own.
'use strict'

const path = require('node:path')
const { ROOT, become, prepare } = require('./bootstrap.cjs')

become(prepare(), [path.join(ROOT, 'scripts', 'write-configuration.mjs')])
