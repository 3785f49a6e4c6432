// npm run build-again: builds the web, and then again in other folders, zones of time and languages and as another user where that is possible; the
// bytes have to be the same (docs/supply-chain.md).
//   node scripts/build-again.cjs [times]
'use strict'

const path = require('node:path')
const { ROOT, become, fail, prepare } = require('./bootstrap.cjs')
const { buildWeb } = require('./build-web.cjs')

const node = prepare()
if (!buildWeb(node)) fail('What is not built cannot be built again; the messages above say why.')
become(node, [path.join(ROOT, 'scripts', 'build-elsewhere.mjs')].concat(process.argv.slice(2)))
