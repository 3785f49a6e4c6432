// npm start: installs when needed, builds the web when it is stale, and runs the server. `--dev` serves the web's sources.
'use strict'

const { SERVER_OPTIONS, SERVER_VARIABLES, become, fail, prepare } = require('./bootstrap.cjs')
const { buildWeb } = require('./build-web.cjs')

const args = process.argv.slice(2)
const node = prepare()
if (!args.includes('--dev') && !buildWeb(node))
  fail('Fairball cannot start without its web; the messages above say why.')
become(node, SERVER_OPTIONS.concat('packages/server/src/main/main.ts', args), SERVER_VARIABLES)
