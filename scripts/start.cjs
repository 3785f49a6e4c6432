// npm start: installs when needed, builds the web and the console when they are stale, and runs the server. `--dev` serves the web's sources.
'use strict'

const { SERVER_OPTIONS, SERVER_VARIABLES, become, fail, prepare } = require('./bootstrap.cjs')
const { buildConsole, buildWeb } = require('./build-web.cjs')

const args = process.argv.slice(2)
const node = prepare()
// In development the web is served from its sources; the console always from its build.
if (!(args.includes('--dev') ? buildConsole : buildWeb)(node))
  fail('Fairball cannot start without its web; the messages above say why.')
become(node, SERVER_OPTIONS.concat('packages/server/src/main/main.ts', args), SERVER_VARIABLES)
