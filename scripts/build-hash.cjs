// npm run build-hash: builds the web from these sources, and prints the hash of the build (docs/supply-chain.md).
//   npm run build-hash -- https://lottery.example   compares the build with the files of that site
'use strict'

const path = require('node:path')
const { ROOT, become, fail, prepare } = require('./bootstrap.cjs')
const { buildWeb } = require('./build-web.cjs')

const node = prepare()
if (!buildWeb(node)) fail('Without a build there is no hash; the messages above say why.')
become(node, [path.join(ROOT, 'scripts', 'compare-build.mjs')].concat(process.argv.slice(2)))
