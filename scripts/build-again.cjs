// npm run build-again: builds the web, and then again in other folders, time zones and languages, and as another user
// if possible; the bytes must be the same (docs/supply-chain.md).
//   node scripts/build-again.cjs [times]
'use strict'

const path = require('node:path')
const { ROOT, become, fail, prepare } = require('./bootstrap.cjs')
const { buildWeb } = require('./build-web.cjs')

const node = prepare()
if (!buildWeb(node)) fail('The first build failed, so there is nothing to compare; the messages above say why.')
become(node, [path.join(ROOT, 'scripts', 'build-elsewhere.mjs')].concat(process.argv.slice(2)))
