// npm run screenshots: takes a picture of every page in its main states, into the folder screenshots/.
'use strict'

const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { ROOT, environment, fail, prepare } = require('./bootstrap.cjs')
const { buildWeb } = require('./build-web.cjs')
const { TOOLS, provideTool } = require('./test-tools.cjs')

const node = prepare()
const browser = provideTool(TOOLS.browser)
if (browser === null)
  fail('There is no browser. Install chromium (apt-get install chromium), or name one: CHROMIUM=/path/to/chromium')
if (!buildWeb(node)) process.exit(1)
const { status } = spawnSync(node, [path.join(ROOT, 'e2e', 'screenshots.ts')], {
  cwd: ROOT,
  env: environment(node, { CHROMIUM: browser }),
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exit(status === null ? 1 : status)
